/** Uploads a file to the device in chunks. After a reconnect it continues where the device stopped. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { FileError, isFileError, type FileExchange, type FileExchanges } from './file-exchange.ts';

export interface FileUpload {
  path: string;
  content: Blob;
  /** Unix time of the last change. */
  time?: number;
  replace: boolean;
  onProgress(bytes: number): void;
}

const chunkLength = 128 * 1_024;
/** Bytes sent that the device has not written yet. */
const maxInFlight = 4 * 1_024 * 1_024;

export async function uploadFile(
  exchanges: FileExchanges,
  file: FileUpload,
  signal: AbortSignal,
): Promise<void> {
  const state = { finishing: false };
  for (;;) {
    const exchange = exchanges.open();
    try {
      // The device may have finished the file before the connection was lost, and then it exists already.
      return await attempt(exchange, { ...file, replace: file.replace || state.finishing }, signal, state);
    } catch (error) {
      if (!isFileError(error, 'connection_lost')) throw error;
      await exchanges.whenLive();
    } finally {
      exchange.close();
    }
  }
}

async function attempt(
  exchange: FileExchange,
  file: FileUpload,
  signal: AbortSignal,
  state: { finishing: boolean },
): Promise<void> {
  const { path, content, time, replace } = file;
  exchange.send({ do: 'put', path, size: content.size, replace, ...(time !== undefined && { time }) });
  const begun = await exchange.receive();
  if (begun.is !== 'put') throw new FileError('device_refused', 'The device gave an unexpected answer.');
  const hash = sha256.create();
  let written = begun.from;
  file.onProgress(written);
  /** Waits until at most `limit` bytes are sent but not written. */
  const waitForWrites = async (sent: number, limit: number): Promise<void> => {
    while (sent - written > limit) {
      const reply = await exchange.receive();
      if (reply.is === 'taken') file.onProgress((written = reply.bytes));
    }
  };
  for (let at = 0; at < content.size; at += chunkLength) {
    if (signal.aborted) {
      exchange.send({ do: 'stop' });
      signal.throwIfAborted();
    }
    const data = new Uint8Array(await content.slice(at, at + chunkLength).arrayBuffer());
    hash.update(data);
    const unsent = data.subarray(Math.max(0, Math.min(data.length, begun.from - at)));
    if (unsent.length > 0) await exchange.sendChunk(at + data.length - unsent.length, unsent);
    await waitForWrites(at + data.length, maxInFlight);
  }
  await waitForWrites(content.size, 0);
  state.finishing = true;
  exchange.send({ do: 'finish', sha256: bytesToHex(hash.digest()) });
  while ((await exchange.receive()).is !== 'done');
}
