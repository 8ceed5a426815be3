/** Copied keys: detected whenever they are used, and never falsely, however often an agent dies halfway. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { connectOnce } from '@drawbridge/agent/uplink/connection';
import { newState, type AgentState } from '@drawbridge/agent/state';
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { startAgent } from '../kit/agent/agent.ts';
import { databases } from '../kit/server/database.ts';
import { createEnrolToken } from '../kit/server/enrolment.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { honestDevice, openRogueDevice } from '../kit/hostile/rogue-device.ts';
import { eventually } from '../kit/eventually.ts';
import type { TestPerson } from '../kit/server/account.ts';

const copiedOf = async (owner: TestPerson): Promise<{ id: number }[]> =>
  (await owner.call('agents/duplicates')).body['copied'] as { id: number }[];

for (const { kind, skip } of databases)
  describe(`copied keys on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind, realTime: true });
    });
    after(() => service[Symbol.asyncDispose]());

    test('a copy of a device is flagged once both were used, twenty times out of twenty', async () => {
      const { owner } = await service.account();
      const flagged: number[] = [];
      for (let round = 0; round < 20; round++) {
        await using agent = startAgent({
          server: service.testClient.baseUrl,
          token: await createEnrolToken(owner),
        });
        await agent.until(/connected/);
        const copy = structuredClone(agent.state);
        // Every other time the copy comes first, or while the original is still connected.
        if (round % 2 === 0) await agent.stop();
        const pair = round % 4 < 2 ? [copy, agent.state] : [agent.state, copy];
        for (const state of pair) await comeAndGo(state);
        flagged.push((await copiedOf(owner)).filter(({ id }) => id === copy.id).length);
      }

      assert.deepEqual(
        flagged,
        Array.from({ length: 20 }, () => 1),
      );
    });

    /**
     * Connects with this state as an agent does, and leaves when the server has received that the epoch is
     * stored.
     */
    async function comeAndGo(state: AgentState): Promise<void> {
      await using agent = startAgent({ server: service.testClient.baseUrl, state: structuredClone(state) });
      await agent.until(/connected/);
      Object.assign(state, agent.state);
    }

    test('a state that was restored from a backup is flagged', async () => {
      const { owner } = await service.account();
      await using agent = startAgent({
        server: service.testClient.baseUrl,
        token: await createEnrolToken(owner),
      });
      await agent.until(/connected/);
      const backup = structuredClone(agent.state);
      await agent.stop();
      await comeAndGo(agent.state);
      assert.deepEqual(await copiedOf(owner), []);

      await comeAndGo(backup);

      assert.equal((await copiedOf(owner)).length, 1);
    });

    test('the flag can be removed after a review; a copy that is used again sets it again', async () => {
      const account = await service.account();
      const { owner } = account;
      await using agent = startAgent({
        server: service.testClient.baseUrl,
        token: await createEnrolToken(owner),
      });
      await agent.until(/connected/);
      const copy = structuredClone(agent.state);
      await agent.stop();
      for (const state of [copy, agent.state]) await comeAndGo(state);
      const { id } = copy;
      const onlooker = await account.member([{ type: 'agent', permissions: ['agent_connect'], agentId: id }]);
      const clear = async (person: TestPerson) =>
        (await person.call('agents/copied/clear', { id })).body.status;

      assert.deepEqual([await clear(onlooker), (await copiedOf(owner)).length], [8, 1]);
      assert.deepEqual([await clear(owner), await copiedOf(owner)], [0, []]);
      await comeAndGo(agent.state);
      assert.deepEqual(await copiedOf(owner), [], 'the one that stays is not marked again');
      await comeAndGo(copy);

      assert.equal((await copiedOf(owner)).length, 1);
      const lines = (await owner.call('audit/list', { operation: 'agents/copied/clear' })).body['data'];
      assert.equal((lines as unknown[]).length, 2, 'what was done and what was refused are written down');
    });
  });

describe('a copy that hides what it knows', () => {
  test('is flagged too, at its first connection, and the original keeps its identity', async () => {
    await using service = await startService({ realTime: true });
    const { owner } = await service.account();
    await using agent = startAgent({
      server: service.testClient.baseUrl,
      token: await createEnrolToken(owner),
    });
    await agent.until(/connected/);
    const { publicKey, privateKey } = agent.state;
    await agent.stop();
    await using copy = await openRogueDevice(service.testClient.baseUrl, { key: { publicKey, privateKey } });

    copy.prove(await copy.hello());
    await copy.next('welcome');

    const [flagged] = (await copiedOf(owner)) as { id: number; time: number }[];
    assert.equal(flagged?.id, agent.state.id);
    await using again = startAgent({ server: service.testClient.baseUrl, state: agent.state });
    await again.until(/connected/);
  });
});

/** Where the agent dies. With `any` it depends on timing what has reached the server. */
const ends = [
  'before the epoch is kept',
  'once the epoch is on disk',
  'after saying so',
  'any',
  'any',
] as const;
type End = (typeof ends)[number];

describe('agents that die halfway', () => {
  test('are never taken for copies, in 209 connections', async () => {
    await using service = await startService({ realTime: true });
    const { owner } = await service.account();
    const token = parseEnrolmentToken(await createEnrolToken(owner, { uses: 11 }))!;
    const random = seeded(20_261_115);
    let [welcomes, deaths] = [0, 0];

    await Promise.all(
      Array.from({ length: 11 }, async () => {
        const disk = newState(service.testClient.baseUrl, token.secret, token.certificate);
        for (let round = 0; round < 19; round++) {
          const end = ends[Math.floor(random() * ends.length)]!;
          const welcomed = await liveUntil(end, disk, random() * 40);
          welcomes += Number(welcomed);
          deaths++;
        }
      }),
    );

    assert.equal(deaths, 209);
    assert.ok(welcomes > 100, `only ${welcomes} got as far as being welcomed`);
    await eventually(
      async () => (await owner.call('agents/list')).body['data'] as unknown[],
      (list) => list.length === 11,
    );
    assert.deepEqual(await copiedOf(owner), []);
  });
});

/** One run of an agent that is killed without notice. `disk` is all that survives it. */
async function liveUntil(end: End, disk: AgentState, afterMs: number): Promise<boolean> {
  let wire: TLSSocket | undefined;
  let timer: NodeJS.Timeout | undefined;
  const die = (): void => void wire?.destroy();
  const ending = await connectOnce({
    server: disk.server,
    credentials: structuredClone(disk),
    facts: structuredClone(honestDevice.facts) as never,
    fingerprint: structuredClone(honestDevice.fingerprint) as never,
    socketOptions: {
      createConnection: ((options: ConnectionOptions & { host: string }) => {
        wire = connect({ ...options, path: undefined, servername: options.host } as ConnectionOptions);
        if (end === 'any') timer = setTimeout(die, afterMs);
        return wire;
      }) as never,
    },
    onWelcome({ id, epoch }, serverKey) {
      if (end === 'before the epoch is kept') return die();
      Object.assign(disk, { id, epoch, serverKey, token: '' });
      if (end === 'once the epoch is on disk') die();
    },
    onReady: () => void (end === 'after saying so' && die()),
    onCommand: async () => ({ done: {} }),
  });
  clearTimeout(timer);
  return ending.welcomed;
}

/** Numbers between 0 and 1 that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
