/** Real agents and the gateway, on both databases. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { startAgent } from '../kit/agent/agent.ts';
import { databases } from '../kit/server/database.ts';
import { listDevices, waitUntilOnline, createEnrolToken } from '../kit/server/enrolment.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openRogueDevice } from '../kit/hostile/rogue-device.ts';
import { eventually } from '../kit/eventually.ts';
import { startStopwatch } from '../kit/stopwatch.ts';

for (const { kind, skip } of databases)
  describe(`the uplink on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind, realTime: true });
    });
    after(() => service[Symbol.asyncDispose]());

    test('a device enrols with a token and is listed with its facts', async () => {
      const { owner } = await service.account();
      await using agent = startAgent({
        server: service.testClient.baseUrl,
        token: await createEnrolToken(owner),
      });
      await agent.until(/connected as device/);

      const [device] = await eventually(
        () => listDevices(owner),
        (list) => list[0]?.online === true,
      );

      assert.deepEqual([device!.name, device!.os_user], ['made-up', 'ann']);
      assert.equal(agent.state.token, '');
      const info = await eventually(
        async () => (await owner.call('agents/info', { agent_id: device!.id })).body['data'],
        (data) => data.hardware.CPUCores === 4,
      );
      assert.equal(info.hardware.ComputerName, 'made-up');
    });

    test('a token works as often as it allows', async () => {
      const { owner } = await service.account();
      const token = await createEnrolToken(owner, { uses: 1 });
      await using first = startAgent({ server: service.testClient.baseUrl, token });
      await first.until(/connected/);
      await using second = startAgent({ server: service.testClient.baseUrl, token });

      assert.equal((await second.over).why, 'refused');
      assert.equal((await listDevices(owner)).length, 1);
    });

    test('a command reaches the device and its answer comes back', async () => {
      const { owner } = await service.account();
      await using agent = startAgent({
        server: service.testClient.baseUrl,
        token: await createEnrolToken(owner),
      });
      await agent.until(/connected/);
      const { id } = agent.state;

      assert.deepEqual((await owner.call('agents/reboot', { id, safe: false })).body, { status: 0 });
      assert.deepEqual((await owner.call('agents/lock', { id })).body, { status: 0 });
      const { body } = await owner.call('agents/software', { agent_id: id });

      assert.deepEqual(agent.machine.done, ['reboot', 'lock']);
      assert.equal(body['data'][0].name, 'bash');
    });

    test('a device that disconnects instead of answering is not called offline: it may still carry out the command', async () => {
      const { owner } = await service.account();
      await using rogue = await openRogueDevice(service.testClient.baseUrl);
      const { id } = await rogue.enter(await createEnrolToken(owner));
      const asked = owner.call('agents/reboot', { id });
      await rogue.next('command');

      rogue.socket.terminate();

      assert.equal((await asked).body.error?.code, 'agent_silent');
    });

    test('an unlinked device is notified, deletes its key and stops', async () => {
      const { owner } = await service.account();
      await using agent = startAgent({
        server: service.testClient.baseUrl,
        token: await createEnrolToken(owner),
      });
      await agent.until(/connected/);

      await owner.call('agents/logout', { id: agent.state.id });

      assert.equal((await agent.over).why, 'unlinked');
      assert.match(agent.machine.done.join(), /unlinked/);
    });

    test('a device that is told that it is unlinked stops without a delay', async () => {
      const { owner } = await service.account();
      const token = await createEnrolToken(owner);
      await using agent = startAgent({ server: service.testClient.baseUrl, token, random: () => 1 });
      await agent.until(/connected/);
      using started = startStopwatch();

      await owner.call('agents/logout', { id: agent.state.id });
      await agent.over;

      assert.ok(started.ms() < 10_000);
    });

    test('an unlinked device that does not obey is disconnected within 5 seconds', async () => {
      const { owner } = await service.account();
      await using rogue = await openRogueDevice(service.testClient.baseUrl);
      const { id } = await rogue.enter(await createEnrolToken(owner));
      await waitUntilOnline(owner, id);
      using started = startStopwatch();

      await owner.call('agents/logout', { id });

      assert.deepEqual(await rogue.closed, { code: 4_003, reason: 'unlinked' });
      assert.ok(started.ms() < 5_000);
    });

    test('a device that leaves during its handshake is not online afterwards', async () => {
      const { owner } = await service.account();
      const token = await createEnrolToken(owner, { uses: 10 });
      for (let round = 0; round < 10; round++) {
        const rogue = await openRogueDevice(service.testClient.baseUrl);
        rogue.prove(await rogue.hello({ token: parseEnrolmentToken(token)!.secret }));
        // The proof is in transit; the device disconnects before it is answered.
        await new Promise((resolve) => rogue.socket.send('', {}, resolve));
        rogue.socket.terminate();
      }
      await using last = startAgent({
        server: service.testClient.baseUrl,
        token: await createEnrolToken(owner),
      });
      await last.until(/connected/);
      await waitUntilOnline(owner, last.state.id);

      await eventually(
        async () => (await listDevices(owner)).filter(({ online }) => online),
        (online) => online.length === 1,
      );
    });
  });

test('an agent that is stopped while the server does not answer stops at once', async () => {
  const silentServer = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silentServer, 'listening');
  const agent = startAgent({ server: `https://127.0.0.1:${(silentServer.address() as AddressInfo).port}` });
  await once(silentServer, 'connection');
  using started = startStopwatch();

  await agent[Symbol.asyncDispose]();

  assert.ok(started.ms() < 2_000);
  silentServer.close();
});
