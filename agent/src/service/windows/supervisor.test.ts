/** Tests how the service of Windows keeps the agent running, and when it returns to the previous version. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { restartCode } from '../../run.ts';
import {
  beginTrial,
  createSlot,
  endTrial,
  programIn,
  settleTrial,
  slotFile,
  switchTo,
} from '../../update/slots.ts';
import { logName, openServiceLog } from './service-log.ts';
import { superviseAgent } from './supervisor.ts';

/** A device with programs in both slots, of which `a` was installed first. Time stands still. */
function createDevice(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-supervisor-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  for (const slot of ['a', 'b'] as const) {
    writeFileSync(createSlot(folder, slot), '');
    chmodSync(slotFile(folder, slot), 0o755);
  }
  switchTo(folder, 'a');
  const device = {
    folder,
    /** The slots of the programs that were started. */
    started: [] as string[],
    end: (_code: number): void => {},
    killed: 0,
    asked: 0,
    cannotStart: '',
    /** Lets everything happen that needs no time. */
    settle: async () => {
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    },
    async pass(seconds: number) {
      for (let each = 0; each < seconds; each += 1) {
        t.mock.timers.tick(1_000);
        await device.settle();
      }
    },
  };
  const supervisor = superviseAgent({
    folder,
    log: openServiceLog(folder),
    async start(program) {
      const slot = program === slotFile(folder, 'a') ? 'a' : 'b';
      device.started.push(slot);
      if (device.cannotStart === slot) throw new Error('Windows could not start the agent.');
      const { promise, resolve } = Promise.withResolvers<number>();
      device.end = resolve;
      const kill = (): void => ((device.killed += 1), resolve(1));
      return { session: 1, stop: () => ((device.asked += 1), resolve(0)), kill, exited: promise };
    },
  });
  return { device, supervisor };
}

async function update({ device }: ReturnType<typeof createDevice>): Promise<void> {
  beginTrial(device.folder, { previous: 'a', version: '1.1.0' });
  switchTo(device.folder, 'b');
  device.end(restartCode);
  await device.settle();
}

test('an agent that fails is started again after 2, 10 and 60 seconds', async (t) => {
  const { device } = createDevice(t);
  const counts: number[] = [];

  for (const seconds of [2, 10, 60, 60]) {
    await device.settle();
    device.end(1);
    await device.settle();
    await device.pass(seconds - 1);
    counts.push(device.started.length);
    await device.pass(1);
  }

  assert.deepEqual([counts, device.started.length], [[1, 2, 3, 4], 5]);
});

test('an agent whose device was unlinked is not started again', async (t) => {
  const { device, supervisor } = createDevice(t);
  await device.settle();

  device.end(0);
  await supervisor.ended;

  assert.deepEqual(device.started, ['a']);
});

test('a change of the session starts the agent again at once, and a stop ends it', async (t) => {
  const { device, supervisor } = createDevice(t);
  await device.settle();

  supervisor.move();
  await device.settle();
  supervisor.stop();
  await supervisor.ended;

  assert.deepEqual([device.started, device.asked], [['a', 'a'], 2]);
});

test('a new version that connects stays, however long it runs', async (t) => {
  const fixture = createDevice(t);
  const { device } = fixture;
  await device.settle();
  await update(fixture);

  await device.pass(299);
  endTrial(device.folder);
  await device.pass(600);

  assert.deepEqual([device.started, device.killed], [['a', 'b'], 0]);
});

test('a new version that hangs is ended after five minutes, and the previous one starts', async (t) => {
  const fixture = createDevice(t);
  const { device } = fixture;
  await device.settle();
  await update(fixture);

  await device.pass(299);
  const before = device.killed;
  await device.pass(3);

  assert.deepEqual([before, device.killed, device.started], [0, 1, ['a', 'b', 'a']]);
  assert.deepEqual(settleTrial(device.folder), { state: 'failed', previous: 'a', version: '1.1.0' });
});

test('a new version that ends or cannot be started is replaced at the fourth start', async (t) => {
  const fixture = createDevice(t);
  const { device } = fixture;
  await device.settle();
  device.cannotStart = 'b';
  await update(fixture);

  await device.pass(2 + 10 + 60);

  assert.deepEqual(device.started, ['a', 'b', 'b', 'b', 'a']);
  assert.equal(settleTrial(device.folder).state, 'failed');
});

test('a previous version that cannot be restored is tried again later, and the service goes on', async (t) => {
  const created = createDevice(t);
  const { device } = created;
  await device.settle();
  await update(created);
  const obstacle = `${programIn(device.folder)}.link`;
  mkdirSync(obstacle);
  await device.pass(300);
  const before = [device.killed, device.started.at(-1)];
  rmSync(obstacle, { recursive: true });
  await device.pass(302);

  assert.deepEqual([before, device.killed, device.started.at(-1)], [[0, 'b'], 1, 'a']);
});

test('a new version that hangs is ended after five minutes, also if a full disk prevented that its start was counted', async (t) => {
  const { device } = createDevice(t);
  await device.settle();
  beginTrial(device.folder, { previous: 'a', version: '1.1.0' });
  switchTo(device.folder, 'b');
  symlinkSync('/dev/full', join(device.folder, 'starts'));

  device.end(restartCode);
  await device.settle();
  await device.pass(302);

  assert.deepEqual([device.killed, device.started], [1, ['a', 'b', 'a']]);
});

test('a full disk under the log keeps no agent from being started again', async (t) => {
  const { device, supervisor } = createDevice(t);
  await device.settle();
  rmSync(join(device.folder, logName));
  symlinkSync('/dev/full', join(device.folder, logName));

  device.end(1);
  device.cannotStart = 'a';
  await device.settle();
  await device.pass(2);
  device.cannotStart = '';
  await device.pass(10);
  device.end(0);
  await supervisor.ended;

  assert.deepEqual(device.started, ['a', 'a', 'a']);
});
