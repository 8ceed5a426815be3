/** File system calls relative to the handle of an open folder, so that replacing a parent folder does not redirect them. */
import { NotPossible } from '../../platform.ts';
import type { Handle, WindowsApi } from '../api/windows-api.ts';
import { requireSuccess } from './statuses.ts';

export const fileRights = {
  read: 0x8000_0000,
  write: 0x4000_0000,
  delete: 0x1_0000,
  list: 0x1,
  attributes: 0x80,
  synchronize: 0x10_0000,
} as const;
/** What happens if the file exists, or does not. */
export const dispositions = { open: 1, create: 2, openOrCreate: 3 } as const;
export const options = { folder: 0x1, file: 0x40 } as const;
/** Calls return when they are done, and links are opened themselves instead of their targets. */
const always = 0x20 | 0x20_0000;
const share = { read: 1, write: 2, delete: 4 } as const;
const shareAll = share.read | share.write | share.delete;
const caseInsensitive = 0x40;
const normalAttributes = 0x80;
const isFolderAttribute = 0x10;

interface OpenRequest {
  rights: number;
  disposition?: number;
  options?: number;
  share?: number;
}

/** Opens an entry of a folder, also one that is a link. */
export async function openAt(
  api: WindowsApi,
  folder: Handle,
  name: string,
  request: OpenRequest,
): Promise<bigint> {
  const text = Buffer.from(name, 'utf16le');
  const unicode = Buffer.alloc(16);
  unicode.writeUInt16LE(text.length, 0);
  unicode.writeUInt16LE(text.length, 2);
  unicode.writeBigUInt64LE(api.koffi.address(text), 8);
  const attributes = Buffer.alloc(48);
  attributes.writeUInt32LE(48, 0);
  attributes.writeBigUInt64LE(BigInt(folder), 8);
  attributes.writeBigUInt64LE(api.koffi.address(unicode), 16);
  attributes.writeUInt32LE(caseInsensitive, 24);
  const opened = Buffer.alloc(8);
  requireSuccess(await createFile(api, opened, attributes, request));
  // The kernel read both through their addresses, so they must exist until here.
  if (unicode.length === 0 || text.length === 0) throw new NotPossible('The path does not name a file.');
  return opened.readBigUInt64LE();
}

/** Returns the status of the kernel. */
function createFile(
  api: WindowsApi,
  opened: Buffer,
  attributes: Buffer,
  {
    rights: wanted,
    disposition = dispositions.open,
    options: more = 0,
    share: shared = shareAll,
  }: OpenRequest,
): Promise<number> {
  return api.NtCreateFile.async(
    opened,
    (wanted | fileRights.synchronize | fileRights.attributes) >>> 0,
    attributes,
    Buffer.alloc(16),
    null,
    normalAttributes,
    shared,
    disposition,
    always | more,
    null,
    0,
  );
}

const attributeTagInfo = 9;
const isLinkTag = 0x2000_0000;
const isReparsePoint = 0x400;

export interface HandleKind {
  isFolder: boolean;
  /** A symbolic link, a junction or a mounted volume. */
  isLink: boolean;
}

export function kindOf(api: WindowsApi, handle: Handle): HandleKind {
  const bytes = Buffer.alloc(8);
  if (!api.GetFileInformationByHandleEx(handle, attributeTagInfo, bytes, bytes.length))
    throw new NotPossible('Windows does not say what kind of file it is.');
  return readKind(bytes.readUInt32LE(0), bytes.readUInt32LE(4));
}

export const readKind = (attributes: number, tag: number): HandleKind => ({
  isFolder: (attributes & isFolderAttribute) !== 0,
  isLink: (attributes & isReparsePoint) !== 0 && (tag & isLinkTag) !== 0,
});

/** The offset of the number of hard links in BY_HANDLE_FILE_INFORMATION. */
const information = { bytes: 52, links: 40 } as const;

export function hardLinksOf(api: WindowsApi, handle: Handle): number {
  const bytes = Buffer.alloc(information.bytes);
  return api.GetFileInformationByHandle(handle, bytes) ? bytes.readUInt32LE(information.links) : 0;
}

const classes = { rename: 10, disposition: 13 } as const;

/** Moves what the handle refers to into a folder; it must have been opened with the right to delete it. */
export function renameTo(
  api: WindowsApi,
  handle: Handle,
  target: { folder: Handle; name: string; replace: boolean },
): void {
  const text = Buffer.from(target.name, 'utf16le');
  const request = Buffer.alloc(20 + text.length + 4);
  request.writeUInt8(target.replace ? 1 : 0, 0);
  request.writeBigUInt64LE(BigInt(target.folder), 8);
  request.writeUInt32LE(text.length, 16);
  text.copy(request, 20);
  setInformation(api, handle, request, classes.rename);
}

/** Removed when the last handle is closed. */
export const markDeleted = (api: WindowsApi, handle: Handle): void =>
  setInformation(api, handle, Buffer.of(1), classes.disposition);

function setInformation(api: WindowsApi, handle: Handle, request: Buffer, kind: number): void {
  requireSuccess(api.NtSetInformationFile(handle, Buffer.alloc(16), request, request.length, kind));
}
