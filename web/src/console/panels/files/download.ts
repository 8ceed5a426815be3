/** Downloads a file from the device in chunks and verifies its hash at the end. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { FileError, isFileError, type FileExchange, type FileExchanges } from './file-exchange.ts';

export interface FileDownload {
  size: number;
  /** Unix time of the last change. */
  time: number;
  /** Read it to the end: an incomplete or changed file ends in an error. */
  content: AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

interface Progress {
  at: number;
  /** As announced by the device, again after each reconnect. */
  size: number;
  hash: ReturnType<typeof sha256.create>;
}

export async function downloadFile(
  exchanges: FileExchanges,
  path: string,
  signal: AbortSignal,
): Promise<FileDownload> {
  for (;;) {
    const exchange = exchanges.open();
    try {
      const { size, time } = await begin(exchange, path);
      return { size, time, content: contentOf(exchanges, exchange, { path, size, signal }) };
    } catch (error) {
      exchange.close();
      if (!isFileError(error, 'connection_lost')) throw error;
      await exchanges.whenLive();
    }
  }
}

async function begin(exchange: FileExchange, path: string) {
  exchange.send({ do: 'get', path, from: 0 });
  const begun = await exchange.receive();
  if (begun.is !== 'get') throw new FileError('device_refused', 'The device gave an unexpected answer.');
  return begun;
}

async function* contentOf(
  exchanges: FileExchanges,
  first: FileExchange,
  { path, size, signal }: { path: string; size: number; signal: AbortSignal },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const progress: Progress = { at: 0, size, hash: sha256.create() };
  for (let exchange = first; ; exchange = exchanges.open()) {
    try {
      if (exchange !== first) exchange.send({ do: 'get', path, from: progress.at });
      return yield* chunks(exchange, progress, signal);
    } catch (error) {
      if (!isFileError(error, 'connection_lost')) throw error;
      await exchanges.whenLive();
    } finally {
      exchange.close();
    }
  }
}

async function* chunks(
  exchange: FileExchange,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let isComplete = false;
  try {
    for (;;) {
      const reply = await exchange.receive();
      signal.throwIfAborted();
      isComplete = reply.is === 'sent';
      if (reply.is === 'sent') return check(progress, reply.sha256);
      if (reply.is === 'get') progress.size = reply.size;
      if (reply.is !== 'bytes') continue;
      addToProgress(progress, reply);
      yield reply.data as Uint8Array<ArrayBuffer>;
      // Acknowledged after the chunk is consumed, so that the device does not send faster than that.
      exchange.send({ do: 'taken', bytes: progress.at });
    }
  } finally {
    // Bytes that nobody acknowledges would hold up the other downloads.
    if (!isComplete) exchange.stop();
  }
}

function addToProgress(progress: Progress, { at, data }: { at: number; data: Uint8Array }): void {
  if (at !== progress.at) throw new FileError('device_refused', 'A piece of the file is missing.');
  progress.hash.update(data);
  progress.at += data.length;
  if (progress.at > progress.size)
    throw new FileError('device_refused', 'The device sent more bytes than it announced.');
}

function check({ hash }: Progress, sent: string): void {
  if (bytesToHex(hash.digest()) !== sent)
    throw new FileError('device_refused', 'The file changed during the download. Download it again.');
}
