/** Tests when an agent keeps a new version, returns to the previous one, and looks for a release itself. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createSelfUpdates, type SelfUpdates, type UpdateReport } from './self-updates.ts';
import { beginTrial, createSlot, currentSlot, switchTo, type Slot } from './slots.ts';

const minute = 60_000;

/** A device with programs in both slots, whose server does not answer. */
function createDevice(t: TestContext, current: Slot) {
  const outer = mkdtempSync(join(tmpdir(), 'drawbridge-self-'));
  t.after(() => rmSync(outer, { recursive: true, force: true }));
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const folder = join(outer, 'program');
  for (const slot of ['a', 'b'] as const) {
    const program = createSlot(folder, slot);
    writeFileSync(program, '');
    chmodSync(program, 0o755);
  }
  mkdirSync(join(outer, 'state'));
  switchTo(folder, current);
  const device = { folder, restarts: 0, lines: [] as string[], allowed: true, reports: [] as UpdateReport[] };
  const send = (report: UpdateReport): void => void device.reports.push(report);
  const start = (): SelfUpdates =>
    createSelfUpdates({
      folder,
      stateFolder: join(outer, 'state'),
      releaseKey: 'x',
      running: '1.0.0',
      system: { os: 'linux', arch: 'x64' },
      server: () => ({ url: 'https://127.0.0.1:1' }),
      isAllowed: () => device.allowed,
      random: () => 0.5,
      now: () => 0,
      freeBytes: async () => 0,
      untilIdle: async () => {},
      restart: () => void (device.restarts += 1),
      log: (line) => void device.lines.push(line),
    });
  return { device, start, send };
}

const tried = async (lines: readonly string[]): Promise<void> => {
  while (!lines.some((line) => line.startsWith('not updated'))) await new Promise(setImmediate);
};

test('a new version that the server accepts stays, and reports it once', (t) => {
  const { device, start, send } = createDevice(t, 'b');
  beginTrial(device.folder, { previous: 'a', version: '1.1.0' });
  const updates = start();

  updates.connected(send);
  updates.disconnected();
  updates.connected(send);
  t.mock.timers.tick(10 * minute);
  updates.stop();

  assert.deepEqual(device.reports, [{ state: 'done', version: '1.1.0' }]);
  assert.deepEqual([currentSlot(device.folder), device.restarts], ['b', 0]);
  assert.equal(existsSync(join(device.folder, 'trial')), false);
});

test('the version that runs again after a failed one reports it', (t) => {
  const { device, start, send } = createDevice(t, 'a');
  beginTrial(device.folder, { previous: 'a', version: '1.1.0' });
  writeFileSync(join(device.folder, 'starts'), '\n'); // as the start script does

  const previous = start();
  previous.connected(send);
  previous.stop();

  assert.deepEqual(device.reports, [
    {
      state: 'failed',
      version: '1.1.0',
      message: 'It did not connect within five minutes, so the previous version runs again.',
    },
  ]);
});

test('an agent that cannot join looks for a release itself, if the account allows it', async (t) => {
  const { device, start } = createDevice(t, 'a');
  device.allowed = false;
  const updates = start();

  t.mock.timers.tick(30 * minute);
  const forbidden = device.lines.length;
  device.allowed = true;
  t.mock.timers.tick(30 * minute);
  await tried(device.lines);
  updates.stop();

  assert.equal(forbidden, 0);
  assert.match(device.lines[0]!, /^not updated: connect ECONNREFUSED/);
});

test('a connected agent does not look for releases', (t) => {
  const { device, start, send } = createDevice(t, 'a');
  const updates = start();
  updates.connected(send);

  t.mock.timers.tick(600 * minute);
  updates.stop();

  assert.deepEqual(device.lines, []);
});

test('an update that cannot be done now is reported as refused, not as failed', async (t) => {
  const { device, start, send } = createDevice(t, 'a');
  const updates = start();
  updates.connected(send);

  updates.request('1.1.0');
  await tried(device.lines);
  updates.stop();

  assert.deepEqual(
    device.reports.map(({ state, version }) => [state, version]),
    [['refused', '1.1.0']],
  );
});
