/** Uploads a file to the device in chunks. After a reconnect it continues where the device stopped. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { WindowShare } from '@drawbridge/session/send-window';
import { FileError, isFileError, type FileExchange, type FileExchanges } from './file-exchange.ts';

export interface FileUpload {
  path: string;
  content: Blob;
  /** Unix time of the last change. */
  time?: number;
  replace: boolean;
  onProgress(bytes: number): void;
}

/** What is read at once: each read of a blob takes a while, however small it is. */
const blockBytes = 256 * 1_024;

interface UploadState {
  /** The whole file was sent: the device may have finished it although the connection was lost. */
  finishing: boolean;
}

export async function uploadFile(
  exchanges: FileExchanges,
  file: FileUpload,
  signal: AbortSignal,
): Promise<void> {
  const state: UploadState = { finishing: false };
  for (;;) {
    const exchange = exchanges.open();
    const window = exchanges.sendWindow.join();
    try {
      // A file that the device has finished before the connection was lost exists already.
      const upload = { ...file, replace: file.replace || state.finishing };
      return await attempt({ exchange, window, signal, state }, upload);
    } catch (error) {
      if (!isFileError(error, 'connection_lost')) throw error;
      await exchanges.whenLive();
    } finally {
      window.leave();
      exchange.close();
    }
  }
}

interface UploadAttempt {
  exchange: FileExchange;
  window: WindowShare;
  signal: AbortSignal;
  state: UploadState;
}

async function attempt(upload: UploadAttempt, file: FileUpload): Promise<void> {
  const { exchange, window, signal, state } = upload;
  const { path, content, time, replace, onProgress } = file;
  exchange.send({ do: 'put', path, size: content.size, replace, ...(time !== undefined && { time }) });
  const begun = await exchange.receive();
  if (begun.is !== 'put') throw new FileError('device_refused', 'The device gave an unexpected answer.');
  onProgress(begun.from);
  const done = receiveReplies(upload, onProgress);
  if (signal.aborted) window.leave();
  else signal.addEventListener('abort', window.leave);
  // What cannot be sent any more is not waited for: the error is thrown below.
  done.catch(() => window.leave());
  const digest = await sendContent(upload, content, begun.from);
  if (signal.aborted) {
    exchange.stop();
    signal.throwIfAborted();
  }
  if (digest !== undefined) {
    state.finishing = true;
    exchange.send({ do: 'finish', sha256: digest });
  }
  await done;
}

/** Resolves when the device has finished the file. */
async function receiveReplies(
  { exchange, window }: UploadAttempt,
  onProgress: (bytes: number) => void,
): Promise<void> {
  for (;;) {
    const reply = await exchange.receive();
    if (reply.is === 'done') return;
    if (reply.is !== 'taken') continue;
    onProgress(reply.bytes);
    window.acknowledge(reply.bytes);
  }
}

/** Sends what the device does not have and returns the hash of the whole file; undefined if the transfer was stopped. */
async function sendContent(upload: UploadAttempt, content: Blob, from: number): Promise<string | undefined> {
  const hash = sha256.create();
  for (let at = 0; at < content.size; at += blockBytes) {
    const block = new Uint8Array(await content.slice(at, at + blockBytes).arrayBuffer());
    hash.update(block);
    const known = Math.min(block.length, Math.max(0, from - at));
    if (!(await sendBlock(upload, block.subarray(known), at + known))) return undefined;
  }
  return bytesToHex(hash.digest());
}

/** Returns false if the transfer was stopped. */
async function sendBlock(
  { exchange, window }: UploadAttempt,
  block: Uint8Array,
  start: number,
): Promise<boolean> {
  for (let at = 0; at < block.length;) {
    const most = await window.reserve();
    if (most === 0) return false;
    const data = block.subarray(at, at + most);
    await exchange.sendChunk(start + at, data);
    at += data.length;
    window.sent(data.length, start + at);
  }
  return true;
}
