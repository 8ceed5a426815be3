/** Devices, through the public API, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { PluggedIn } from '../../kit/agent/device.ts';
import { eventually } from '../../kit/eventually.ts';
import { databases } from '../../kit/server/database.ts';
import { hardwareWith, must, type TestPerson, type TestAccount } from '../../kit/server/account.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { runSql } from '../../kit/server/raw-sql.ts';

const nowhere = { ip: '', country: '', region: '', city: '' };
const found = async (person: TestPerson, agent_id: number) =>
  (await person.call('agents/info', { agent_id })).body['data'] as Record<string, unknown>;

/** What the device is asked after the answer to the caller. */
const received = ({ commands }: PluggedIn): Promise<PluggedIn['commands']> =>
  eventually(
    () => commands,
    ({ length }) => length > 0,
  );

for (const { kind, skip } of databases)
  describe(`devices on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    test('a reboot reaches the device and nobody else', async () => {
      const account = await service.account();
      const [desk, lamp] = [await account.agent(), await account.agent()];
      const [first, second] = [await service.plugIn(desk.id), await service.plugIn(lamp.id)];

      const { http, body } = await account.owner.call('agents/reboot', { id: desk.id, safe: true });

      assert.deepEqual([http, body], [200, { status: 0 }]);
      assert.deepEqual(first.commands, [{ name: 'reboot', input: { safe: true } }]);
      assert.deepEqual(second.commands, []);
    });

    test('a device that is offline is not rebooted, and the response says so', async () => {
      const account = await service.account();
      const { id } = await account.agent();

      const { http, body } = await account.owner.call('agents/reboot', { id });

      assert.deepEqual([http, body.status, body.error?.code], [400, 1, 'agent_offline']);
    });

    test('a device says why it does not reboot', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      await service.plugIn(id, { refused: 'This system has no safe mode.' });

      const { http, body } = await account.owner.call('agents/reboot', { id, safe: true });

      assert.deepEqual([http, body.status], [400, 1]);
      assert.equal(body.error?.message, 'This system has no safe mode.');
    });

    test('a malformed answer of a device counts as none, and affects nobody else', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      await service.plugIn(id, { done: 'yes', __proto__: [] } as never);

      const { http, body } = await account.owner.call('agents/reboot', { id });

      assert.deepEqual([http, body.status, body.error?.code], [400, 1, 'agent_silent']);
      assert.equal((await account.owner.call('agents/update', { id, name: 'after' })).http, 200);
      assert.equal((await account.owner.call('agents/logout', { id })).http, 200);
    });

    test('a device that is online but does not answer in time is not called offline: it may still do it', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      await service.plugIn(id, { none: 'silent' } as never);

      for (const operation of ['agents/reboot', 'agents/lock'] as const) {
        const { http, body } = await account.owner.call(operation, { id });
        assert.deepEqual([http, body.status, body.error?.code], [400, 1, 'agent_silent'], operation);
        assert.match(body.error!.message, /did not answer in time.*may still/);
      }
      assert.equal((await account.owner.call('agents/update', { id, name: 'after' })).http, 200);
    });

    test('a device says why it does not list its software, unless it has reported it before', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const software = () => account.owner.call('agents/software', { agent_id: id });
      assert.deepEqual((await software()).body['data'], []);

      const device = await service.plugIn(id, { refused: 'The programs could not be listed.' });
      const { http, body } = await software();
      device.unplug();
      const program = { name: 'bash', version: '5', publisher: '', install_date: '' };
      const other = await service.plugIn(id, { done: { programs: [program] } });
      assert.deepEqual((await software()).body['data'], [program]);
      other.unplug();
      await service.plugIn(id, { refused: 'The programs could not be listed.' });

      assert.deepEqual([http, body.error?.code], [400, 'agent_refused']);
      assert.equal(body.error?.message, 'The programs could not be listed.');
      assert.deepEqual((await software()).body['data'], [program]);
    });

    test('a sleeping device is woken by one on the same network', async () => {
      const account = await service.account();
      const NetAdapters = [
        {
          Addresses: '',
          Cable: true,
          DCHP: '',
          DNS: '',
          MACAddress: '02-00-00-00-00-01',
          Manufacturer: '',
          Name: 'eth0',
          Speed: 0,
          WoL: false,
        },
      ];
      const sleeper = await account.agent({
        hardware: hardwareWith({ NetAdapters, ComputerIP: ['10.1.2.3'] }),
        addresses: ['10.1.2.3'],
      });
      const near = await account.agent({ addresses: ['10.1.2.77'] });
      const far = await account.agent({ addresses: ['10.9.9.9'] });
      const [waker, other] = [await service.plugIn(near.id), await service.plugIn(far.id)];

      const { body } = await account.owner.call('agents/wake', { id: sleeper.id });

      assert.deepEqual(body, { status: 0 });
      assert.deepEqual(waker.commands, [{ name: 'wake', input: { macs: ['02:00:00:00:00:01'] } }]);
      assert.deepEqual(other.commands, []);
    });

    test('a device cannot be woken if nobody is on its network or no adapter is known', async () => {
      const account = await service.account();
      const { id } = await account.agent();

      const { http, body } = await account.owner.call('agents/wake', { id });

      assert.deepEqual([http, body.status, body.error?.code], [400, 1, 'no_wake_path']);
    });

    test('a device counts as online until its lease ends', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      await service.plugIn(id);
      const online = async () =>
        (await account.owner.call('agents/info', { agent_id: id })).body['data'].online as boolean;

      assert.equal(await online(), true);
      service.advance(31);

      assert.equal(await online(), false);
    });

    test('an unlinked device is gone, notified if it is online, and its links stop working', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const device = await service.plugIn(id);

      assert.deepEqual((await account.owner.call('agents/logout', { id })).body, { status: 0 });

      assert.deepEqual(await received(device), [{ name: 'logout', input: {} }]);
      assert.deepEqual((await account.owner.call('agents/list')).body, { data: [] });
      assert.equal((await account.owner.call('agents/logout', { id })).body.status, 6);
    });

    test('search finds devices in any script, and percent and underscore have no special meaning', async () => {
      const account = await service.account();
      for (const name of ['Деск', 'ΣΊΣΥΦΟΣ', '100% wool', '100 wool', 'a_b', 'axb'])
        await account.agent({ name });
      const named = async (search: string) =>
        ((await account.owner.call('agents/list', { search })).body['data'] as { name: string }[]).map(
          (agent) => agent.name,
        );

      assert.deepEqual(await named('дЕс'), ['Деск']);
      assert.deepEqual(await named('σίσυφος'), ['ΣΊΣΥΦΟΣ']);
      assert.deepEqual(await named('100%'), ['100% wool']);
      assert.deepEqual(await named('a_b'), ['a_b']);
      assert.deepEqual(await named('nothing'), []);
    });

    test('only what is sent changes: a new name leaves the rest unchanged', async () => {
      const account = await service.account();
      const group = await account.group('Berlin');
      const { id } = await account.agent({ name: 'before', groupId: group });
      const device = await service.plugIn(id);
      const was = await found(account.owner, id);

      const { http, body } = await account.owner.call('agents/update', { id, name: '  after  ' });

      assert.deepEqual([http, body.status], [200, 0]);
      assert.deepEqual(body['data'], { ...was, name: 'after' });
      assert.deepEqual(await found(account.owner, id), { ...was, name: 'after' });
      assert.deepEqual(await received(device), [{ name: 'settings', input: { name: 'after' } }]);
      const empty = await account.owner.call('agents/update', { id });
      assert.deepEqual([empty.body.status, empty.body['data']], [0, { ...was, name: 'after' }]);
    });

    test('changing a device requires the permission to change its settings', async () => {
      const account = await service.account();
      const { id } = await account.agent({ name: 'before' });
      const looker = await account.member([{ type: 'agent', agentId: id, permissions: ['agent_connect'] }]);

      const { http, body } = await looker.call('agents/update', { id, name: 'after' });

      assert.deepEqual([http, body.status, body.error?.code], [403, 8, 'forbidden']);
      assert.equal((await found(account.owner, id))['name'], 'before');
    });

    /** A past connection to a device. */
    const session = async (account: TestAccount, agentId: number, start: number): Promise<number> => {
      const { id } = await must(service.server.store, 'sessions/start', {
        accountId: account.id,
        memberId: account.owner.id,
        agentId,
        invitationId: null,
        login: account.owner.email,
        userAgent: 'browser',
        geo: nowhere,
        start,
      });
      return id;
    };

    test('a merged duplicate leaves its history, grants, files and earlier link time to the device that stays', async () => {
      const account = await service.account();
      const { owner } = account;
      const linkTime = service.server.store.now();
      const [office, attic] = [await account.group('office'), await account.group('attic')];
      const source = await account.agent({ name: 'duplicate', groupId: attic });
      service.advance(1_000);
      const target = await account.agent({ name: 'stays', groupId: office });
      const permanent_url = { enable: true, url: `stays-${target.deviceId}`, password: 'abcdefg1' };
      await owner.call('agents/update', { id: target.id, permanent_url });
      const both = { type: 'agent', permissions: ['agent_connect'] } as const;
      const ann = await account.member([{ ...both, agentId: source.id }]);
      const bob = await account.member([
        { ...both, agentId: source.id, byDepartment: true },
        { ...both, agentId: target.id },
      ]);
      const older = await session(account, target.id, linkTime + 10);
      const newer = await session(account, source.id, linkTime + 20);
      await runSql(
        service,
        `insert into attached_file (account_id, agent_id, name, size, digest, create_time)
         values (${account.id}, ${source.id}, 'notes.txt', 1, 'digest', ${linkTime})`,
      );
      const [device] = [await service.plugIn(source.id), await service.plugIn(target.id)];
      const was = await found(owner, target.id);

      const { body } = await owner.call('agents/merge', { agent_id: source.id, target_agent_id: target.id });

      assert.deepEqual(body, { status: 0 });
      const merged = await found(owner, target.id);
      const sessions = merged['sessions'] as { total: number; last: { id: number } };
      assert.deepEqual({ ...merged, sessions: 0 }, { ...was, link_time: linkTime, sessions: 0 });
      assert.deepEqual([sessions.total, sessions.last.id], [2, newer]);
      const history = (await owner.call('history/list', { agent_id: target.id })).body['data'];
      assert.deepEqual(
        history.map((each: { id: number }) => each.id),
        [newer, older],
      );
      for (const person of [ann, bob]) assert.equal((await found(person, target.id))['id'], target.id);
      assert.equal((await owner.call('plan/info')).body['data'].files.used, 1);
      assert.equal((await owner.call('agents/info', { agent_id: source.id })).http, 403);
      assert.deepEqual(await received(device), [{ name: 'logout', input: {} }]);
      assert.equal((await owner.call('agents/list')).body['data'].length, 1);
    });

    test('the notes of both devices are kept when they are merged', async () => {
      const account = await service.account();
      const [source, target] = [await account.agent(), await account.agent()];
      await runSql(service, `update agent set notes = 'by the window' where id = ${source.id}`);
      await runSql(service, `update agent set notes = 'third floor' where id = ${target.id}`);

      await account.owner.call('agents/merge', { agent_id: source.id, target_agent_id: target.id });

      const [row] = await runSql(service, `select notes from agent where id = ${target.id}`);
      assert.deepEqual(row, { notes: 'third floor\n\nby the window' });
    });

    test('devices to merge are named by either number, each in exactly one form', async () => {
      const account = await service.account();
      const { owner } = account;
      const [source, target] = [await account.agent(), await account.agent()];
      const [agent_id, device_id] = [source.id, source.deviceId];
      const [target_agent_id, target_device_id] = [target.id, target.deviceId];
      const wrong = [
        {},
        { agent_id },
        { target_agent_id },
        { agent_id, device_id, target_agent_id },
        { agent_id, target_agent_id, target_device_id },
        { device_id, agent_id },
      ];

      for (const params of wrong) {
        const { http, body } = await owner.call('agents/merge', params);
        assert.deepEqual([http, body.status], [400, 1], JSON.stringify(params));
      }
      assert.deepEqual((await owner.call('agents/merge', { device_id, target_device_id })).body, {
        status: 0,
      });
    });

    test('a device is not merged with itself, nor with a missing one', async () => {
      const [account, other] = [await service.account(), await service.account()];
      const [mine, foreign] = [await account.agent(), await other.agent()];
      const merge = async (source: number, target: number) => {
        const { http, body } = await account.owner.call('agents/merge', {
          agent_id: source,
          target_agent_id: target,
        });
        return [http, body.status];
      };

      assert.deepEqual(await merge(mine.id, mine.id), [400, 1]);
      const itself = await account.owner.call('agents/merge', {
        agent_id: mine.id,
        target_device_id: mine.deviceId,
      });
      assert.deepEqual([itself.http, itself.body.status], [400, 1]);
      assert.deepEqual(await merge(mine.id, foreign.id), [403, 6]);
      assert.deepEqual(await merge(foreign.id, mine.id), [403, 6]);
      assert.deepEqual(await merge(987_654_321, mine.id), [403, 6]);
      assert.equal((await found(other.owner, foreign.id))['id'], foreign.id);
    });

    test('merging requires the permissions to remove the duplicate and to change the device that stays', async () => {
      const account = await service.account();
      const [source, target] = [await account.agent(), await account.agent()];
      const on = (agentId: number, permission: 'agent_logout' | 'agent_change_settings') =>
        ({ type: 'agent', agentId, permissions: [permission] }) as const;
      const half = await account.member([on(source.id, 'agent_logout')]);
      const wrongWay = await account.member([
        on(source.id, 'agent_change_settings'),
        on(target.id, 'agent_logout'),
      ]);
      const both = await account.member([
        on(source.id, 'agent_change_settings'),
        on(target.id, 'agent_change_settings'),
      ]);
      const params = { agent_id: source.id, target_agent_id: target.id };

      for (const person of [half, wrongWay, both])
        assert.deepEqual((await person.call('agents/merge', params)).body.status, 8);
      await account.grant(half, on(target.id, 'agent_change_settings'));

      assert.deepEqual((await half.call('agents/merge', params)).body, { status: 0 });
      // The permission to remove was held on the duplicate alone, and is gone with it.
      assert.equal((await half.call('agents/logout', { id: target.id })).body.status, 8);
    });

    test('a device is connected to by either of its numbers, and the internal one wins', async () => {
      const account = await service.account();
      const { id, deviceId } = await account.agent();
      const connect = async (params: object) =>
        (await account.owner.call('agents/connect', params as never)).http;

      assert.equal(await connect({ agent_id: id }), 200);
      assert.equal(await connect({ device_id: deviceId }), 200);
      assert.equal(await connect({ agent_id: id, device_id: 1 }), 200);
      assert.equal(await connect({ agent_id: 987_654_321, device_id: deviceId }), 403);
      assert.equal(await connect({}), 400);
    });

    test('nobody connects to a blocked device, not even the owner', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const full = await account.member([{ type: 'agent', agentId: id, permissions: ['agent_connect'] }]);
      await must(service.server.store, 'plan/set', { accountId: account.id, plan: { computers: 0 } });

      for (const person of [account.owner, full]) {
        const { http, body } = await person.call('agents/connect', { agent_id: id });
        assert.deepEqual([http, body.error?.code], [403, 'agent_disabled']);
      }
    });

    test('fields of a device that the caller may not see are left out of its record', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      await session(account, id, service.server.store.now());
      const seenWith = async (permission: 'agent_preview' | 'agent_sessions') => {
        const person = await account.member([{ type: 'agent', agentId: id, permissions: [permission] }]);
        const { preview_url, sessions } = await found(person, id);
        return [preview_url !== '', (sessions as { total: number }).total];
      };

      assert.deepEqual(await seenWith('agent_preview'), [true, 0]);
      assert.deepEqual(await seenWith('agent_sessions'), [false, 1]);
    });

    test('the last connection has no end while it runs', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const sessions = async () =>
        (await found(account.owner, id))['sessions'] as { total: number; last?: object };
      assert.deepEqual(await sessions(), { total: 0 });
      const start = service.server.store.now();

      const running = await session(account, id, start);
      const client = { ...nowhere, user_agent: 'browser' };
      assert.deepEqual(await sessions(), { last: { id: running, start_time: start, client }, total: 1 });
      service.advance(60);
      await must(service.server.store, 'sessions/stop', { accountId: account.id, id: running, bytes: 10 });

      assert.deepEqual((await sessions()).last, {
        id: running,
        start_time: start,
        stop_time: start + 60,
        client,
      });
    });

    test('a favourite belongs to the member who marked it and nobody else', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const technician = await account.member([
        { type: 'agent', agentId: id, permissions: ['agent_connect'] },
      ]);

      await must(service.server.store, 'agents/favor', {
        accountId: account.id,
        memberId: technician.id,
        id,
        favorite: true,
      });

      assert.equal((await found(technician, id))['favorite'], true);
      assert.equal((await found(account.owner, id))['favorite'], false);
    });
  });
