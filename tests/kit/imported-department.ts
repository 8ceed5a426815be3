/** Departments that were imported from a directory of the account, without a directory server. */
import { randomBytes } from 'node:crypto';
import type { DirectorySnapshot } from '@drawbridge/server/domain/people/directory';
import { createKeyedQueue } from '@drawbridge/server/edges/keyed-queue';
import type { Store } from '@drawbridge/server/store/store';
import { isFault, type Fault } from '@drawbridge/contract/faults';

export interface ImportedDepartment {
  id: number;
  /** Imports again, from a directory that shows nobody in the group. */
  empty(): Promise<void>;
}

const settings = {
  name: 'Imported',
  url: 'ldaps://directory.example.com',
  ca: '',
  bindDn: 'cn=reader,dc=example',
  base: 'dc=example',
  personFilter: '(objectClass=person)',
  groupFilter: '(objectClass=group)',
  adopt: true,
  signIn: false,
  everyMinutes: 0,
  removalPercent: 100,
};

interface Shown {
  people: DirectorySnapshot['people'][number][];
  groups: DirectorySnapshot['groups'][number][];
}

/** Imports departments of one person each, all from one directory, which then also shows those from before. */
export function createDepartmentImporter(store: Store, owner: { accountId: number; by: number }) {
  const shown: Shown = { people: [], groups: [] };
  const inOrder = createKeyedQueue();
  let directory: Promise<{ id: number } | Fault> | undefined;

  async function run(): Promise<void> {
    directory ??= store.change('directories/create', { ...owner, bindPassword: 'a secret', settings });
    const made = await directory;
    if (isFault(made)) throw new Error('the directory was refused');
    const reading = { snapshot: { people: [...shown.people], groups: [...shown.groups] } };
    const input = { ...owner, id: made.id, reading, confirmedPercent: 0 };
    const report = await store.change('directories/apply', input);
    if (isFault(report) || report.problem !== '') throw new Error('the import changed nothing');
  }

  const show = (uid: string, members: string[]): Promise<void> =>
    inOrder.run('', () => {
      const group = { uid, dn: `cn=${uid}`, name: `imported ${uid}`, members };
      shown.groups = [...shown.groups.filter((each) => each.uid !== uid), group];
      return run();
    });

  return async ({ email }: { email: string }): Promise<ImportedDepartment> => {
    const uid = randomBytes(6).toString('hex');
    const person = { uid: `person ${uid}`, dn: `cn=person ${uid}`, email, disabled: false };
    shown.people.push(person);
    await show(uid, [person.dn]);
    const search = { search: `imported ${uid}`, offset: 0, limit: 1 };
    const [found] = await store.departments.list(owner.accountId, search);
    if (!found?.ldap) throw new Error('the department was not imported');
    return { id: found.id, empty: () => show(uid, []) };
  };
}
