/** Reads the entries of an open folder. */
import type { FileEntry } from '@drawbridge/contract/session/messages';
import type { Handle, WindowsApi } from '../api/windows-api.ts';
import { readKind } from './native-files.ts';

/** The classes of GetFileInformationByHandleEx that start, and continue, a list of FILE_FULL_DIR_INFO. */
const classes = { restart: 15, next: 14 } as const;
/** Offsets in FILE_FULL_DIR_INFO. For links the size of the extended attributes is the kind of link. */
const record = { next: 0, time: 24, size: 40, attributes: 56, nameLength: 60, tag: 64, name: 68 } as const;
const bufferBytes = 64 * 1_024;
const isReadOnly = 0x1;

/** Calls `take` with each entry until it returns false. */
export async function readFolder(
  api: WindowsApi,
  folder: Handle,
  take: (entry: FileEntry) => boolean,
): Promise<void> {
  const bytes = Buffer.alloc(bufferBytes);
  const read = (kind: number): Promise<number> =>
    api.GetFileInformationByHandleEx.async(folder, kind, bytes, bytes.length);
  for (let found = await read(classes.restart); found; found = await read(classes.next))
    for (let at = 0; ;) {
      const entry = readEntry(bytes.subarray(at));
      if (entry.name !== '.' && entry.name !== '..' && !take(entry)) return;
      const next = bytes.readUInt32LE(at + record.next);
      if (next === 0) break;
      at += next;
    }
}

/** Between 1601, where the clock of Windows starts, and 1970. */
const secondsBefore1970 = 11_644_473_600;

export function readEntry(bytes: Buffer): FileEntry {
  const attributes = bytes.readUInt32LE(record.attributes);
  const { isFolder, isLink } = readKind(attributes, bytes.readUInt32LE(record.tag));
  const length = bytes.readUInt32LE(record.nameLength);
  const ticks = bytes.readBigInt64LE(record.time);
  return {
    name: bytes.toString('utf16le', record.name, record.name + length),
    kind: isLink ? 'link' : isFolder ? 'folder' : 'file',
    size: isFolder ? 0 : Number(bytes.readBigInt64LE(record.size)),
    time: Math.max(0, Number(ticks / 10_000_000n) - secondsBefore1970),
    // On folders the attribute means something else.
    writable: !isLink && (isFolder || (attributes & isReadOnly) === 0),
  };
}
