/** Imports from a real LDAP server: people and departments follow it, and what fails changes nothing. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { readDirectory } from '@drawbridge/server/edges/directory/read-directory';
import { importDueDirectories } from '@drawbridge/server/jobs/import-directories';
import { newKey } from '@drawbridge/server/compose/create-account';
import { random } from '@drawbridge/server/edges/random';
import { callOperation } from '../../conformance/call-operation.ts';
import { must, type TestAccount } from '../../kit/server/account.ts';
import { freePort } from '../../kit/free-port.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import {
  directoryBase,
  directoryReader,
  ldapGroup,
  ldapPerson,
  startSlapd,
  type LdapEntry,
  type Slapd,
} from '../../kit/slapd.ts';
import { startStopwatch } from '../../kit/stopwatch.ts';

interface Report {
  problem: string;
  removed_percent: number;
  counts: { kind: string; count: number }[];
  changes: { kind: string; person?: string; department?: string; detail?: string }[];
}

const countsOf = ({ counts }: Report): Record<string, number> =>
  Object.fromEntries(counts.map(({ kind, count }) => [kind, count]));

/** The settings of the reader for reading without the service. */
const connectionTo = (url: string, ca: string) => ({
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

describe('directories', { skip: skipWithout('slapd') }, () => {
  let service: TestService;
  let slapd: Slapd;
  before(async () => void ([service, slapd] = await Promise.all([startService(), startSlapd()])));
  after(async () => {
    await slapd[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  /** An account that is connected to the directory. */
  async function connected(settings: Record<string, unknown> = {}) {
    const account = await service.account();
    const { owner } = account;
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
    const ask = async (operation: 'plan' | 'run', params = {}): Promise<Report> =>
      (await owner.call(`team/directory/${operation}`, { id, ...params })).body['data'];
    return {
      account,
      id,
      plan: () => ask('plan'),
      run: (params = {}) => ask('run', params),
      change: (params: object) => owner.call('team/directory/update', { id, ...params }),
    };
  }

  const membersOf = async ({ id }: TestAccount): Promise<Record<string, string[]>> => {
    const { store } = service.server;
    const departments = await store.departments.list(id, { offset: 0, limit: 200 });
    const found = await Promise.all(departments.map((each) => store.departments.find(id, each.id)));
    return Object.fromEntries(
      found.map((each) => [each!.name, each!.members.map(({ email }) => email).toSorted()]),
    );
  };

  const stateOf = async ({ owner }: TestAccount): Promise<unknown> => [
    (await owner.call('team/member/list')).body,
    (await owner.call('team/department/list')).body,
  ];

  const company: LdapEntry[] = [
    ...['ann', 'bob', 'cid'].map((uid) => ldapPerson({ uid })),
    ldapGroup('support', ['ann', 'field']),
    ldapGroup('field', ['bob']),
  ];

  test('people and departments follow the directory, in both ways of encryption', async () => {
    await slapd.load(company);
    const { account, plan, run, change } = await connected();

    const planned = await plan();
    const untouched = await membersOf(account);
    const first = await run();
    const second = await run();
    const startTls = await change({ url: slapd.plainUrl, ...directoryReader });
    const third = await run();

    assert.deepEqual(untouched, {});
    assert.deepEqual(first, planned);
    assert.deepEqual(countsOf(first), { create_person: 3, create_department: 2, join: 3 });
    assert.equal(startTls.http, 200);
    const nothing = { problem: '', removed_percent: 0, counts: [], changes: [] };
    assert.deepEqual([second, third], [nothing, nothing]);
    assert.deepEqual(await membersOf(account), {
      support: ['ann@example.com', 'bob@example.com'],
      field: ['bob@example.com'],
    });
    const { body } = await account.owner.call('team/department/list');
    assert.deepEqual(
      body['data'].map((each: { ldap: boolean }) => each.ldap),
      [true, true],
    );
    const [{ id }] = body['data'];
    const refused = await account.owner.call('team/department/member/add', { id, email: 'cid@example.com' });
    assert.equal(refused.body.error?.code, 'from_directory');
  });

  test('a rename keeps rights; a locked or removed person is out, and returns with the same rights', async () => {
    await slapd.load(company);
    const { account, run } = await connected({ removal_percent: 100 });
    const { store } = service.server;
    await run();
    const ann = (await store.members.find(account.id, 'ann@example.com'))!;
    const { apiKey, key } = newKey(random, 'test');
    await must(store, 'keys/create', { accountId: account.id, memberId: ann.id, key });
    const [{ id: departmentId }] = (await account.owner.call('team/department/list')).body['data'];
    const role = { name: 'keys', type: 'team', permissions: ['team_api_key'], description: '' } as const;
    const { id: roleId } = await must(store, 'roles/create', { accountId: account.id, ...role });
    const holder = { departmentId };
    await must(store, 'access/add', { accountId: account.id, by: account.owner.id, holder, roleId });
    const answer = async () => (await callOperation(service.testClient, 'keys/list', {}, { apiKey })).http;
    const others = company.slice(1);
    const renamed = [
      ldapPerson({ uid: 'ann', cn: 'ann-new', mail: 'ann.new@example.com' }),
      ...company.slice(1, 3),
      ldapGroup('support', ['ann-new', 'field'], 'helpdesk'),
      company[4]!,
    ];

    const answers = [await answer()];
    await slapd.load(renamed);
    const rename = await run();
    answers.push(await answer());
    await slapd.load([ldapPerson({ uid: 'ann', locked: true }), ...others]);
    await run();
    answers.push(await answer());
    await slapd.load(others);
    await run();
    answers.push(await answer());
    await slapd.load(company);
    await run();
    answers.push(await answer());

    assert.deepEqual(countsOf(rename), { change_email: 1, rename_department: 1 });
    assert.deepEqual(answers, [200, 200, 403, 403, 200]);
    assert.equal((await store.members.find(account.id, 'ann@example.com'))?.id, ann.id);
  });

  test('names cannot change what is searched', async () => {
    const hostile = ['*)(uid=*', 'a, dc=b', 'x+cn=y\\', 'é\u202e*'];
    await slapd.load([
      ...hostile.map((cn, at) => ldapPerson({ uid: `p${at}`, cn })),
      ldapGroup('one', [hostile[0]!], '(|(cn=*))'),
      ldapGroup('two', [hostile[1]!, hostile[2]!, hostile[3]!]),
    ]);
    const { account, run, change } = await connected();

    await run();
    const filter = await change({ person_filter: '(cn=*' });
    const broken = await run();

    assert.deepEqual(await membersOf(account), {
      '(|(cn=*))': ['p0@example.com'],
      two: ['p1@example.com', 'p2@example.com', 'p3@example.com'],
    });
    assert.deepEqual([filter.http, broken.problem], [200, 'settings']);
  });

  test('what fails changes nothing and says why', async () => {
    await slapd.load(company);
    const { account, run, change } = await connected();
    await run();
    const state = await stateOf(account);
    const nowhere = `ldaps://127.0.0.1:${await freePort()}`;
    const right = { url: slapd.url, ca_cert: slapd.ca, base: directoryBase, ...directoryReader };
    const other = await startSlapd();
    const failures: [object, string][] = [
      [{ url: nowhere }, 'unreachable'],
      [{ ca_cert: other.ca }, 'certificate'],
      [{ ca_cert: '' }, 'certificate'],
      [{ url: slapd.url.replace('127.0.0.1', '[::ffff:127.0.0.1]') }, 'certificate'],
      [{ ca_cert: 'no certificate' }, 'certificate'],
      [{ bind_password: 'wrong' }, 'credentials'],
      [{ base: 'dc=nothing' }, 'settings'],
      [{ person_filter: '(cn=nobody)' }, 'no_people'],
      [{ person_filter: '(objectClass=person)', group_filter: '(cn=nothing)' }, 'no_groups'],
      [{ person_filter: '(cn=ann)', group_filter: '(objectClass=groupOfNames)' }, 'too_many_removals'],
    ];

    const seen: string[] = [];
    for (const [settings] of failures) {
      await change({ ...right, ...settings });
      seen.push((await run()).problem);
    }
    await other[Symbol.asyncDispose]();

    assert.deepEqual(
      seen,
      failures.map(([, problem]) => problem),
    );
    assert.deepEqual(await stateOf(account), state);
    const listed = (await account.owner.call('team/directory/list')).body['data'][0];
    assert.deepEqual([listed.last_problem, 'bind_password' in listed], ['too_many_removals', false]);
    const confirmed = await run({ confirm_removals: true });
    assert.deepEqual([confirmed.problem, countsOf(confirmed)['disable_person']], ['', 2]);
  });

  test('the stored password is not sent to another server', async () => {
    await slapd.load(company);
    const { change } = await connected();

    const moved = await change({ url: 'ldaps://elsewhere.example.com' });
    const trusted = await change({ ca_cert: 'another' });

    assert.deepEqual(
      [moved, trusted].map(({ body }) => body.error?.field),
      ['bind_password', 'bind_password'],
    );
  });

  test('what the server cuts off, and what exceeds a limit, is not taken for the whole', async () => {
    await using small = await startSlapd('limits * size.soft=2 size.hard=2 size.prtotal=2');
    await Promise.all([slapd.load(company), small.load(company)]);
    const connection = connectionTo(slapd.url, slapd.ca);
    const now = service.server.store.now();
    const limits = { ms: 30_000, bytes: 1_000_000, entries: 100 };

    const readings = await Promise.all([
      readDirectory(connectionTo(small.url, small.ca), now, limits),
      readDirectory(connection, now, { ...limits, entries: 4 }),
      readDirectory(connection, now, { ...limits, entries: 2 }),
      readDirectory(connection, now, limits),
    ]);

    assert.deepEqual(
      readings.map((each) => ('failure' in each ? each.failure : each.snapshot.people.length)),
      ['incomplete', 'too_large', 'too_large', 3],
    );
  });

  test('a connection that ends or is silent at any moment changes nothing', async () => {
    const people = Array.from({ length: 700 }, (_, at) => ldapPerson({ uid: `u${at}` }));
    await slapd.load([
      ...people,
      ldapGroup(
        'all',
        people.map(({ cn }) => String(cn)),
      ),
    ]);
    const now = service.server.store.now();
    const seen = new Set<string>();

    await using whole = await openCuttingProxy(slapd.port, Infinity);
    const complete = await readDirectory(connectionTo(whole.url, slapd.ca), now);
    for (const share of [0, 0.01, 0.3, 0.6, 0.9, 0.98]) {
      await using proxy = await openCuttingProxy(slapd.port, whole.passed() * share);
      const reading = await readDirectory(connectionTo(proxy.url, slapd.ca), now);
      seen.add('failure' in reading ? 'failed' : `${reading.snapshot.people.length} people`);
    }
    await using silent = await openCuttingProxy(slapd.port, 3_000, 'keep silent');
    const limits = { ms: 1_500, bytes: 1_000_000, entries: 1_000 };
    const late = await readDirectory(connectionTo(silent.url, slapd.ca), now, limits);
    const large = await readDirectory(connectionTo(slapd.url, slapd.ca), now, {
      ...limits,
      ms: 60_000,
      bytes: 9_000,
    });

    assert.ok('snapshot' in complete && complete.snapshot.people.length === 700);
    assert.deepEqual([...seen], ['failed']);
    assert.deepEqual([late, large], [{ failure: 'timeout' }, { failure: 'too_large' }]);
  });

  test('a scheduled import runs with the rights of the person who set it up, and leaves a line in the audit log', async () => {
    await slapd.load(company);
    const { account, change } = await connected();
    const { store } = service.server;
    await change({ every_minutes: 15 });
    const admin = await account.member([{ type: 'team', permissions: ['team_user_admin'] }]);
    const deps = {
      store,
      readDirectory: (connection: Parameters<typeof readDirectory>[0]) =>
        readDirectory(connection, store.now()),
    };

    await importDueDirectories(deps);
    const early = await membersOf(account);
    service.advance(15 * 60);
    await importDueDirectories(deps);
    const due = await membersOf(account);
    const [{ id: departmentId }] = (await account.owner.call('team/department/list')).body['data'];
    const role = {
      name: 'bills',
      type: 'team',
      permissions: ['team_billing_admin'],
      description: '',
    } as const;
    const { id: roleId } = await must(store, 'roles/create', { accountId: account.id, ...role });
    const grant = { accountId: account.id, by: account.owner.id, holder: { departmentId }, roleId };
    await must(store, 'access/add', grant);
    const [{ id }] = (await account.owner.call('team/directory/list')).body['data'];
    await admin.call('team/directory/update', { id, name: 'Mine' });
    await slapd.load([...company.slice(0, 3), ldapGroup('support', ['ann', 'cid', 'bob']), company[4]!]);
    service.advance(15 * 60);
    await importDueDirectories(deps);

    assert.deepEqual([early, Object.keys(due)], [{}, ['support', 'field']]);
    const listed = (await account.owner.call('team/directory/list')).body['data'][0];
    assert.equal(listed.last_problem, 'rights');
    assert.deepEqual((await membersOf(account))['support'], ['ann@example.com', 'bob@example.com']);
    const { body } = await account.owner.call('audit/list', { operation: 'server/directory-run' });
    assert.deepEqual(
      body['data'].map((each: { outcome: string }) => each.outcome),
      ['beyond_own_rights', 'done'],
    );
  });

  test('2,000 people in 100 nested groups are imported in less than 30 seconds', async () => {
    const people = Array.from({ length: 2_000 }, (_, at) => ldapPerson({ uid: `u${at}` }));
    const groups = Array.from({ length: 100 }, (_, at) =>
      ldapGroup(`g${at}`, [
        ...Array.from({ length: 20 }, (__, member) => `u${at * 20 + member}`),
        // Trees of ten groups; the last of each contains the first again.
        `g${at % 10 === 9 ? at - 9 : at + 1}`,
      ]),
    );
    await slapd.load([...people, ...groups]);
    const { run } = await connected();
    using watch = startStopwatch();

    const first = await run();
    const seconds = watch.ms() / 1_000;
    const second = await run();

    assert.deepEqual(countsOf(first), { create_person: 2_000, create_department: 100, join: 20_000 });
    assert.deepEqual(countsOf(second), {});
    assert.ok(seconds < 30, `it took ${seconds} seconds`);
  });
});

/** Forwards to a port, and ends the connection, or keeps silent, after so many bytes came from there. */
async function openCuttingProxy(port: number, afterBytes: number, then: 'end' | 'keep silent' = 'end') {
  const sockets = new Set<Socket>();
  let passed = 0;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
    near.pipe(far);
    far.on('data', (chunk: Buffer) => {
      passed += chunk.length;
      if (passed <= afterBytes) near.write(chunk);
      else if (then === 'end') near.destroy();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port: own } = server.address() as { port: number };
  return {
    url: `ldaps://127.0.0.1:${own}`,
    /** How many bytes came from there. */
    passed: () => passed,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
