/** Files that the process of the signed-in person opens. What that process sends is checked, because the person controls it. */
import type { FileEntry } from '@drawbridge/contract/session/messages';
import type { FilePage, Files, NewFile, PartialFile, ReadableFile } from '../files.ts';
import type { AcquirePerson } from './person-connection.ts';
import { bytesIn, flagIn, integerIn, listIn, recordIn, refuseValue, textIn } from './plain-values.ts';
import { mainObject } from './remote-objects.ts';

/** Removing a large folder, or reading what an interrupted upload has left, takes long on a slow disk. */
const timeoutMs = 10 * 60_000;
const [maxEntries, maxNameLength] = [1_000, 1_024];

/** Each call starts the process again if it has ended, so these files stay usable. */
export function createPersonFiles(home: string, acquire: AcquirePerson): Files {
  const call = async (method: string, ...args: unknown[]): Promise<unknown> => {
    const { value, release } = await acquire();
    return value.objects.call(mainObject, method, args, { timeoutMs }).finally(release);
  };
  return {
    home,
    list: async (path, after) => pageIn(await call('list', path, ...(after === undefined ? [] : [after]))),
    open: (path) => openRemoteFile(acquire, path),
    create: (file) => createRemotePartialFile(acquire, file),
    folder: async (path) => void (await call('folder', path)),
    rename: async (path, to) => void (await call('rename', path, to)),
    remove: async (path) => void (await call('remove', path)),
  };
}

const countIn = (value: unknown, max = Number.MAX_SAFE_INTEGER): number => integerIn(value, 0, max);
const timeIn = (value: unknown): number =>
  integerIn(value, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

function pageIn(value: unknown): FilePage {
  const { entries, more, total } = recordIn(value);
  return { entries: listIn(entries, maxEntries, entryIn), more: flagIn(more), total: countIn(total) };
}

const kinds: readonly unknown[] = ['folder', 'file', 'link', 'other'] satisfies FileEntry['kind'][];

function entryIn(value: unknown): FileEntry {
  const { name, kind, size, time, writable } = recordIn(value);
  if (!kinds.includes(kind) || name === '' || name === '.' || name === '..') refuseValue();
  const text = textIn(name, maxNameLength);
  if (/[\0/]/.test(text)) refuseValue();
  const entry = { name: text, size: countIn(size), time: timeIn(time), writable: flagIn(writable) };
  return { ...entry, kind: kind as FileEntry['kind'] };
}

interface RemoteHandle {
  /** What the process has said about the object. */
  about: Record<string, unknown>;
  call(method: string, args?: readonly unknown[], bytes?: Uint8Array): Promise<unknown>;
  /** Calls a method after which the object is gone. Nothing is left to end if the process has ended. */
  end(method: string, args?: readonly unknown[]): Promise<void>;
}

/** Opens an object in the process, which runs at least until the object has ended. */
async function openHandle(acquire: AcquirePerson, method: string, argument: unknown): Promise<RemoteHandle> {
  const { value: connection, release } = await acquire();
  try {
    const { objects } = connection;
    const object = objects.nextObject();
    const about = await objects.call(mainObject, method, [object, argument], { timeoutMs });
    const call: RemoteHandle['call'] = (name, args, bytes) =>
      objects.call(object, name, args, { timeoutMs, ...(bytes && { bytes }) });
    return {
      about: recordIn(about),
      call,
      end: async (name, args) => void (await call(name, args).finally(release)),
    };
  } catch (error) {
    release();
    throw error;
  }
}

async function openRemoteFile(acquire: AcquirePerson, path: string): Promise<ReadableFile> {
  const { about, call, end } = await openHandle(acquire, 'open', path);
  const close = (): Promise<void> => end('close').catch(() => {});
  try {
    return {
      size: countIn(about['size']),
      time: timeIn(about['time']),
      read: async (at, length) => bytesIn(await call('read', [at, length]), length),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function createRemotePartialFile(acquire: AcquirePerson, file: NewFile): Promise<PartialFile> {
  const { about, call, end } = await openHandle(acquire, 'create', file);
  const close = (): Promise<void> => end('close').catch(() => {});
  try {
    return {
      from: countIn(about['from'], file.size),
      write: async (at, data) => void (await call('write', [at], data)),
      finish: (sha256) => end('finish', [sha256]),
      close,
      discard: () => end('discard').catch(() => {}),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
