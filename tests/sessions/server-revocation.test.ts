/**
 * What ends a running session: every change that takes a permission away, for every session origin, within
 * five seconds.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { must, type TestPerson } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { createProvider } from '../provisioning/scim-provider.ts';
import { oktaActive } from '../provisioning/okta-requests.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import {
  attendedDevice,
  joinLobby,
  openSessionLink,
  joinRelay,
  type AttendedDevice,
  type RelayPeer,
} from '../kit/session/session-ends.ts';
import { eventually } from '../kit/eventually.ts';
import { startStopwatch } from '../kit/stopwatch.ts';
import { addDirectory, shows } from '../suites/store/people/directory-fixture.ts';

const password = 'correct horse 7';
const week = 7 * 86_400;
const limitMs = 5_000;

async function disableByImport({ server }: TestService, { account, owner, person }: AttendedDevice) {
  const directory = await addDirectory(
    server,
    { accountId: account.id, owner },
    { adopt: true, removalPercent: 100 },
  );
  const people = { p: person.email };
  await directory.run(shows({ people }));
  await directory.run(shows({ people, disabled: ['p'] }));
}

async function disableByProvider({ testClient }: TestService, { owner, person }: AttendedDevice) {
  const provider = await createProvider(testClient, owner);
  const { http } = await provider.send('PATCH', `/Users/${person.id}`, oktaActive(false));
  assert.equal(http, 200);
}

for (const { kind, skip } of databases)
  describe(`revoking sessions on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    const fixture = (): Promise<AttendedDevice> => attendedDevice(service);
    const urlFor = async (person: TestPerson, agent_id: number): Promise<string> =>
      (await person.call('agents/connect', { agent_id })).body['data'].url;
    const byForm = async (path: string, body = ''): Promise<string> =>
      String((await service.testClient.send({ method: 'POST', path, body })).headers['location']);
    const permanentPath = ({ device }: AttendedDevice): string => `revoked-${device.id}-${kind}`;
    const openPermanent = (it: AttendedDevice, enable: boolean) =>
      it.owner.call('agents/update', {
        id: it.device.id,
        permanent_url: enable ? { enable, url: permanentPath(it), password } : { enable },
      });

    const urlByOrigin: Record<string, (it: AttendedDevice) => Promise<string>> = {
      'a link of the API': (it) => urlFor(it.person, it.device.id),
      'the password of the device': async (it) => {
        await openPermanent(it, true);
        return byForm(`/p/${permanentPath(it)}`, `password=${encodeURIComponent(password)}`);
      },
      'a one-time link': async (it) => {
        const { body } = await it.person.call('agents/info', { agent_id: it.device.id });
        return byForm(new URL(body['data'].onetime_url).pathname);
      },
    };

    /**
     * Opens a session, applies a change, and returns how long the session lasted after it and how it ended.
     */
    async function lasted(it: AttendedDevice, url: string, change: (session: number) => Promise<unknown>) {
      const opened = await openSessionLink(service, url);
      const operator = joinRelay(opened);
      await operator.paired;
      await eventually(
        async () => (await it.owner.call('sessions/list')).body['data'].length as number,
        (count) => count === 1,
      );
      using started = startStopwatch();
      await change(opened.session);
      const end = await operator.closed;
      return { ms: started.ms(), end, opened };
    }

    const logout = (it: AttendedDevice) => it.owner.call('agents/logout', { id: it.device.id });
    const block = (it: AttendedDevice) =>
      must(service.server.store, 'plan/set', { accountId: it.account.id, plan: { computers: 0 } });

    for (const [origin, urlOf] of Object.entries(urlByOrigin))
      for (const [what, change] of Object.entries({ 'is unlinked': logout, 'is blocked': block }))
        test(`a session by ${origin} ends when the device ${what}`, async () => {
          const it = await fixture();
          await using _device = it.device;

          const { ms, end } = await lasted(it, await urlOf(it), () => change(it));

          assert.ok(ms <= limitMs, `${ms} ms`);
          assert.equal(end.code, 4_005);
        });

    const personal: Record<string, (it: AttendedDevice, session: number) => Promise<unknown>> = {
      'the role is removed': (it) => it.owner.call('team/role/remove', { id: it.roleId }),
      'a permission of the session is removed': (it) =>
        it.owner.call('team/role/edit', { id: it.roleId, permission: ['agent_connect'] }),
      'the person is removed': (it) => it.owner.call('team/member/remove', { email: it.person.email }),
      'an import from a directory disables the person': (it) => disableByImport(service, it),
      'the grant has ended': async (it) => {
        const grant = { accountId: it.account.id, by: it.owner.id, holder: { email: it.person.email } };
        const scope = { roleId: it.roleId, agentId: it.device.id };
        const { store } = service.server;
        await must(store, 'access/remove', { ...grant, ...scope });
        await must(store, 'access/add', { ...grant, ...scope, until: store.now() + 3 });
        service.advance(3);
      },
      'an identity provider disables the person': (it) => disableByProvider(service, it),
      'the owner ends it': (it, id) => it.owner.call('sessions/close', { id }),
    };
    for (const origin of ['a link of the API', 'a one-time link'])
      for (const [what, change] of Object.entries(personal))
        test(`a session by ${origin} ends, and the device is notified, when ${what}`, async () => {
          const it = await fixture();
          await using _device = it.device;

          const url = await urlByOrigin[origin]!(it);
          const { ms, end, opened } = await lasted(it, url, (session) => change(it, session));

          assert.ok(ms <= limitMs, `${ms} ms`);
          assert.equal(end.code, 4_005);
          const told = await eventually(
            () => it.device.commands.find(({ name }) => name === 'session_end'),
            (command) => command !== undefined,
          );
          assert.equal(told!.input['session'], opened.session);
          const [past] = await eventually(
            async () => (await it.owner.call('history/list')).body['data'],
            (data) => 'stop' in data[0],
          );
          assert.equal(past.id, opened.session);
        });

    test('a session by a one-time link ends when one-time links are forbidden', async () => {
      const it = await fixture();
      await using _device = it.device;

      const { ms, end } = await lasted(it, await urlByOrigin['a one-time link']!(it), () =>
        it.owner.call('account/update', { onetime_url: 'forbid' }),
      );

      assert.ok(ms <= limitMs, `${ms} ms`);
      assert.equal(end.code, 4_005);
    });

    const begins: Record<string, (it: AttendedDevice, groupId: number, roleId: number) => Promise<unknown>> =
      {
        'the permission not to ask is taken': (it, _group, roleId) =>
          it.owner.call('team/role/remove', { id: roleId }),
        'the device comes into a group that asks': (it, id) =>
          it.owner.call('groups/agent/insert', { id, agent_id: it.device.id }),
        'its group is set to ask': async (it, id) => {
          await it.owner.call('groups/settings/update', { id, confirm: 'ask' });
        },
      };
    for (const [what, change] of Object.entries(begins))
      test(`a session that began without a question ends when the person has to be asked: ${what}`, async () => {
        const it = await fixture();
        await using _device = it.device;
        const id = await it.account.group();
        const isIn = what !== 'the device comes into a group that asks';
        if (isIn) await it.owner.call('groups/agent/insert', { id, agent_id: it.device.id });
        if (what !== 'its group is set to ask')
          await it.owner.call('groups/settings/update', { id, confirm: 'ask' });
        const isSpared = what === 'the permission not to ask is taken';
        const { roleId } = isSpared
          ? await it.account.grant(it.person, {
              type: 'agent',
              agentId: it.device.id,
              permissions: ['agent_no_confirm'],
            })
          : it;

        const { ms, end } = await lasted(it, await urlFor(it.person, it.device.id), () =>
          change(it, id, roleId),
        );

        assert.ok(ms <= limitMs, `${ms} ms`);
        assert.equal(end.reason, 'The person at the device must now be asked first.');
        assert.equal(it.device.grants[0]!.confirm, false);
      });

    test('a session by the password ends when the permanent link is closed', async () => {
      const it = await fixture();
      await using _device = it.device;
      const url = await urlByOrigin['the password of the device']!(it);

      const { ms } = await lasted(it, url, () => openPermanent(it, false));

      assert.ok(ms <= limitMs, `${ms} ms`);
    });

    test('a session continues while nothing it needs is taken away, whatever else changes', async () => {
      const it = await fixture();
      await using _device = it.device;
      const opened = await openSessionLink(service, await urlFor(it.person, it.device.id));
      await using operator: RelayPeer = joinRelay(opened);
      await operator.paired;
      const colleague = await it.account.member();
      const access = { type: 'agent', agentId: it.device.id, permissions: ['agent_connect'] } as const;
      const revoked = await it.account.grant(colleague, access);
      const later = await openSessionLink(service, await urlFor(colleague, it.device.id));
      await using laterOperator: RelayPeer = joinRelay(later);
      await laterOperator.paired;

      const { roleId } = await it.account.grant(it.person, { ...access, permissions: ['agent_chat'] });
      await it.owner.call('team/role/remove', { id: roleId });
      await must(service.server.store, 'keys/revoke', {
        accountId: it.account.id,
        memberId: it.person.id,
        id: (await it.account.key(it.person)).keyId,
      });
      await it.owner.call('team/role/remove', { id: revoked.roleId });
      // Sessions are checked in the order in which they were opened: the first was checked before this one ended.
      await laterOperator.closed;

      const running = await eventually(
        async () => (await it.owner.call('sessions/list')).body['data'] as { id: number }[],
        ({ length }) => length < 2,
      );
      assert.deepEqual(
        running.map(({ id }) => id),
        [opened.session],
      );
      assert.equal(operator.socket.readyState, operator.socket.OPEN);
    });

    test('closing an invitation disconnects operator and client, and closes the client’s socket', async () => {
      const { owner } = await service.account();
      const { id: connection_id, invite_code } = (await owner.call('support/create')).body['data'];
      await using client = await joinLobby(service.testClient.baseUrl, invite_code);
      await client.waitFor('welcome');
      const { url } = (await owner.call('support/connect', { connection_id })).body['data'];
      await using operator = joinRelay(await openSessionLink(service, url));
      await using other = joinRelay(await client.waitFor('session'));
      await Promise.all([operator.paired, other.paired]);
      using started = startStopwatch();

      await owner.call('support/close', { connection_id });
      await Promise.all([operator.closed, other.closed, client.closed]);

      assert.ok(started.ms() <= limitMs);
      assert.equal((await client.waitFor('ended')).code, 'closed');
    });

    test('someone with the operator’s link of a member is disconnected when that member leaves the team', async () => {
      const account = await service.account();
      const { owner } = account;
      const person = await account.member([
        { type: 'quick_support', permissions: ['quick_support_technical', 'agent_connect'] },
      ]);
      const { id: connection_id, invite_code } = (await owner.call('support/create')).body['data'];
      const { connect_url } = (await person.call('support/info', { connection_id })).body['data'];
      await using client = await joinLobby(service.testClient.baseUrl, invite_code);
      await client.waitFor('welcome');
      await using operator = joinRelay(
        await openSessionLink(service, await byForm(new URL(connect_url).pathname)),
      );
      await using other = joinRelay(await client.waitFor('session'));
      await Promise.all([operator.paired, other.paired]);
      using started = startStopwatch();

      await owner.call('team/member/remove', { email: person.email });
      await Promise.all([operator.closed, other.closed]);

      assert.ok(started.ms() <= limitMs);
      await owner.call('support/close', { connection_id });
    });

    test('an operator who may not help any more is disconnected, and the client keeps waiting', async () => {
      const account = await service.account();
      const { owner } = account;
      const person = await account.member();
      const { roleId } = await account.grant(person, {
        type: 'quick_support',
        permissions: ['quick_support_technical', 'agent_connect'],
      });
      const { id: connection_id, invite_code } = (await owner.call('support/create')).body['data'];
      await using client = await joinLobby(service.testClient.baseUrl, invite_code);
      await client.waitFor('welcome');
      const { url } = (await person.call('support/connect', { connection_id })).body['data'];
      const opened = await openSessionLink(service, url);
      await using operator = joinRelay(opened);
      await using other = joinRelay(await client.waitFor('session'));
      await operator.paired;
      assert.deepEqual(opened.permissions, ['agent_connect']);

      await owner.call('team/role/remove', { id: roleId });
      await Promise.all([operator.closed, other.closed]);

      await eventually(
        async () => (await owner.call('support/info', { connection_id })).body['data'].status as number,
        (status) => status === 1,
      );
      assert.equal(client.socket.readyState, client.socket.OPEN);
      await must(service.server.store, 'invitations/happen', {
        accountId: account.id,
        id: connection_id,
        event: 'close',
        lifetime: week,
      });
    });
  });
