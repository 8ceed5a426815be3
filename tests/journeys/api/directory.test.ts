/** Imports from a real LDAP server: people and departments follow it, and what fails changes nothing. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newKey } from '@drawbridge/server/compose/create-account';
import { random } from '@drawbridge/server/edges/random';
import { callOperation } from '../../conformance/call-operation.ts';
import { freePort } from '../../kit/free-port.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { must, type TestAccount } from '../../kit/server/account.ts';
import {
  connectDirectory,
  countsOf,
  departmentMembers,
  ldapCompany,
  loopbackDirectories,
} from '../../kit/directory-account.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import {
  directoryBase,
  directoryReader,
  ldapGroup,
  ldapPerson,
  startSlapd,
  type Slapd,
} from '../../kit/slapd.ts';

describe('directories', { skip: skipWithout('slapd') }, () => {
  let service: TestService;
  let slapd: Slapd;
  before(
    async () =>
      void ([service, slapd] = await Promise.all([startService({ env: loopbackDirectories }), startSlapd()])),
  );
  after(async () => {
    await slapd[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  const connectedAccount = (settings = {}) => connectDirectory(service, slapd, settings);
  const membersIn = (account: TestAccount) => departmentMembers(service, account);

  const stateOf = async ({ owner }: TestAccount): Promise<unknown> => [
    (await owner.call('team/member/list')).body,
    (await owner.call('team/department/list')).body,
  ];

  test('people and departments follow the directory, in both ways of encryption', async () => {
    await slapd.load(ldapCompany);
    const { account, plan, run, change } = await connectedAccount();

    const planned = await plan();
    const untouched = await membersIn(account);
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
    assert.deepEqual(await membersIn(account), {
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
    await slapd.load(ldapCompany);
    const { account, run } = await connectedAccount({ removal_percent: 100 });
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
    const others = ldapCompany.slice(1);
    const renamed = [
      ldapPerson({ uid: 'ann', cn: 'ann-new', mail: 'ann.new@example.com' }),
      ...ldapCompany.slice(1, 3),
      ldapGroup('support', ['ann-new', 'field'], 'helpdesk'),
      ldapCompany[4]!,
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
    await slapd.load(ldapCompany);
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
    const { account, run, change } = await connectedAccount();

    await run();
    const filter = await change({ person_filter: '(cn=*' });
    const broken = await run();

    assert.deepEqual(await membersIn(account), {
      '(|(cn=*))': ['p0@example.com'],
      two: ['p1@example.com', 'p2@example.com', 'p3@example.com'],
    });
    assert.deepEqual([filter.http, broken.problem], [200, 'settings']);
    const { body: log } = await account.owner.call('audit/list', { operation: 'team/directory/run' });
    assert.deepEqual(
      log['data'].map((each: { outcome: string }) => each.outcome),
      ['settings', 'done'],
    );
  });

  test('what fails changes nothing and says why', async () => {
    await slapd.load(ldapCompany);
    const { account, run, change } = await connectedAccount();
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
    const { body: log } = await account.owner.call('audit/list', { operation: 'team/directory/run' });
    const outcomes = log['data'].map((each: { outcome: string }) => each.outcome);
    assert.deepEqual(outcomes.toReversed(), ['done', ...seen]);
    const listed = (await account.owner.call('team/directory/list')).body['data'][0];
    assert.deepEqual([listed.last_problem, 'bind_password' in listed], ['too_many_removals', false]);
    const beyond = await run({ confirm_removals: true, removed_percent: 50 });
    assert.equal(beyond.problem, 'too_many_removals');
    assert.deepEqual(await stateOf(account), state);
    const confirmed = await run({ confirm_removals: true, removed_percent: beyond.removed_percent });
    assert.deepEqual([confirmed.problem, countsOf(confirmed)['disable_person']], ['', 2]);
  });

  test('the stored password is not sent to another server', async () => {
    await slapd.load(ldapCompany);
    const { change } = await connectedAccount();

    const moved = await change({ url: 'ldaps://elsewhere.example.com' });
    const trusted = await change({ ca_cert: 'another' });

    assert.deepEqual(
      [moved, trusted].map(({ body }) => body.error?.field),
      ['bind_password', 'bind_password'],
    );
  });
});
