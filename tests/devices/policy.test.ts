/** How a device receives its policy and keeps it: on connecting, after changes, over restarts and while it is offline. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { defaultPolicy, type Policy } from '@drawbridge/contract/policy';
import { loadState } from '@drawbridge/agent/state';
import { createBusFleet } from '@drawbridge/server/gateway/devices/fleet';
import { startAgent, type TestAgent } from '../kit/agent/agent.ts';
import { recordUpdateRequests } from '../kit/agent/update-requests.ts';
import { databases } from '../kit/server/database.ts';
import { createEnrolToken, waitUntilOnline } from '../kit/server/enrolment.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openRogueDevice } from '../kit/hostile/rogue-device.ts';
import { eventually } from '../kit/eventually.ts';

for (const { kind, skip } of databases)
  describe(`policies of devices on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    const stored = ({ folder }: TestAgent): Policy | undefined => loadState(folder)?.policy?.policy;
    const untilStored = (agent: TestAgent, some: Partial<Policy>) =>
      eventually(
        () => stored(agent),
        (policy) =>
          policy !== undefined &&
          Object.entries(some).every(([name, value]) => policy[name as keyof Policy] === value),
      );

    test('a device keeps the policy of account, group and device, and every change of it', async () => {
      const account = await service.account();
      const { owner } = account;
      await owner.call('account/policy/update', { terminal: 'off' });
      await using agent = startAgent({
        server: service.testClient.baseUrl,
        token: await createEnrolToken(owner),
      });
      await untilStored(agent, { ...defaultPolicy, terminal: 'off' });
      const { id: agent_id } = agent.state;
      const id = await account.group();
      await owner.call('groups/policy/update', { id, files: 'from_device', terminal: 'on' });

      await owner.call('groups/agent/insert', { id, agent_id });
      await untilStored(agent, { ...defaultPolicy, files: 'from_device' });
      await owner.call('agents/policy/update', { agent_id, files: 'off' });
      await untilStored(agent, { files: 'off', terminal: 'on' });
      await owner.call('groups/remove', { id });
      await untilStored(agent, { files: 'off', terminal: 'off' });
      assert.equal((await owner.call('agents/policy', { agent_id })).body['enforced'], true);
    });

    test('a policy counts after a restart without the server, and a change made meanwhile on the next connection', async () => {
      const { owner } = await service.account();
      const server = service.testClient.baseUrl;
      await using first = startAgent({ server, token: await createEnrolToken(owner) });
      const { id: agent_id } = await eventually(
        () => first.state,
        ({ id }) => id !== 0,
      );
      await owner.call('agents/policy/update', { agent_id, terminal: 'off' });
      await untilStored(first, { terminal: 'off' });
      await first.stop();
      await owner.call('agents/policy/update', { agent_id, files: 'off' });

      const kept = loadState(first.folder)!;
      assert.deepEqual(kept.policy!.policy, { ...defaultPolicy, terminal: 'off' });
      await using second = startAgent({ server, state: kept });
      await untilStored(second, { terminal: 'off', files: 'off' });
      assert.ok(second.state.policy!.number > 1);
    });

    test('a device refuses updates that its policy does not allow, even if it is asked', async () => {
      const { owner } = await service.account();
      const { requested, createUpdates } = recordUpdateRequests();
      await using agent = startAgent({
        server: service.testClient.baseUrl,
        token: await createEnrolToken(owner),
        createUpdates,
      });
      await untilStored(agent, { update_channel: 'stable' });
      const { id: agent_id } = agent.state;
      const ask = (version: string) =>
        createBusFleet(service.server.bus, service.server.store).command(agent_id, 'self_update', {
          version,
        });

      const allowed = await ask('1.1.0');
      await owner.call('agents/policy/update', { agent_id, update_channel: 'off' });
      await untilStored(agent, { update_channel: 'off' });
      const refused = await ask('1.2.0');

      assert.deepEqual(requested, ['1.1.0']);
      assert.deepEqual(
        [allowed, refused],
        [{ done: {} }, { refused: 'The policy of the device does not allow updates.' }],
      );
    });

    test('a device with an older agent is not sent what it does not know, and one that waits for approval gets it then', async () => {
      const { owner } = await service.account();
      const server = service.testClient.baseUrl;
      await using older = await openRogueDevice(server, { version: 2 });
      const { id } = await older.enter(await createEnrolToken(owner));
      await waitUntilOnline(owner, id);
      await owner.call('account/update', { approve_devices: true });
      await using agent = startAgent({ server, token: await createEnrolToken(owner) });
      await agent.until(/connected/);
      await owner.call('account/policy/update', { files: 'off' });
      const { id: waiting } = agent.state;
      assert.equal(stored(agent), undefined);

      await owner.call('agents/approve', { id: waiting });
      await untilStored(agent, { files: 'off' });

      assert.ok(older.received.every((message) => message.kind !== 'command'));
      assert.equal((await owner.call('agents/policy', { agent_id: id })).body['enforced'], false);
    });

    test('a number that falls during a connection is ignored, and the first policy of a connection counts', async () => {
      const { owner } = await service.account();
      await using agent = startAgent({
        server: service.testClient.baseUrl,
        token: await createEnrolToken(owner),
      });
      await untilStored(agent, defaultPolicy);
      const { id } = agent.state;
      const send = (number: number, some: Partial<Policy>) =>
        service.server.bus.request(
          `agent.${id}.command`,
          { name: 'policy', input: { number, policy: { ...defaultPolicy, ...some } } },
          5_000,
        );

      await send(1_000, { terminal: 'off' });
      await send(999, { terminal: 'on' });
      assert.equal(stored(agent)!.terminal, 'off');
      const kept = loadState(agent.folder)!;
      await agent.stop();
      await using again = startAgent({ server: service.testClient.baseUrl, state: kept });

      await untilStored(again, { terminal: 'on' });
      assert.ok(again.state.policy!.number < 999);
    });
  });
