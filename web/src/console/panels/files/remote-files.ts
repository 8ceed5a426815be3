/** The file system of the device: lists, changes, downloads and uploads. Transfers continue after a reconnect. */
import type { FileEntry, SessionMessage } from '@drawbridge/contract/session/messages';
import { uploadFile, type FileUpload } from './upload.ts';
import { downloadFile, type FileDownload } from './download.ts';
import { FileError, isFileError, type FileExchanges, type FileRequest } from './file-exchange.ts';

export interface Listing {
  entries: FileEntry[];
  /** Larger than the number of entries when the device does not list them all. */
  total: number;
}

export interface RemoteFiles {
  list(path: string): Promise<Listing>;
  createFolder(path: string): Promise<void>;
  rename(path: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  download(path: string, signal: AbortSignal): Promise<FileDownload>;
  upload(file: FileUpload, signal: AbortSignal): Promise<void>;
}

type Answer = SessionMessage<'file_answer'>;

export function createRemoteFiles(exchanges: FileExchanges): RemoteFiles {
  const change = async (request: FileRequest): Promise<void> => void (await sendOnce(exchanges, request));
  return {
    list: (path) => list(exchanges, path),
    createFolder: (path) => change({ do: 'folder', path }),
    rename: (path, to) => change({ do: 'rename', path, to }),
    remove: (path) => change({ do: 'remove', path }),
    download: (path, signal) => downloadFile(exchanges, path, signal),
    upload: (file, signal) => uploadFile(exchanges, file, signal),
  };
}

async function sendRequest(exchanges: FileExchanges, request: FileRequest): Promise<Answer> {
  const exchange = exchanges.open();
  try {
    exchange.send(request);
    return (await exchange.receive()) as Answer;
  } finally {
    exchange.close();
  }
}

/** Changes are not retried: after a lost connection it is unknown whether the device carried them out. */
const sendOnce = (exchanges: FileExchanges, request: FileRequest): Promise<Answer> =>
  sendRequest(exchanges, request).catch((error: unknown) => {
    if (!isFileError(error, 'connection_lost')) throw error;
    throw new FileError('connection_lost', 'The connection was lost. Try again.');
  });

async function sendWithRetry(exchanges: FileExchanges, request: FileRequest): Promise<Answer> {
  for (;;)
    try {
      return await sendRequest(exchanges, request);
    } catch (error) {
      if (!isFileError(error, 'connection_lost')) throw error;
      await exchanges.whenLive();
    }
}

/** The agent lists fewer entries; a hostile device could send pages without end. */
const maxListed = 100_000;

async function list(exchanges: FileExchanges, path: string): Promise<Listing> {
  const entries: FileEntry[] = [];
  for (;;) {
    const after = entries.at(-1)?.name;
    const answer = await sendWithRetry(exchanges, {
      do: 'list',
      path,
      ...(after !== undefined && { after }),
    });
    if (entries.length > maxListed)
      throw new FileError('invalid_listing', 'The device lists too many entries.');
    if (answer.is !== 'list') throw new FileError('invalid_listing', 'The device gave an unexpected answer.');
    entries.push(...answer.entries);
    if (!answer.more || answer.entries.length === 0)
      return { entries, total: Math.max(answer.total ?? 0, entries.length) };
  }
}
