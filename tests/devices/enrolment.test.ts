/**
 * How devices enrol: tokens with a use count and an expiry that can be revoked, and devices that wait for
 * approval.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import type { AgentExit } from '@drawbridge/agent/agent';
import { startAgent } from '../kit/agent/agent.ts';
import { eventually } from '../kit/eventually.ts';
import { databases } from '../kit/server/database.ts';
import { listDevices, waitUntilOnline, createEnrolToken } from '../kit/server/enrolment.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openRogueDevice } from '../kit/hostile/rogue-device.ts';

const day = 86_400;

for (const { kind, skip } of databases)
  describe(`enrolment on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    test('of ten devices that compete for the last use of a token, one wins', async () => {
      const { owner } = await service.account();
      const token = await createEnrolToken(owner, { uses: 1 });
      const agents = Array.from({ length: 10 }, () =>
        startAgent({ server: service.testClient.baseUrl, token }),
      );

      const ends: AgentExit[] = [];
      for (const agent of agents) void agent.over.then((end) => ends.push(end));
      await eventually(
        () =>
          agents.filter(({ lines }) => lines.some((line) => line.includes('connected'))).length + ends.length,
        (settled) => settled === agents.length,
      );

      assert.equal(ends.filter(({ why }) => why === 'refused').length, 9);
      assert.equal((await listDevices(owner)).length, 1);
      await Promise.all(agents.map((agent) => agent[Symbol.asyncDispose]()));
    });

    test('a token counts down as devices enrol, and leaves the list when it is used up', async () => {
      const { owner } = await service.account();
      const token = await createEnrolToken(owner, { uses: 2 });
      const left = async () =>
        ((await owner.call('agents/enroll/list')).body['data'] as { uses_left: number }[]).map(
          (each) => each.uses_left,
        );
      const counts = [await left()];
      for (const name of ['first', 'second']) {
        await using agent = startAgent({ server: service.testClient.baseUrl, token });
        await agent.until(/connected/);
        counts.push(await left());
        assert.equal(agent.state.owner, owner.email, name);
      }

      assert.deepEqual(counts, [[2], [1], []]);
    });

    test('a device that lost power before it knew that it had enrolled comes back as the same device', async () => {
      const { owner } = await service.account();
      const token = await createEnrolToken(owner, { uses: 2 });
      await using rogue = await openRogueDevice(service.testClient.baseUrl);
      rogue.prove(await rogue.hello({ token: parseEnrolmentToken(token)!.secret }));
      const { id } = await rogue.next('welcome');
      rogue.socket.terminate();

      await using again = await openRogueDevice(service.testClient.baseUrl, { key: rogue.key });
      const welcome = await again.enter(token);

      assert.equal(welcome.id, id);
      assert.equal((await owner.call('agents/enroll/list')).body['data'][0].uses_left, 1);
      assert.deepEqual((await owner.call('agents/duplicates')).body['copied'], []);
    });

    test('an expired token is refused', async () => {
      const { owner } = await service.account();
      const token = await createEnrolToken(owner);
      service.advance(day);
      await using agent = startAgent({ server: service.testClient.baseUrl, token });

      const end = await agent.over;

      assert.deepEqual(end, {
        why: 'refused',
        message: 'The token is unknown, used up, expired or revoked.',
      });
      assert.deepEqual(await listDevices(owner), []);
    });

    test('a revoked token is refused, and devices that enrolled with it stay', async () => {
      const { owner } = await service.account();
      const { body } = await owner.call('agents/enroll/create', { uses: 5 });
      const token = body['token'] as string;
      await using early = startAgent({ server: service.testClient.baseUrl, token });
      await early.until(/connected/);

      await owner.call('agents/enroll/revoke', { id: body['id'] });
      await using late = startAgent({ server: service.testClient.baseUrl, token });

      assert.equal((await late.over).why, 'refused');
      assert.deepEqual((await owner.call('agents/lock', { id: early.state.id })).body, { status: 0 });
    });

    test('a token whose creator lost the permission is listed as not working, and can be revoked before the permission returns', async () => {
      const account = await service.account();
      const right = { type: 'team', permissions: ['team_permanent_access'] } as const;
      const tech = await account.member([]);
      const { roleId } = await account.grant(tech, right);
      const token = await createEnrolToken(tech, { uses: 5 });
      const listed = async () =>
        (await account.owner.call('agents/enroll/list')).body['data'] as {
          id: number;
          email: string;
          active: boolean;
        }[];
      const states = async () => (await listed()).map(({ email, active }) => [email, active]);
      const earlier = await states();

      await account.owner.call('team/role/remove', { id: roleId });
      const meanwhile = await states();
      for (const { id } of await listed()) await account.owner.call('agents/enroll/revoke', { id });
      await account.grant(tech, right);
      await using rogue = await openRogueDevice(service.testClient.baseUrl);
      rogue.prove(await rogue.hello({ token: parseEnrolmentToken(token)!.secret }));

      assert.deepEqual([earlier, meanwhile], [[[tech.email, true]], [[tech.email, false]]]);
      assert.match((await rogue.next('refused')).message, /revoked/);
    });

    test('a token puts devices into its group', async () => {
      const account = await service.account();
      const group = await account.group('Reception');
      const token = await createEnrolToken(account.owner, { group_id: group });
      await using agent = startAgent({ server: service.testClient.baseUrl, token });
      await agent.until(/connected/);

      const { body } = await account.owner.call('agents/list', { group_id: String(group) });

      assert.deepEqual(
        (body['data'] as { id: number }[]).map(({ id }) => id),
        [agent.state.id],
      );
    });

    test('a token of one account does not work in another', async () => {
      const [one, other] = [await service.account(), await service.account()];
      await using agent = startAgent({
        server: service.testClient.baseUrl,
        token: await createEnrolToken(one.owner),
      });
      await agent.until(/connected/);

      assert.deepEqual(await listDevices(other.owner), []);
      const { http } = await other.owner.call('agents/reboot', { id: agent.state.id });
      assert.equal(http, 403);
    });

    test('if the account requires approval, a new device waits, receives nothing, and works once approved', async () => {
      const { owner } = await service.account();
      await owner.call('account/update', { approve_devices: true });
      await using agent = startAgent({
        server: service.testClient.baseUrl,
        token: await createEnrolToken(owner),
      });
      await agent.until(/connected/);
      const { id } = agent.state;
      await waitUntilOnline(owner, id);

      const pending = (await owner.call('agents/pending')).body['data'] as { id: number }[];
      const reboot = await owner.call('agents/reboot', { id });
      const connect = await owner.call('agents/connect', { agent_id: id });

      assert.deepEqual(
        pending.map((each) => each.id),
        [id],
      );
      assert.deepEqual([reboot.body.status, reboot.body.error?.code], [1, 'agent_refused']);
      assert.match(reboot.body.error!.message, /is waiting for approval/);
      assert.deepEqual([connect.http, connect.body.error?.code], [403, 'agent_not_approved']);
      assert.deepEqual(agent.machine.done, []);

      assert.deepEqual((await owner.call('agents/approve', { id })).body, { status: 0 });
      assert.deepEqual((await owner.call('agents/reboot', { id })).body, { status: 0 });
      assert.equal((await owner.call('agents/connect', { agent_id: id })).http, 200);
      assert.deepEqual((await owner.call('agents/pending')).body['data'], []);
      assert.deepEqual(agent.machine.done, ['reboot']);
      assert.equal(agent.lines.filter((line) => /connected as/.test(line)).length, 1);
    });

    test('a device that waits for approval can be refused, and is notified at once', async () => {
      const { owner } = await service.account();
      await owner.call('account/update', { approve_devices: true });
      await using agent = startAgent({
        server: service.testClient.baseUrl,
        token: await createEnrolToken(owner),
      });
      await agent.until(/connected/);

      await owner.call('agents/logout', { id: agent.state.id });

      assert.equal((await agent.over).why, 'unlinked');
    });
  });
