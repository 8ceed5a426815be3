/** What an import from a directory changes: compares what was read with what is stored. Entries are matched by uid, never by name. */
import { fold } from '../text.ts';
import { resolveMembers, type DirectoryPerson, type DirectorySnapshot } from './directory.ts';

/** A person of the account. */
export interface StoredPerson {
  memberId: number;
  /** Null for people who did not come from this directory. */
  uid: string | null;
  email: string;
  disabled: boolean;
  /** Whether a directory may take the person over: they came from none, and no identity provider has disabled them. */
  local: boolean;
  /** Whether the person is never disabled by an import. */
  keepsAccess: boolean;
  /** Whether an import never changes the address of the person: the address can open the account. */
  keepsAddress: boolean;
}

interface StoredDepartment {
  departmentId: number;
  uid: string;
  name: string;
  /** The uids of its members. */
  members: readonly string[];
}

export interface StoredDirectory {
  /** Everybody in the account: addresses must not collide with those of local people. */
  people: readonly StoredPerson[];
  /** Only departments that came from this directory. */
  departments: readonly StoredDepartment[];
}

/** A person in a department, both by uid: either may be new. */
interface Membership {
  department: string;
  person: string;
}

/** Nothing is ever deleted: people are disabled and departments lose their members, so that rights return with them. */
export interface ImportPlan {
  createPeople: readonly { uid: string; email: string }[];
  /** Local people with the address of a new entry. They belong to the directory from now on. */
  adoptPeople: readonly { memberId: number; uid: string }[];
  changeEmails: readonly { memberId: number; email: string }[];
  /** People who are gone from the directory or disabled there. They keep their departments. */
  disablePeople: readonly { memberId: number; because: 'left' | 'disabled' }[];
  /** People who have returned. */
  enablePeople: readonly { memberId: number }[];
  createDepartments: readonly { uid: string; name: string }[];
  renameDepartments: readonly { departmentId: number; name: string }[];
  join: readonly Membership[];
  leave: readonly Membership[];
  /** Enabled entries that cannot be imported, because they have no address or share it with another person. */
  skipped: readonly { uid: string; because: 'no_email' | 'email_taken' }[];
  /** The larger share of people or memberships that the import takes away, in percent. */
  removedPercent: number;
}

/** Why nothing may be changed: the search found nobody or no group, one uid twice, or too many memberships. */
export type PlanRefusal = 'no_people' | 'no_groups' | 'duplicate_uid' | 'too_large';

interface ImportOptions {
  /**
   * Whether local people with the address of an entry come under the control of the directory, which can then change
   * their address and disable them. Otherwise such entries are skipped.
   */
  adopt: boolean;
}

export function planImport(
  snapshot: DirectorySnapshot,
  stored: StoredDirectory,
  options: ImportOptions,
): ImportPlan | { refused: PlanRefusal } {
  const refused = findRefusal(snapshot);
  if (refused) return { refused };
  const wanted = resolveMembers(snapshot);
  if (!wanted) return { refused: 'too_large' };
  const { present, ...people } = planPeople(snapshot.people, stored.people, options);
  const { join, leave, before } = planMemberships(wanted, stored, present);
  const enabled = stored.people.filter(({ uid, disabled }) => uid !== null && !disabled);
  return {
    ...people,
    ...planDepartments(snapshot, stored),
    join,
    leave,
    removedPercent: Math.max(
      percent(people.disablePeople.length, enabled.length),
      percent(leave.length, before),
    ),
  };
}

export const exceedsRemovals = (plan: ImportPlan, limitPercent: number): boolean =>
  plan.removedPercent > limitPercent;

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : (part * 100) / whole);

function findRefusal({ people, groups }: DirectorySnapshot): PlanRefusal | undefined {
  if (people.length === 0) return 'no_people';
  if (groups.length === 0) return 'no_groups';
  const isUnique = (entries: readonly { uid: string }[]): boolean =>
    new Set(entries.map(({ uid }) => uid)).size === entries.length;
  return isUnique(people) && isUnique(groups) ? undefined : 'duplicate_uid';
}

type PeoplePlan = Pick<
  ImportPlan,
  'createPeople' | 'adoptPeople' | 'changeEmails' | 'disablePeople' | 'enablePeople' | 'skipped'
>;

