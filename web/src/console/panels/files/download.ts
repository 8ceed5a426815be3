/** Downloads a file from the device in chunks and verifies its hash at the end. */
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { FileHash } from '@drawbridge/session/file-hash';
import { FileError, isFileError, type FileExchange, type FileExchanges } from './file-exchange.ts';
import { createOperatorFileHash } from './file-hash.ts';

export interface FileDownload {
  size: number;
  /** Unix time of the last change. */
  time: number;
  /** Read it to the end: an incomplete or changed file ends in an error. */
  content: AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

type Begun = Extract<SessionMessage<'file_answer'>, { is: 'get' }>;

interface Progress {
  at: number;
  /** As announced by the device, again after each reconnect. */
  begun: Begun;
  hash: FileHash;
}

export async function downloadFile(
  exchanges: FileExchanges,
  path: string,
  signal: AbortSignal,
): Promise<FileDownload> {
  for (;;) {
    const exchange = exchanges.open();
    try {
      const begun = await begin(exchange, path);
      const { size, time } = begun;
      return { size, time, content: contentOf(exchanges, exchange, { path, begun, signal }) };
    } catch (error) {
      exchange.close();
      if (!isFileError(error, 'connection_lost')) throw error;
      await exchanges.whenLive();
    }
  }
}

async function begin(exchange: FileExchange, path: string): Promise<Begun> {
  exchange.send({ do: 'get', path, from: 0, hash: 'blocks' });
  const begun = await exchange.receive();
  if (begun.is !== 'get') throw new FileError('device_refused', 'The device gave an unexpected answer.');
  return begun;
}

async function* contentOf(
  exchanges: FileExchanges,
  first: FileExchange,
  { path, begun, signal }: { path: string; begun: Begun; signal: AbortSignal },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const progress: Progress = { at: 0, begun, hash: createOperatorFileHash(begun.hash) };
  for (let exchange = first; ; exchange = exchanges.open()) {
    try {
      if (exchange !== first) exchange.send({ do: 'get', path, from: progress.at, hash: begun.hash });
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
      if (reply.is === 'sent') return await check(progress, reply.sha256);
      if (reply.is === 'get') resume(progress, reply);
      if (reply.is !== 'bytes') continue;
      await addToProgress(progress, reply);
      yield reply.data as Uint8Array<ArrayBuffer>;
      // Acknowledged after the chunk is consumed, so that the device does not send faster than that.
      exchange.send({ do: 'taken', bytes: progress.at });
    }
  } finally {
    // Bytes that nobody acknowledges would hold up the other downloads.
    if (!isComplete) exchange.stop();
  }
}

/** The agent may have been replaced by one that does not know the kind of hash. */
function resume(progress: Progress, begun: Begun): void {
  if (begun.hash !== progress.begun.hash)
    throw new FileError('device_refused', 'The agent changed during the download. Download the file again.');
  progress.begun = begun;
}

async function addToProgress(
  progress: Progress,
  { at, data }: { at: number; data: Uint8Array },
): Promise<void> {
  if (at !== progress.at) throw new FileError('device_refused', 'A piece of the file is missing.');
  progress.at += data.length;
  if (progress.at > progress.begun.size)
    throw new FileError('device_refused', 'The device sent more bytes than it announced.');
  await progress.hash.update(data);
}

async function check({ hash }: Progress, sent: string): Promise<void> {
  if ((await hash.digest()) !== sent)
    throw new FileError('device_refused', 'The file changed during the download. Download it again.');
}
