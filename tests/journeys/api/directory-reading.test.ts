/** How a real LDAP server is read: whole or not at all, within limits, and on schedule with the rights of a person. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { readDirectory } from '@drawbridge/server/edges/directory/read-directory';
import { createDirectoryImporter } from '@drawbridge/server/jobs/import-directories';
import { skipWithout } from '../../kit/requirements.ts';
import { must, type TestAccount } from '../../kit/server/account.ts';
import {
  connectDirectory,
  countsOf,
  departmentMembers,
  directoryConnection,
  ldapCompany,
  loopbackDirectories,
} from '../../kit/directory-account.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { directoryBase, ldapGroup, ldapPerson, startSlapd, type Slapd } from '../../kit/slapd.ts';
import { startStopwatch } from '../../kit/stopwatch.ts';

const allowLoopback = true;

describe('reading directories', { skip: skipWithout('slapd') }, () => {
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

  test('what the server cuts off, and what exceeds a limit, is not taken for the whole', async () => {
    await using small = await startSlapd('limits * size.soft=2 size.hard=2 size.prtotal=2');
    await Promise.all([slapd.load(ldapCompany), small.load(ldapCompany)]);
    const connection = directoryConnection(slapd.url, slapd.ca);
    const now = service.server.store.now();
    const limits = { ms: 30_000, bytes: 1_000_000, entries: 100 };

    const readings = await Promise.all([
      readDirectory(directoryConnection(small.url, small.ca), now, { limits, allowLoopback }),
      readDirectory(connection, now, { limits: { ...limits, entries: 4 }, allowLoopback }),
      readDirectory(connection, now, { limits: { ...limits, entries: 2 }, allowLoopback }),
      readDirectory(connection, now, { limits, allowLoopback }),
    ]);

    assert.deepEqual(
      readings.map((each) => ('failure' in each ? each.failure : each.snapshot.people.length)),
      ['incomplete', 'too_large', 'too_large', 3],
    );
  });

  test('referrals to other servers are not followed, and a base that is one is refused', async () => {
    let connections = 0;
    const other = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const dn = `ou=elsewhere,${directoryBase}`;
    const referral = { dn, objectClass: ['referral', 'extensibleObject'], ou: 'elsewhere' };
    await slapd.load([...ldapCompany, { ...referral, ref: `ldap://127.0.0.1:${port}/${dn}` }]);
    const now = service.server.store.now();
    const connection = directoryConnection(slapd.url, slapd.ca);

    const whole = await readDirectory(connection, now, { allowLoopback });
    const below = await readDirectory({ ...connection, base: dn }, now, { allowLoopback });
    other.close();

    assert.equal('snapshot' in whole && whole.snapshot.people.length, 3);
    assert.deepEqual([below, connections], [{ failure: 'settings' }, 0]);
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
    const complete = await readDirectory(directoryConnection(whole.url, slapd.ca), now, { allowLoopback });
    for (const share of [0, 0.01, 0.3, 0.6, 0.9, 0.98]) {
      await using proxy = await openCuttingProxy(slapd.port, whole.passed() * share);
      const reading = await readDirectory(directoryConnection(proxy.url, slapd.ca), now, { allowLoopback });
      seen.add('failure' in reading ? 'failed' : `${reading.snapshot.people.length} people`);
    }
    await using silent = await openCuttingProxy(slapd.port, 3_000, 'keep silent');
    const limits = { ms: 1_500, bytes: 1_000_000, entries: 1_000 };
    const late = await readDirectory(directoryConnection(silent.url, slapd.ca), now, {
      limits,
      allowLoopback,
    });
    const large = await readDirectory(directoryConnection(slapd.url, slapd.ca), now, {
      limits: { ...limits, ms: 60_000, bytes: 9_000 },
      allowLoopback,
    });

    assert.ok('snapshot' in complete && complete.snapshot.people.length === 700);
    assert.deepEqual([...seen], ['failed']);
    assert.deepEqual([late, large], [{ failure: 'timeout' }, { failure: 'too_large' }]);
  });

  test('a scheduled import runs with the rights of the person who set it up, and leaves a line in the audit log', async () => {
    await slapd.load(ldapCompany);
    const { account, change } = await connectedAccount();
    const { store } = service.server;
    await change({ every_minutes: 15 });
    const admin = await account.member([{ type: 'team', permissions: ['team_user_admin'] }]);
    const importer = createDirectoryImporter({
      store,
      readDirectory: (connection) => readDirectory(connection, store.now(), { allowLoopback }),
      onFailure: assert.ifError,
    });

    await importer.round();
    const early = await membersIn(account);
    service.advance(15 * 60);
    await importer.round();
    const due = await membersIn(account);
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
    await slapd.load([
      ...ldapCompany.slice(0, 3),
      ldapGroup('support', ['ann', 'cid', 'bob']),
      ldapCompany[4]!,
    ]);
    service.advance(15 * 60);
    await importer.round();

    assert.deepEqual([early, Object.keys(due)], [{}, ['support', 'field']]);
    const listed = (await account.owner.call('team/directory/list')).body['data'][0];
    assert.equal(listed.last_problem, 'rights');
    assert.deepEqual((await membersIn(account))['support'], ['ann@example.com', 'bob@example.com']);
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
    const { run } = await connectedAccount();
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
