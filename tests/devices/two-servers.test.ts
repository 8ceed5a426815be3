/**
 * Two servers on one PostgreSQL and one NATS: devices of one server used through the other, and what works
 * when parts fail.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestPerson } from '../kit/server/account.ts';
import { startAgent } from '../kit/agent/agent.ts';
import { createPersonAt } from '../kit/server/person-at.ts';
import { openTcpProxy } from '../kit/server/proxies.ts';
import { waitUntilOnline, createEnrolToken } from '../kit/server/enrolment.ts';
import { startService } from '../kit/server/service.ts';
import { skipWithout } from '../kit/requirements.ts';
import type { Nats } from '../kit/server/nats.ts';
import type { ServerProcess } from '../kit/process.ts';
import { openRogueDevice } from '../kit/hostile/rogue-device.ts';
import { eventually } from '../kit/eventually.ts';
import { startTwoServers, type TwoServers } from '../kit/server/two-servers.ts';
import { startStopwatch } from '../kit/stopwatch.ts';

const skip = skipWithout('PostgreSQL') || skipWithout('nats-server');

describe('two servers on one database and one bus', { skip }, () => {
  let two: TwoServers;
  let nats: Nats;
  let one: ServerProcess;
  let other: ServerProcess;
  /** The same owner at both servers. */
  let here: TestPerson;
  let there: TestPerson;
  before(async () => {
    two = await startTwoServers();
    ({ nats, one, other, here, there } = two);
  });
  after(() => two[Symbol.asyncDispose]());

  /** A device at one server, listed as online by the other. */
  async function device() {
    const agent = startAgent({ server: one.url, token: await createEnrolToken(here), random: () => 0.02 });
    await agent.until(/connected/);
    await waitUntilOnline(there, agent.state.id);
    return agent;
  }
  const reboot = async (person: TestPerson, id: number) => (await person.call('agents/reboot', { id })).body;

  test('a device at one server is listed, renamed, rebooted and unlinked through the other', async () => {
    await using agent = await device();
    const { id } = agent.state;

    assert.deepEqual(await reboot(there, id), { status: 0 });
    assert.equal((await there.call('agents/update', { id, name: 'Reception' })).http, 200);
    await eventually(
      () => agent.state.name,
      (name) => name === 'Reception',
    );
    assert.equal((await there.call('agents/software', { agent_id: id })).body['data'][0].name, 'bash');
    assert.deepEqual((await there.call('agents/logout', { id })).body, { status: 0 });

    assert.equal((await agent.over).why, 'unlinked');
    assert.deepEqual(agent.machine.done.slice(0, 1), ['reboot']);
  });

  test('a device that waits for approval is approved through the other server, and works at once', async () => {
    await there.call('account/update', { approve_devices: true });
    await using agent = await device();
    await there.call('account/update', { approve_devices: false });
    const { id } = agent.state;

    assert.match((await reboot(there, id)).error!.message, /is waiting for approval/);
    await there.call('agents/approve', { id });

    assert.deepEqual(await reboot(there, id), { status: 0 });
  });

  test('a device that moves to the other server is at one of them only', async () => {
    await using rogue = await openRogueDevice(one.url);
    const { id } = await rogue.enter(await createEnrolToken(here));
    await waitUntilOnline(there, id);

    // Without disconnecting from the first server, as when its network has changed.
    await using moved = await openRogueDevice(other.url, { key: rogue.key });
    await moved.enter();

    assert.deepEqual(await rogue.closed, { code: 4_001, reason: 'replaced' });
    const answered = reboot(here, id);
    const { number } = await moved.next('command');
    moved.send({ kind: 'answer', number, done: {} });
    assert.deepEqual(await answered, { status: 0 });
    await waitUntilOnline(here, id);
  });

  test('a device that moves while NATS is away is at one of them only, soon after', async () => {
    await using rogue = await openRogueDevice(one.url);
    const { id } = await rogue.enter(await createEnrolToken(here));
    await waitUntilOnline(there, id);
    await nats.stop();
    await using moved = await openRogueDevice(other.url, { key: rogue.key });
    await moved.enter();
    using started = startStopwatch();

    assert.deepEqual(await rogue.closed, { code: 4_001, reason: 'replaced' });
    assert.ok(started.ms() <= 15_000);
    await nats.start();
    await waitUntilOnline(here, id);
  });

  test('without NATS each server serves its own devices, refuses the rest, and recovers when NATS is back', async () => {
    await using agent = await device();
    await using leaving = await device();
    const { id } = agent.state;

    await nats.stop();
    await eventually(
      () => reboot(there, id),
      (body) => body.status !== 0,
    );
    const done = agent.machine.done.length;
    using started = startStopwatch();
    const refused = await reboot(there, id);
    const took = started.ms();
    assert.deepEqual([refused.status, refused.error?.code], [1, 'node_unreachable']);
    assert.ok(took < 10_000, `it took ${took} ms`);
    assert.deepEqual(await reboot(here, id), { status: 0 });
    assert.equal((await there.call('agents/list')).http, 200);
    assert.equal(agent.machine.done.length, done + 1);

    // The first server finds out by itself what the other cannot tell it.
    await there.call('agents/logout', { id: leaving.state.id });
    assert.equal((await leaving.over).why, 'unlinked');

    await nats.start();
    await eventually(
      () => reboot(there, id),
      (body) => body.status === 0,
    );
    assert.equal(agent.machine.done.length, done + 2, 'nothing was kept back and done later');
  });

  test('when one server is stopped, its devices are offline at once and move to the other', async () => {
    let target = one.url;
    await using shared = await openTcpProxy(() => target);
    await using mover = startAgent({
      server: one.url,
      token: await createEnrolToken(here),
      random: () => 0.02,
    });
    await mover.until(/connected/);
    await mover.stop();
    const state = { ...mover.state, server: shared.url };
    await using agent = startAgent({ server: shared.url, state, random: () => 0.02 });
    await using lonely = await device();
    await waitUntilOnline(there, agent.state.id);

    target = other.url;
    assert.equal(await one.end('SIGTERM'), 0);
    using stopped = startStopwatch();
    await lonely.stop();
    await waitUntilOnline(there, lonely.state.id, false);
    await waitUntilOnline(there, agent.state.id);

    assert.ok(stopped.ms() < 10_000);
    assert.deepEqual(await reboot(there, agent.state.id), { status: 0 });
  });

  test('when one server is killed, its devices cannot be reached, and count as offline when its lease ends', async () => {
    await using third = await startService({
      env: two.env,
      realTime: true,
    });
    const witness = createPersonAt(third.testClient.baseUrl, there.apiKey, two.folder);
    await using rogue = await openRogueDevice(other.url);
    const { id } = await rogue.enter(await createEnrolToken(there));
    await waitUntilOnline(witness, id);

    await other.end('SIGKILL');
    using killed = startStopwatch();
    const meanwhile = await reboot(witness, id);
    await waitUntilOnline(witness, id, false);
    const afterwards = await reboot(witness, id);

    assert.ok(killed.ms() / 1_000 <= 31);
    assert.deepEqual([meanwhile.status, meanwhile.error?.code], [1, 'node_unreachable']);
    assert.deepEqual([afterwards.status, afterwards.error?.code], [1, 'agent_offline']);
  });
});
