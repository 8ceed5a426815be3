/** Stories about devices, through the public API, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { databases } from '../kit/database.ts';
import { hardwareWith } from '../kit/account.ts';
import { startHouse, type TestHouse } from '../kit/house.ts';

for (const { kind, skip } of databases)
  describe(`devices on ${kind}`, { skip }, () => {
    let house: TestHouse;
    before(async () => {
      house = await startHouse({ database: kind });
    });
    after(() => house[Symbol.asyncDispose]());

    test('a reboot reaches the device and nobody else', async () => {
      const account = await house.account();
      const [desk, lamp] = [await account.agent(), await account.agent()];
      const [first, second] = [await house.plugIn(desk.id), await house.plugIn(lamp.id)];

      const { http, body } = await account.owner.call('agents/reboot', { id: desk.id, safe: true });

      assert.deepEqual([http, body], [200, { status: 0 }]);
      assert.deepEqual(first.heard, [{ name: 'reboot', input: { safe: true } }]);
      assert.deepEqual(second.heard, []);
    });

    test('a device that is offline is not rebooted, and that is said', async () => {
      const account = await house.account();
      const { id } = await account.agent();

      const { http, body } = await account.owner.call('agents/reboot', { id });

      assert.deepEqual([http, body.status, body.error?.code], [400, 1, 'agent_offline']);
    });

    test('a device says why it does not reboot', async () => {
      const account = await house.account();
      const { id } = await account.agent();
      await house.plugIn(id, { refused: 'This system has no safe mode.' });

      const { http, body } = await account.owner.call('agents/reboot', { id, safe: true });

      assert.deepEqual([http, body.status], [400, 1]);
      assert.equal(body.error?.message, 'This system has no safe mode.');
    });

    test('a sleeping device is woken by one on the same network', async () => {
      const account = await house.account();
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
      const [waker, other] = [await house.plugIn(near.id), await house.plugIn(far.id)];

      const { body } = await account.owner.call('agents/wake', { id: sleeper.id });

      assert.deepEqual(body, { status: 0 });
      assert.deepEqual(waker.heard, [{ name: 'wake', input: { macs: ['02:00:00:00:00:01'] } }]);
      assert.deepEqual(other.heard, []);
    });

    test('nobody on the network, or no adapter known: there is no way to wake the device', async () => {
      const account = await house.account();
      const { id } = await account.agent();

      const { http, body } = await account.owner.call('agents/wake', { id });

      assert.deepEqual([http, body.status, body.error?.code], [400, 1, 'no_wake_path']);
    });

    test('a device counts as online until its lease ends', async () => {
      const account = await house.account();
      const { id } = await account.agent();
      await house.plugIn(id);
      const online = async () =>
        (await account.owner.call('agents/info', { agent_id: id })).body['data'].online as boolean;

      assert.equal(await online(), true);
      house.advance(31);

      assert.equal(await online(), false);
    });

    test('an unlinked device is gone, told so if it is there, and its links are dead', async () => {
      const account = await house.account();
      const { id } = await account.agent();
      const device = await house.plugIn(id);

      assert.deepEqual((await account.owner.call('agents/logout', { id })).body, { status: 0 });

      assert.deepEqual(device.heard, [{ name: 'logout', input: {} }]);
      assert.deepEqual((await account.owner.call('agents/list')).body, { data: [] });
      assert.equal((await account.owner.call('agents/logout', { id })).body.status, 6);
    });

    test('search finds devices in any script, and percent and underscore stand for themselves', async () => {
      const account = await house.account();
      for (const name of ['Деск', 'ΣΊΣΥΦΟΣ', '100% wool', '100 wool', 'a_b', 'axb'])
        await account.agent({ name });
      const found = async (search: string) =>
        ((await account.owner.call('agents/list', { search })).body['data'] as { name: string }[]).map(
          (agent) => agent.name,
        );

      assert.deepEqual(await found('дЕс'), ['Деск']);
      assert.deepEqual(await found('σίσυφος'), ['ΣΊΣΥΦΟΣ']);
      assert.deepEqual(await found('100%'), ['100% wool']);
      assert.deepEqual(await found('a_b'), ['a_b']);
      assert.deepEqual(await found('nothing'), []);
    });
  });
