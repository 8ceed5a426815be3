/** People and groups of an LDAP directory, and who belongs to each group when groups contain groups. */
import { fold } from '../text.ts';

export interface DirectoryPerson {
  /** entryUUID or objectGUID: stays the same when the entry is renamed or moved. */
  uid: string;
  dn: string;
  /** Undefined if the entry has no address that can be used. */
  email: string | undefined;
  disabled: boolean;
}

export interface DirectoryGroup {
  uid: string;
  dn: string;
  name: string;
  /** The DNs of people and of other groups. */
  members: readonly string[];
}

/** Everything that one import read. */
export interface DirectorySnapshot {
  people: readonly DirectoryPerson[];
  groups: readonly DirectoryGroup[];
}

/** The same text for spellings of a DN that differ in case, in spaces around separators, or in how characters are escaped. */
export const normalizeDn = (dn: string): string =>
  fold(dn.replace(/(?:\\[0-9a-f]{2})+/gi, decodeHex))
    .replace(/(?<!\\)\s*([,+=])\s*/g, '$1')
    .trim();

/** The characters of a run such as `\C3\A9`; the run itself if they are none. Those that mean something in a DN stay escaped. */
function decodeHex(run: string): string {
  const text = new TextDecoder().decode(Uint8Array.fromHex(run.replaceAll('\\', '')));
  return text.includes('\ufffd') ? run : text.replace(/[,+"\\<>;=#\s]/g, '\\$&');
}

/** With nested groups, a small directory can describe more memberships than any server can store. */
const maxMemberships = 500_000;

/**
 * The people of each group by uid, including those of groups inside it. Groups that contain each other have the same
 * people. DNs outside the snapshot are ignored. Undefined if there are too many memberships.
 */
export function resolveMembers({ people, groups }: DirectorySnapshot): Map<string, Set<string>> | undefined {
  const personAt = new Map(people.map((person) => [normalizeDn(person.dn), person.uid]));
  const groupAt = new Map(groups.map((group) => [normalizeDn(group.dn), group]));
  const contents = new Map(groups.map((group) => [group, readMembers(group, personAt, groupAt)]));
  const resolved = new Map<string, Set<string>>();
  let total = 0;
  for (const group of groups) {
    const members = collectPeople(group, contents);
    resolved.set(group.uid, members);
    total += members.size;
    if (total > maxMemberships) return undefined;
  }
  return resolved;
}

interface GroupContent {
  people: readonly string[];
  groups: readonly DirectoryGroup[];
}

function readMembers(
  group: DirectoryGroup,
  personAt: ReadonlyMap<string, string>,
  groupAt: ReadonlyMap<string, DirectoryGroup>,
): GroupContent {
  const dns = group.members.map(normalizeDn);
  return {
    people: dns.flatMap((dn) => personAt.get(dn) ?? []),
    groups: dns.flatMap((dn) => groupAt.get(dn) ?? []),
  };
}

function collectPeople(
  start: DirectoryGroup,
  contents: ReadonlyMap<DirectoryGroup, GroupContent>,
): Set<string> {
  const people = new Set<string>();
  const visited = new Set([start]);
  // Iterating a set also visits what is added meanwhile, and each group once: cycles end.
  for (const group of visited) {
    const content = contents.get(group)!;
    for (const uid of content.people) people.add(uid);
    for (const inner of content.groups) visited.add(inner);
  }
  return people;
}
