/** Entries as an LDAP server sends them, also when it sends the members of a group in several parts. */
import type { DirectoryEntry } from '../../domain/people/directory-entries.ts';

type Value = Buffer | string;

/** An entry as the client returns it. */
export interface RawEntry {
  dn: string;
  [attribute: string]: Value | Value[];
}

const toText = (value: Value): string => (Buffer.isBuffer(value) ? value.toString('hex') : value);

const valuesOf = (values: Value | Value[] | undefined): string[] => [values ?? []].flat().map(toText);

export function toDirectoryEntry(raw: RawEntry, members: readonly string[] = []): DirectoryEntry {
  const byName = new Map(
    Object.entries(raw).map(([name, values]) => [name.toLowerCase(), valuesOf(values)] as const),
  );
  const own = byName.get('member') ?? [];
  if (members.length > 0) byName.set('member', [...own, ...members]);
  return { dn: raw.dn, values: (attribute) => byName.get(attribute.toLowerCase()) ?? [] };
}

/** `member;range=0-1499`, as Active Directory names a part of many members; the last part ends with `*`. */
const partName = /^member;range=\d+-(?<last>\d+|\*)$/i;

function partOf(raw: RawEntry): { members: string[]; last: string } | undefined {
  const name = Object.keys(raw).find((each) => partName.test(each));
  return name === undefined
    ? undefined
    : { members: valuesOf(raw[name]), last: partName.exec(name)!.groups!['last']! };
}

/**
 * All members that an entry holds in parts; none if it holds them whole, undefined if a part is missing. `readPart`
 * reads one attribute of the entry.
 */
export async function readParts(
  raw: RawEntry,
  readPart: (attribute: string) => Promise<RawEntry | undefined>,
): Promise<string[] | undefined> {
  let part = partOf(raw);
  const members = part?.members ?? [];
  while (part && part.last !== '*') {
    const next = await readPart(`member;range=${Number(part.last) + 1}-*`);
    part = next && partOf(next);
    if (!part || part.members.length === 0) return undefined;
    members.push(...part.members);
  }
  return members;
}
