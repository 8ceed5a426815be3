/**
 * Servers that start before NATS does: each serves its own devices at once, and those of the other as soon as
 * it can.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestPerson } from '../../kit/server/account.ts';
import { startAgent } from '../../kit/agent/agent.ts';
import { createPersonAt } from '../../kit/server/person-at.ts';
import { openDatabaseFor } from '../../kit/server/database.ts';
import { waitUntilOnline, createEnrolToken } from '../../kit/server/enrolment.ts';
import { startService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { createSharedSettings } from '../../kit/server/shared-settings.ts';
import { startNats } from '../../kit/server/nats.ts';
import { eventually } from '../../kit/eventually.ts';
import { startStopwatch } from '../../kit/stopwatch.ts';

const skip = skipWithout('PostgreSQL') || skipWithout('nats-server');

const reboot = async (person: TestPerson, id: number) => (await person.call('agents/reboot', { id })).body;

test(
  'without NATS a server starts and serves its own devices, and refuses the rest in time',
  { skip },
  async () => {
    await using nats = await startNats();
    await nats.stop();
    const database = await openDatabaseFor('postgres');
    await using cleanup = new AsyncDisposableStack();
    cleanup.defer(() => database.drop());
    const shared = cleanup.use(await createSharedSettings());
    const env = { ...database.env, ...shared.env, DRAWBRIDGE_BUS: nats.url };
    const one = cleanup.use(await startService({ env, realTime: true }));
    const other = cleanup.use(await startService({ env, realTime: true }));
    const { owner: here } = await one.account();
    const there = createPersonAt(other.testClient.baseUrl, here.apiKey, shared.folder);
    await using agent = startAgent({ server: one.testClient.baseUrl, token: await createEnrolToken(here) });
    await agent.until(/connected/);
    const { id } = agent.state;
    await waitUntilOnline(there, id);

    using started = startStopwatch();
    const refused = await reboot(there, id);
    const took = started.ms();

    assert.deepEqual(await reboot(here, id), { status: 0 });
    assert.deepEqual([refused.status, refused.error?.code], [1, 'node_unreachable']);
    assert.ok(took < 5_000, `it took ${took} ms`);
    assert.equal(one.logged.filter((line) => line.includes('the bus is down')).length, 1);

    await nats.start();
    await eventually(
      () => reboot(there, id),
      ({ status }) => status === 0,
    );
    await eventually(
      () => one.logged.some((line) => line.includes('the bus is up')),
      (isSaid) => isSaid,
    );
  },
);
