/** What an import did or would do, in a form that people read. */
import type { ReadFailure } from './directory-connection.ts';
import type { ImportPlan, PlanRefusal, StoredDirectory } from './directory-plan.ts';
import type { DirectorySnapshot } from './directory.ts';

type ChangeKind =
  | 'create_person'
  | 'adopt_person'
  | 'change_email'
  | 'disable_person'
  | 'enable_person'
  | 'create_department'
  | 'rename_department'
  | 'join'
  | 'leave'
  | 'skip';

export interface ImportChange {
  kind: ChangeKind;
  /** Empty for changes of departments. */
  person: string;
  /** Empty for changes of people. */
  department: string;
  /** The new address or name, or why somebody is disabled or skipped. */
  detail: string;
}

/** Why an import changed nothing; empty if it went through. */
export type ImportProblem = '' | ReadFailure | PlanRefusal | 'too_many_removals';

/** A directory of an account, and the person with whose rights it is imported. */
export interface ImportTarget {
  accountId: number;
  id: number;
  by: number;
}

export interface ImportReport {
  problem: ImportProblem;
  removedPercent: number;
  changes: readonly ImportChange[];
}

export const emptyReport = (problem: ImportProblem): ImportReport => ({
  problem,
  removedPercent: 0,
  changes: [],
});

/** Everything that the plan changes, with the names that people know. */
export function describePlan(
  plan: ImportPlan,
  { people, departments }: StoredDirectory,
  snapshot: DirectorySnapshot,
): readonly ImportChange[] {
  const emailOf = new Map(people.map(({ memberId, email }) => [memberId, email]));
  const personOf = new Map([
    ...snapshot.people.map(({ uid, email, dn }) => [uid, email ?? dn] as const),
    ...people.flatMap(({ uid, email }) => (uid === null ? [] : [[uid, email] as const])),
  ]);
  const nameOf = new Map(departments.map(({ departmentId, name }) => [departmentId, name]));
  const departmentOf = new Map([
    ...departments.map(({ uid, name }) => [uid, name] as const),
    ...snapshot.groups.map(({ uid, name }) => [uid, name] as const),
  ]);
  const member = (kind: ChangeKind, memberId: number, detail = ''): ImportChange =>
    change(kind, { person: emailOf.get(memberId)!, detail });
  const membership = (kind: ChangeKind, each: ImportPlan['join'][number]): ImportChange =>
    change(kind, { person: personOf.get(each.person)!, department: departmentOf.get(each.department)! });
  return [
    ...plan.createPeople.map(({ email }) => change('create_person', { person: email })),
    ...plan.adoptPeople.map(({ memberId }) => member('adopt_person', memberId)),
    ...plan.changeEmails.map(({ memberId, email }) => member('change_email', memberId, email)),
    ...plan.disablePeople.map(({ memberId, because }) => member('disable_person', memberId, because)),
    ...plan.enablePeople.map(({ memberId }) => member('enable_person', memberId)),
    ...plan.createDepartments.map(({ name }) => change('create_department', { department: name })),
    ...plan.renameDepartments.map(({ departmentId, name }) =>
      change('rename_department', { department: nameOf.get(departmentId)!, detail: name }),
    ),
    ...plan.join.map((each) => membership('join', each)),
    ...plan.leave.map((each) => membership('leave', each)),
    ...plan.skipped.map(({ uid, because }) =>
      change('skip', { person: personOf.get(uid)!, detail: because }),
    ),
  ];
}

const change = (kind: ChangeKind, some: Partial<ImportChange>): ImportChange => ({
  kind,
  person: '',
  department: '',
  detail: '',
  ...some,
});
