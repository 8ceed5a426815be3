/** The size of the screen that operators change: restored at the end, after a crash, and never against the person's own choice. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { execute } from '@drawbridge/agent/platform/execute';
import { linux } from '@drawbridge/agent/platform/linux';
import { resizeScreen } from '@drawbridge/agent/platform/linux/x11/resize';
import { sizeMarkName } from '@drawbridge/agent/platform/marks/screen-size';
import { startDisplay, type TestDisplay } from '../../../kit/display/display.ts';
import { skipWithout } from '../../../kit/requirements.ts';
import { startViewer } from '../../../kit/session/viewer.ts';

const skip = skipWithout('Xvfb');
const folder = mkdtempSync(join(tmpdir(), 'drawbridge-size-'));
const mark = join(folder, sizeMarkName);
process.env['DRAWBRIDGE_AGENT_DATA'] = folder;
beforeEach(() => rmSync(mark, { force: true }));
after(() => rmSync(folder, { recursive: true }));

/** As the display itself reports it. */
async function sizeOf({ connection: { client, root, call } }: TestDisplay): Promise<number[]> {
  const { width, height } = await call<{ width: number; height: number }>((done) =>
    client.GetGeometry(root, done),
  );
  return [width, height];
}

test('the size is restored when the last session that changed it ends', { skip }, async () => {
  await using display = await startDisplay(640, 480);
  await using ann = await startViewer();
  await using ben = await startViewer();

  await ann.resize(320, 240);
  await ben.resize(400, 300);
  await ann.until(() => ann.layouts.at(-1)?.width === 400);
  assert.deepEqual(ann.layouts.at(-1)?.original, { width: 640, height: 480 });
  await ann.stop();
  assert.deepEqual(await sizeOf(display), [400, 300]);
  await ben.stop();

  assert.deepEqual(await sizeOf(display), [640, 480]);
  assert.ok(!existsSync(mark));
});

test('a session that set the size back leaves nothing to restore', { skip }, async () => {
  await using display = await startDisplay(640, 480);
  await using ann = await startViewer();
  await ann.resize(320, 240);

  await ann.resize(640, 480);

  await ann.until(() => ann.layouts.at(-1)?.width === 640);
  assert.equal(ann.layouts.at(-1)?.original, undefined);
  assert.ok(!existsSync(mark));
  await ann.stop();
  assert.deepEqual(await sizeOf(display), [640, 480]);
});

test('a size that the person has chosen meanwhile stays', { skip }, async () => {
  await using display = await startDisplay(640, 480);
  await using ann = await startViewer();
  await ann.resize(320, 240);

  await resizeScreen(display.connection, 400, 300);
  await ann.stop();

  assert.deepEqual(await sizeOf(display), [400, 300]);
  assert.ok(!existsSync(mark));
});

test('a size that the display refuses is not remembered', { skip }, async () => {
  await using display = await startDisplay(640, 480);
  await using ann = await startViewer();

  await assert.rejects(ann.resize(5_000, 4_000));

  assert.ok(!existsSync(mark));
  assert.deepEqual(await sizeOf(display), [640, 480]);
});

test('a display that hangs at the end of a session is restored by the next desktop', { skip }, async () => {
  await using display = await startDisplay(640, 480);
  await using ann = await startViewer();
  await ann.resize(320, 240);
  display.freeze(true);
  await ann.stop();
  display.freeze(false);
  assert.deepEqual(await sizeOf(display), [320, 240]);

  (await openDesktop()).close();

  assert.deepEqual(await sizeOf(display), [640, 480]);
  assert.ok(!existsSync(mark));
});

/** Kills the process. */
const crash = `process.kill(process.pid, 'SIGKILL');`;

/** An agent that changes the size and then does something of which it is killed. */
function resizeAndCrash(width: number, height: number, then = crash): void {
  const program = `
    const { openDesktop } = await import('@drawbridge/agent/platform/linux/desktop');
    const desktop = await openDesktop();
    await desktop.resize(${width}, ${height});
    ${then}`;
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  assert.equal(signal, 'SIGKILL', stderr);
}

test('an agent that was killed restores the size at its next start', { skip }, async () => {
  await using display = await startDisplay(640, 480);
  resizeAndCrash(320, 240);
  assert.deepEqual(await sizeOf(display), [320, 240]);
  assert.ok(readFileSync(mark, 'utf8').includes('640'));

  await linux(execute).recover();

  assert.deepEqual(await sizeOf(display), [640, 480]);
  assert.ok(!existsSync(mark));
});

test('after a crash, a size that the person has chosen since then stays', { skip }, async () => {
  await using display = await startDisplay(640, 480);
  resizeAndCrash(320, 240);
  await resizeScreen(display.connection, 400, 300);

  (await openDesktop()).close();

  assert.deepEqual(await sizeOf(display), [400, 300]);
  assert.ok(!existsSync(mark));
});

test(
  'an agent that was killed before its second change of the size restores the first one',
  { skip },
  async () => {
    await using display = await startDisplay(640, 480);
    const crashAfterMark = `
    const { default: fs } = await import('node:fs');
    const { syncBuiltinESMExports } = await import('node:module');
    const { writeFileSync } = fs;
    fs.writeFileSync = (...args) => {
      writeFileSync(...args);
      ${crash}
    };
    syncBuiltinESMExports();
    await desktop.resize(400, 300);`;
    resizeAndCrash(320, 240, crashAfterMark);
    assert.deepEqual(await sizeOf(display), [320, 240]);
    assert.ok(readFileSync(mark, 'utf8').includes('400'));

    (await openDesktop()).close();

    assert.deepEqual(await sizeOf(display), [640, 480]);
    assert.ok(!existsSync(mark));
  },
);
