/** How the agent follows the signals of the login manager on a real system bus. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { watchLogins } from '@drawbridge/agent/platform/linux/wayland/dbus/login-signals';
import { manager, sendChange } from '../../../kit/display/people/login-manager.ts';
import { createSystemBus, type SystemBus } from '../../../kit/display/people/system-bus.ts';
import { eventually } from '../../../kit/eventually.ts';
import { skipWithout } from '../../../kit/requirements.ts';

const skip = skipWithout('programs of a desktop');

function createBus(): SystemBus {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-bus-'));
  const bus = createSystemBus(folder);
  return {
    ...bus,
    async [Symbol.asyncDispose]() {
      await bus[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Counts how often something has changed. */
function watch() {
  let count = 0;
  const stop = watchLogins(() => void (count += 1));
  const reaches = (least: number) =>
    eventually(
      () => count,
      (now) => now >= least,
    );
  return { count: () => count, reaches, [Symbol.dispose]: stop };
}

const connections = async (bus: Awaited<ReturnType<SystemBus['connect']>>): Promise<string[]> =>
  (await bus.listNames()).filter((name) => name.startsWith(':'));

test(
  'only what the login manager says about seats, active logins and locked screens counts',
  { skip },
  async () => {
    await using bus = createBus();
    await bus.start();
    const logind = await bus.connect();
    await logind.requestName(manager, 0);
    using watching = watch();
    await watching.reaches(1);
    const [own = ''] = (await connections(logind)).filter((name) => name !== logind.name);
    const other = await bus.connect();

    // Neither what somebody else says, to all or to the agent, nor what does not matter.
    sendChange(other, 'Session', { Active: true });
    other.connection.message({
      type: 4,
      serial: (other.serial += 1),
      destination: own,
      path: '/org/freedesktop/login1',
      interface: `${manager}.Manager`,
      member: 'SessionNew',
    });
    await other.getId();
    sendChange(logind, 'Session', { IdleHint: true });
    sendChange(logind, 'Session', { LockedHint: true });
    await watching.reaches(2);
    sendChange(logind, 'Seat', { ActiveSession: true });
    await watching.reaches(3);
    // What was sent before the question has arrived by then.
    for (let question = 0; question < 2; question += 1) await logind.getId();

    assert.equal(watching.count(), 3);
  },
);

test('all watchers share one connection, which is closed after the last', { skip }, async () => {
  await using bus = createBus();
  await bus.start();
  const own = await bus.connect();
  const one = watch();
  await one.reaches(1);
  const other = watch();
  await other.reaches(1);
  const during = await connections(own);

  one[Symbol.dispose]();
  const between = await connections(own);
  other[Symbol.dispose]();
  const after = await eventually(
    () => connections(own),
    (names) => names.length < 2,
  );

  assert.deepEqual([during.length, between.length, after], [2, 2, [own.name]]);
});

test(
  'a bus that comes late, or breaks, is connected again, and what may have been missed is looked at',
  { skip },
  async () => {
    await using bus = createBus();
    using watching = watch();
    await bus.start();
    await watching.reaches(1);

    await bus.stop();
    await bus.start();
    await watching.reaches(2);
    const logind = await bus.connect();
    await logind.requestName(manager, 0);
    await watching.reaches(3);
    sendChange(logind, 'Session', { Active: true });

    assert.equal(await watching.reaches(4), 4);
  },
);

test('a bus that does not answer is tried less and less often, without an error', async () => {
  await using _ = createBus();
  const [, path = ''] = process.env['DBUS_SYSTEM_BUS_ADDRESS']!.split('=');
  const tries: number[] = [];
  const server = createServer((socket) => {
    tries.push(performance.now());
    socket.destroy();
  }).listen(path);
  await once(server, 'listening');
  const watching = watch();
  await eventually(
    () => tries.length,
    (count) => count === 3,
  );
  watching[Symbol.dispose]();
  server.close();
  const [first = 0, second = 0, third = 0] = tries;

  assert.ok(second - first > 950 && third - second > 1_900, `tried after ${tries.join(', ')} ms`);
  assert.equal(watching.count(), 0);
});
