/** A file that is uploaded in chunks: written to a temporary name beside its target, verified, and renamed atomically. */
import type { FileHash } from '@drawbridge/session/file-hash';
import { createDeviceFileHash } from '@drawbridge/session/node/file-hash';
import type { PartialFile, NewFile } from '../files.ts';
import { NotPossible } from '../platform.ts';
import { partialName, type UploadFolder, type UploadHandle } from './upload-folder.ts';

const hashChunkBytes = 1_024 * 1_024;

type OpenFolder = (path: string) => Promise<UploadFolder>;

/** `root` tells uploads to different places apart that have the same path. */
export async function createPartialFile(
  root: string,
  file: NewFile,
  openFolder: OpenFolder,
): Promise<PartialFile> {
  const cut = file.path.lastIndexOf('/');
  const name = file.path.slice(cut + 1);
  if (name === '' || name === '.' || name === '..') throw new NotPossible('The path does not name a file.');
  const partial = partialName(file);
  const id = `${root}/${partial}`;
  return inTurn(id, async () => {
    await running.get(id)?.();
    await endings.get(id);
    return openPartialFile(file, { id, partial, target: name }, () => openFolder(file.path.slice(0, cut)));
  });
}

interface UploadNames {
  /** The same for all uploads that use the same partial file. */
  id: string;
  partial: string;
  target: string;
}

async function openPartialFile(
  file: NewFile,
  names: UploadNames,
  openFolder: () => Promise<UploadFolder>,
): Promise<PartialFile> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await openFolder());
  // Checked first, so that nobody uploads a large file in vain.
  if (!file.replace && (await folder.isTaken(names.target)))
    throw new NotPossible('A file or folder with that name already exists.');
  const handle = opened.use(await folder.openPartial(names.partial));
  const left = (await handle.stat()).size;
  const from = left > file.size ? 0 : left;
  if (from === 0) await handle.truncate(0);
  const hash = createDeviceFileHash(file.hash);
  await addToHash(hash, handle, from);
  const open = opened.move();
  return wrapPartialFile({ folder, handle, hash, from, names, file, close: () => open.disposeAsync() });
}

interface PartialFileState {
  folder: UploadFolder;
  handle: UploadHandle;
  hash: FileHash;
  from: number;
  names: UploadNames;
  file: NewFile;
  close(): Promise<void>;
}

/** Writes the chunks in order, and puts the file in place if all of it arrived. */
function createWriter({ folder, handle, hash, from, names, file }: PartialFileState) {
  let at = from;
  return {
    async append(offset: number, data: Uint8Array): Promise<void> {
      if (offset !== at || offset + data.length > file.size)
        throw new NotPossible('Part of the file arrived out of order.');
      const { bytesWritten } = await handle.writev([data], offset);
      // The system writes what fits, and reports the error only at the next write.
      if (bytesWritten < data.length) throw new NotPossible('The disk is full.');
      await hash.update(data);
      at += data.length;
    },
    async complete(sha256: string): Promise<void> {
      if (at !== file.size || (await hash.digest()) !== sha256)
        throw new NotPossible(
          'The file that arrived differs from the one that was sent. It was discarded; send it again.',
        );
      await folder.putInPlace(handle, names.partial, names.target, file);
    },
  };
}

function wrapPartialFile(state: PartialFileState): PartialFile {
  const { folder, from, names, close } = state;
  const { append, complete } = createWriter(state);
  let last = Promise.resolve();
  let isReplaced = false;
  const discard = () =>
    folder
      .removeFile(names.partial)
      .catch(() => {})
      .then(close);
  const end = (work: () => Promise<void>): Promise<void> => {
    if (running.get(names.id) === replace) running.delete(names.id);
    return isReplaced ? last : trackEnding(names.id, (last = work()));
  };
  const replace = (): Promise<void> => {
    const closing = end(() => last.catch(() => {}).then(close));
    isReplaced = true;
    last = Promise.reject(new NotPossible('A newer upload of the same file has replaced this one.'));
    last.catch(() => {});
    return closing;
  };
  running.set(names.id, replace);
  return {
    from,
    write: (offset, data) => (last = last.then(() => append(offset, data))),
    finish: (sha256) =>
      end(() =>
        last
          .then(() => complete(sha256))
          .then(close, async (error: unknown) => {
            await discard();
            throw error;
          }),
      ),
    discard: () => end(() => last.catch(() => {}).then(discard)).catch(ignoreReplaced),
    close: () => end(() => last.catch(() => {}).then(close)).catch(ignoreReplaced),
  };
}

/** Ends the upload that has a partial file open. It may be one whose connection was lost, or that of somebody else. */
const running = new Map<string, () => Promise<void>>();

/** The newer upload has the file; there is nothing left to end. */
function ignoreReplaced(error: unknown): void {
  if (!(error instanceof NotPossible)) throw error;
}

const turns = new Map<string, Promise<unknown>>();

/** Of several uploads of the same file, only one opens it at a time. */
function inTurn<T>(id: string, open: () => Promise<T>): Promise<T> {
  const opened = (turns.get(id) ?? Promise.resolve()).then(open, open);
  const turn = opened.catch(() => {}).finally(() => turns.get(id) === turn && turns.delete(id));
  turns.set(id, turn);
  return opened;
}

/** Partial files that are being put in place, closed or removed; only then they are opened again. */
const endings = new Map<string, Promise<unknown>>();

function trackEnding(id: string, ending: Promise<void>): Promise<void> {
  const ended = Promise.allSettled([endings.get(id), ending]).finally(() => {
    if (endings.get(id) === ended) endings.delete(id);
  });
  endings.set(id, ended);
  return ending;
}

async function addToHash(hash: FileHash, handle: UploadHandle, length: number): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.min(length, hashChunkBytes) || 1);
  for (let at = 0; at < length;) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, length - at), at);
    if (bytesRead === 0) break;
    await hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}
