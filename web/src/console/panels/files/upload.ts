/** Uploads a file to the device in chunks. After a reconnect it continues where the device stopped. */
import { sendContent } from '@drawbridge/session/send-content';
import type { WindowShare } from '@drawbridge/session/send-window';
import { FileError, isFileError, type FileExchange, type FileExchanges } from './file-exchange.ts';
import { createOperatorFileHash } from './file-hash.ts';

export interface FileUpload {
  path: string;
  content: Blob;
  /** Unix time of the last change. */
  time?: number;
  replace: boolean;
  onProgress(bytes: number): void;
}

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
  const { size } = content;
  exchange.send({ do: 'put', path, size, replace, hash: 'blocks', ...(time !== undefined && { time }) });
  const begun = await exchange.receive();
  if (begun.is !== 'put') throw new FileError('device_refused', 'The device gave an unexpected answer.');
  onProgress(begun.from);
  const done = receiveReplies(upload, onProgress);
  if (signal.aborted) window.leave();
  else signal.addEventListener('abort', window.leave);
  // What cannot be sent any more is not waited for: the error is thrown below.
  done.catch(() => window.leave());
  const sha256 = await sendContent({
    read: async (at, length) => new Uint8Array(await content.slice(at, at + length).arrayBuffer()),
    from: begun.from,
    hash: createOperatorFileHash(begun.hash),
    window,
    send: (at, data) => exchange.sendChunk(at, data),
  });
  if (signal.aborted) {
    exchange.stop();
    signal.throwIfAborted();
  }
  if (sha256 !== undefined) {
    state.finishing = true;
    exchange.send({ do: 'finish', sha256 });
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