/** Also returns the uids of everybody who is enabled after the import. */
function planPeople(
  entries: readonly DirectoryPerson[],
  stored: readonly StoredPerson[],
  options: ImportOptions,
): PeoplePlan & { present: ReadonlySet<string> } {
  const active = new Map(entries.filter(({ disabled }) => !disabled).map((entry) => [entry.uid, entry]));
  const disablePeople = findDisabled(entries, stored);
  const disabled = new Set(disablePeople.map(({ memberId }) => memberId));
  const returned = stored.filter(
    (person) => person.disabled && person.uid !== null && active.has(person.uid),
  );
  const own = new Set(stored.flatMap(({ uid }) => uid ?? []));
  const addresses = new Map(stored.map((person) => [fold(person.email), person]));
  const known = stored.flatMap((person) => {
    const entry = person.uid === null ? undefined : active.get(person.uid);
    return entry ? { entry, person } : [];
  });
  const arrivals = [...active.values()].filter(({ uid }) => !own.has(uid));
  const { changeEmails, skipped: unchanged } = planEmails(known, addresses);
  const { createPeople, adoptPeople, skipped } = planArrivals(arrivals, addresses, options);
  const kept = stored.filter((person) => !person.disabled && !disabled.has(person.memberId));
  return {
    createPeople,
    adoptPeople,
    changeEmails,
    disablePeople,
    enablePeople: returned.map(({ memberId }) => ({ memberId })),
    skipped: [...unchanged, ...skipped],
    present: new Set([
      ...[...kept, ...returned].flatMap(({ uid }) => uid ?? []),
      ...[...createPeople, ...adoptPeople].map(({ uid }) => uid),
    ]),
  };
}

function findDisabled(
  entries: readonly DirectoryPerson[],
  stored: readonly StoredPerson[],
): ImportPlan['disablePeople'] {
  const byUid = new Map(entries.map((entry) => [entry.uid, entry]));
  return stored.flatMap(({ memberId, uid, disabled, keepsAccess }) => {
    if (uid === null || disabled || keepsAccess) return [];
    const entry = byUid.get(uid);
    if (!entry) return { memberId, because: 'left' as const };
    return entry.disabled ? { memberId, because: 'disabled' as const } : [];
  });
}

type Addresses = Map<string, StoredPerson>;

/** A known person keeps their address if the directory has none for them now, or one that somebody else uses. */
function planEmails(
  known: readonly { entry: DirectoryPerson; person: StoredPerson }[],
  addresses: Addresses,
): Pick<ImportPlan, 'changeEmails' | 'skipped'> {
  const changeEmails: { memberId: number; email: string }[] = [];
  const skipped: { uid: string; because: 'email_taken' }[] = [];
  for (const { entry, person } of known) {
    const { email } = entry;
    if (email === undefined || email === person.email || person.keepsAddress) continue;
    const holder = addresses.get(fold(email));
    if (holder && holder !== person) skipped.push({ uid: entry.uid, because: 'email_taken' });
    else {
      addresses.delete(fold(person.email));
      addresses.set(fold(email), person);
      changeEmails.push({ memberId: person.memberId, email });
    }
  }
  return { changeEmails, skipped };
}

/** People who keep their address are not adopted: a directory must not gain control of those who control the account. */
function planArrivals(
  arrivals: readonly DirectoryPerson[],
  addresses: Addresses,
  { adopt }: ImportOptions,
): Pick<ImportPlan, 'createPeople' | 'adoptPeople' | 'skipped'> {
  const createPeople: { uid: string; email: string }[] = [];
  const adoptPeople: { memberId: number; uid: string }[] = [];
  const skipped: { uid: string; because: 'no_email' | 'email_taken' }[] = [];
  const taken = new Set<string>();
  for (const { uid, email } of arrivals) {
    const key = email === undefined ? undefined : fold(email);
    const holder = key === undefined ? undefined : addresses.get(key);
    if (email === undefined || key === undefined) skipped.push({ uid, because: 'no_email' });
    else if (taken.has(key) || (holder && !(adopt && holder.local && !holder.keepsAddress)))
      skipped.push({ uid, because: 'email_taken' });
    else {
      taken.add(key);
      if (holder) adoptPeople.push({ memberId: holder.memberId, uid });
      else createPeople.push({ uid, email });
    }
  }
  return { createPeople, adoptPeople, skipped };
}

function planDepartments(
  { groups }: DirectorySnapshot,
  { departments }: StoredDirectory,
): Pick<ImportPlan, 'createDepartments' | 'renameDepartments'> {
  const nameOf = new Map(groups.map((group) => [group.uid, group.name]));
  const stored = new Set(departments.map(({ uid }) => uid));
  return {
    createDepartments: groups
      .filter(({ uid }) => !stored.has(uid))
      .map((group) => ({ uid: group.uid, name: group.name })),
    renameDepartments: departments.flatMap((department) => {
      const name = nameOf.get(department.uid);
      return name === undefined || name === department.name
        ? []
        : { departmentId: department.departmentId, name };
    }),
  };
}

function planMemberships(
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
  { departments }: StoredDirectory,
  present: ReadonlySet<string>,
): { join: Membership[]; leave: Membership[]; before: number } {
  const current = new Map(departments.map(({ uid, members }) => [uid, new Set(members)]));
  const join = [...wanted].flatMap(([department, people]) =>
    [...people]
      .filter((person) => present.has(person) && !current.get(department)?.has(person))
      .map((person) => ({ department, person })),
  );
  const leave = [...current].flatMap(([department, people]) =>
    [...people]
      .filter((person) => present.has(person) && !wanted.get(department)?.has(person))
      .map((person) => ({ department, person })),
  );
  const before = [...current.values()].flatMap((people) => [...people.intersection(present)]).length;
  return { join, leave, before };
}
