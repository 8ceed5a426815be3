/** Reads and changes the registry. What does not exist or cannot be read is undefined or empty. */
import { readWideText } from './wide-text.ts';
import type { WindowsApi } from './windows-api.ts';

/** The predefined keys, as 64-bit handles. */
const roots = { machine: 0x8000_0002, users: 0x8000_0003, user: 0x8000_0001 } as const;
type RegistryRoot = keyof typeof roots;

const success = 0;
const readable = 0x20019;
const maxNameLength = 256;
const kinds = { text: 1, expandable: 2, binary: 3, number: 4, long: 11 } as const;
const anyKind = 0xffff;
const notExpanded = 0x1000_0000;
const maxValueBytes = 64 * 1_024;

export interface RegistryKey {
  root: RegistryRoot;
  path: string;
}

export interface Registry {
  text(key: RegistryKey, name: string): string;
  number(key: RegistryKey, name: string): number | undefined;
  /** The names of the keys below. */
  children(key: RegistryKey): string[];
  /** Writes a number, or removes the value. False if Windows refuses it. */
  setNumber(key: RegistryKey, name: string, value: number | undefined): boolean;
}

export const below = ({ root, path }: RegistryKey, name: string): RegistryKey => ({
  root,
  path: path === '' ? name : `${path}\\${name}`,
});

export function openRegistry(api: WindowsApi): Registry {
  return {
    text(key, name) {
      const value = valueOf(api, key, name);
      return value && (value.kind === kinds.text || value.kind === kinds.expandable)
        ? readWideText(value.bytes)
        : '';
    },
    number(key, name) {
      const value = valueOf(api, key, name);
      if (!value || value.kind === kinds.text || value.kind === kinds.expandable) return undefined;
      if (value.bytes.length === 8) return Number(value.bytes.readBigUInt64LE());
      return value.bytes.length === 4 ? value.bytes.readUInt32LE() : undefined;
    },
    children: (key) => childrenOf(api, key),
    setNumber({ root, path }, name, value) {
      if (value === undefined) return api.RegDeleteKeyValueW(roots[root], path, name) === success;
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32LE(value);
      return api.RegSetKeyValueW(roots[root], path, name, kinds.number, bytes, bytes.length) === success;
    },
  };
}

function valueOf(
  api: WindowsApi,
  { root, path }: RegistryKey,
  name: string,
): { kind: number; bytes: Buffer } | undefined {
  const [kind, bytes, length] = [Buffer.alloc(4), Buffer.alloc(maxValueBytes), Buffer.alloc(4)];
  length.writeUInt32LE(maxValueBytes);
  const result = api.RegGetValueW(roots[root], path, name, anyKind | notExpanded, kind, bytes, length);
  if (result !== success) return undefined;
  return { kind: kind.readUInt32LE(), bytes: bytes.subarray(0, length.readUInt32LE()) };
}

function childrenOf(api: WindowsApi, { root, path }: RegistryKey): string[] {
  const opened = Buffer.alloc(8);
  if (api.RegOpenKeyExW(roots[root], path, 0, readable, opened) !== success) return [];
  const handle = opened.readBigUInt64LE();
  const [name, length] = [Buffer.alloc(2 * maxNameLength), Buffer.alloc(4)];
  const names: string[] = [];
  for (;;) {
    length.writeUInt32LE(maxNameLength);
    const result = api.RegEnumKeyExW(handle, names.length, name, length, null, null, null, null);
    if (result !== success) break;
    names.push(readWideText(name));
  }
  api.RegCloseKey(handle);
  return names;
}
