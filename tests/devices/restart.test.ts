/** Servers that stop, and devices that reconnect by themselves. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { describe, test } from 'node:test';
import { startAgent, type TestAgent } from '../kit/agent/agent.ts';
import { createPersonAt } from '../kit/server/person-at.ts';
import { listDevices, createEnrolToken } from '../kit/server/enrolment.ts';
import { freePort } from '../kit/free-port.ts';
import { firstApiKey, startServerProcess } from '../kit/process.ts';
import { openRogueDevice } from '../kit/hostile/rogue-device.ts';
import { eventually } from '../kit/eventually.ts';

const connections = (agent: TestAgent): number =>
  agent.lines.filter((line) => /connected as/.test(line)).length;

describe('a server that stops', () => {
  test('finds its devices again after it was killed, and asks them to move when it is stopped', async () => {
    const port = await freePort();
    const first = await startServerProcess({}, { port });
    const { folder, url } = first;
    const owner = createPersonAt(url, firstApiKey(first), folder);
    const token = await createEnrolToken(owner, { uses: 6 });
    // Each waits a random fraction of its back-off delay.
    const agents = [0.001, 0.003, 0.01, 0.02, 0.03].map((part) =>
      startAgent({ server: url, token, random: () => part }),
    );
    await Promise.all(agents.map((agent) => agent.until(/connected/)));

    await first.end('SIGKILL');
    await eventually(
      () => agents.map((agent) => agent.lines.filter((line) => /retrying in/.test(line)).length),
      (counts) => counts.every((count) => count > 1),
    );
    await using second = await startServerProcess({}, { port, folder });
    await eventually(
      () => listDevices(owner),
      (list) => list.filter(({ online }) => online).length === 5,
    );
    await using rogue = await openRogueDevice(url);
    await rogue.enter(token);
    const copied = (await owner.call('agents/duplicates')).body['copied'];
    const exit = await second.end('SIGTERM');

    assert.deepEqual(agents.map(connections), [2, 2, 2, 2, 2]);
    assert.deepEqual(copied, []);
    assert.deepEqual(await rogue.next('move'), { kind: 'move', after_seconds: 0 });
    assert.deepEqual(await rogue.closed, { code: 1_012, reason: 'the server stops' });
    assert.equal(exit, 0);
    await Promise.all(agents.map((agent) => agent[Symbol.asyncDispose]()));
    rmSync(folder, { recursive: true });
  });
});
