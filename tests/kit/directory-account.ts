/** An account that is connected to a real LDAP server, for tests of imports. */
import assert from 'node:assert/strict';
import type { TestService } from './server/service.ts';
import { must, type TestAccount } from './server/account.ts';
import {
  directoryBase,
  directoryReader,
  ldapGroup,
  ldapPerson,
  type LdapEntry,
  type Slapd,
} from './slapd.ts';

/** Lets the service connect to the LDAP servers of tests. */
export const loopbackDirectories = { DRAWBRIDGE_DIRECTORY_LOOPBACK: 'true' };

interface ImportReport {
  problem: string;
  removed_percent: number;
  counts: { kind: string; count: number }[];
  changes: { kind: string; person?: string; department?: string; detail?: string }[];
}

export const countsOf = ({ counts }: ImportReport): Record<string, number> =>
  Object.fromEntries(counts.map(({ kind, count }) => [kind, count]));

/** The settings of the reader for reading without the service. */
export const directoryConnection = (url: string, ca: string) => ({
  name: 'd',
  url,
  ca,
  base: directoryBase,
  adopt: false,
  signIn: false,
  everyMinutes: 0,
  removalPercent: 20,
  bindDn: directoryReader.bind_dn,
  bindPassword: directoryReader.bind_password,
  personFilter: '(objectClass=person)',
  groupFilter: '(objectClass=groupOfNames)',
});

/** Connects the directory to a new account, or to this one, whose owner becomes a server administrator if passwords go there. */
export async function connectDirectory(
  service: TestService,
  slapd: Pick<Slapd, 'url' | 'ca'>,
  settings: Record<string, unknown> = {},
  account?: TestAccount,
) {
  const connected = account ?? (await service.account());
  const { owner } = connected;
  if (settings['sign_in'] === true)
    await must(service.server.store, 'operators/add', { member: { accountId: connected.id, id: owner.id } });
  const { body } = await owner.call('team/directory/create', {
    name: 'Company',
    url: slapd.url,
    ca_cert: slapd.ca,
    base: directoryBase,
    ...directoryReader,
    ...settings,
  });
  const id = body['id'] as number;
  assert.ok(id, JSON.stringify(body));
  const ask = async (operation: 'plan' | 'run', params = {}): Promise<ImportReport> =>
    (await owner.call(`team/directory/${operation}`, { id, ...params })).body['data'];
  return {
    account: connected,
    id,
    plan: () => ask('plan'),
    run: (params = {}) => ask('run', params),
    change: (params: object) => owner.call('team/directory/update', { id, ...params }),
  };
}

/** The people of each department, by name. */
export async function departmentMembers(
  { server: { store } }: TestService,
  { id }: TestAccount,
): Promise<Record<string, string[]>> {
  const departments = await store.departments.list(id, { offset: 0, limit: 200 });
  const found = await Promise.all(departments.map((each) => store.departments.find(id, each.id)));
  return Object.fromEntries(
    found.map((each) => [each!.name, each!.members.map(({ email }) => email).toSorted()]),
  );
}

/** Three people, and two groups, one of which contains the other. */
export const ldapCompany: LdapEntry[] = [
  ...['ann', 'bob', 'cid'].map((uid) => ldapPerson({ uid })),
  ldapGroup('support', ['ann', 'field']),
  ldapGroup('field', ['bob']),
];
