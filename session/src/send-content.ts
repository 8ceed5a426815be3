/** Sends the content of a file from either side: reads it in blocks, hashes all of it, and sends chunks within a window. */
import { hashBlockBytes } from '@drawbridge/contract/session/messages';
import type { FileHash } from './file-hash.ts';
import type { WindowShare } from './send-window.ts';

export interface OutgoingContent {
  /** Resolves with nothing at the end of the file. */
  read(at: number, length: number): Promise<Uint8Array>;
  /** The receiver has the bytes before: they are hashed and not sent. */
  from: number;
  hash: FileHash;
  window: WindowShare;
  /** Sends a chunk when little else waits to be sent. */
  send(at: number, data: Uint8Array): Promise<void>;
}

/** Returns the hash of the whole file; undefined if the transfer was stopped. */
export async function sendContent(content: OutgoingContent): Promise<string | undefined> {
  const { from, hash } = content;
  for await (const { at, block } of readBlocks(content)) {
    if (content.window.isOver()) return undefined;
    await hash.update(block);
    const known = Math.min(block.length, Math.max(0, from - at));
    if (!(await sendBlock(content, at + known, block.subarray(known)))) return undefined;
  }
  return hash.digest();
}

/** Reads one block ahead, so that nothing waits for the disk. */
async function* readBlocks({ read }: OutgoingContent): AsyncGenerator<{ at: number; block: Uint8Array }> {
  let next = read(0, hashBlockBytes);
  try {
    for (let at = 0; ;) {
      const block = await next;
      if (block.length === 0) return;
      next = read(at + block.length, hashBlockBytes);
      yield { at, block };
      at += block.length;
    }
  } finally {
    // The file is closed after the last read, of which nobody needs the result.
    await next.catch(() => {});
  }
}

/** Returns false if the transfer was stopped. */
async function sendBlock(
  { window, send }: OutgoingContent,
  start: number,
  block: Uint8Array,
): Promise<boolean> {
  for (let at = 0; at < block.length;) {
    const most = await window.reserve();
    if (most === 0) return false;
    const data = block.subarray(at, at + most);
    await send(start + at, data);
    at += data.length;
    window.sent(data.length, start + at);
  }
  return true;
}
