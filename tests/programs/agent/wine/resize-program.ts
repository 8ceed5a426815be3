/** Runs on Windows: changes the size of the screen as sessions do, also in a process that is killed, and prints what happened as JSON. */
import { spawnSync } from 'node:child_process';
import { createDryRun } from '@drawbridge/agent/platform/execute';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import { isSizeChanged } from '@drawbridge/agent/platform/marks/screen-size';
import { windows } from '@drawbridge/agent/platform/windows';
import { eventually } from '../../../kit/eventually.ts';
import { messageOf } from './transfer-files.ts';

const platform = windows(
  createDryRun(() => {}),
  false,
);
const smaller = { width: 800, height: 600 };
const unsupported = { width: 801, height: 601 };

async function describe(desktop: Desktop) {
  const { width, height, monitors, sizes, original } = await desktop.layout();
  const [monitor] = monitors;
  return {
    size: [width, height],
    monitor: [monitor!.width, monitor!.height],
    original,
    offersSmaller: sizes.some((size) => size.width === smaller.width && size.height === smaller.height),
    isMarked: isSizeChanged(),
  };
}

/** Waits until the last pixel of the new size has a colour, and says why there is none beside it. */
async function pictureOf(desktop: Desktop) {
  const capture = await desktop.capture();
  const at = (x: number) => capture.grab([{ x, y: smaller.height - 1, width: 1, height: 1 }]);
  const colour = async (): Promise<number> => {
    await capture.damage();
    const [pixels] = await at(smaller.width - 1);
    return pixels!.words[pixels!.offset]! & 0xff_ffff;
  };
  const corner = await eventually(colour, (found) => found !== 0);
  const beside = await messageOf(at(smaller.width));
  capture.close();
  const { bytes } = await platform.preview(320);
  return { corner, beside, preview: [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] };
}

async function resize(desktop: Desktop) {
  let changes = 0;
  desktop.onLayout(() => (changes += 1));
  const before = await describe(desktop);
  // As of another operator: it stays in the former size.
  const former = await desktop.capture();
  await desktop.resize(smaller.width, smaller.height);
  await eventually(
    () => changes,
    (count) => count === 1,
  );
  const changed = await describe(desktop);
  const picture = await pictureOf(desktop);
  former.close();
  const refused = await messageOf(desktop.resize(unsupported.width, unsupported.height));
  const afterRefusal = await describe(desktop);
  await desktop.restoreSize();
  return { before, changed, picture, refused, afterRefusal, restored: await describe(desktop) };
}

async function monitorSize() {
  const [monitor] = (await platform.hardware()).Monitors;
  return [monitor!.ScreenWidth, monitor!.ScreenHeight];
}

/** The size that a killed agent leaves, and the size after the next start. */
async function recover() {
  const { status } = spawnSync(process.execPath, [process.argv[1]!, 'killed']);
  const left = await monitorSize();
  const desktop = await platform.desktop();
  return { status, left, recovered: await describe(desktop) };
}

async function resizeAndEnd(): Promise<void> {
  const desktop = await platform.desktop();
  await desktop.resize(smaller.width, smaller.height);
  process.kill(process.pid, 'SIGKILL');
}

async function main(): Promise<void> {
  const results = { resize: await resize(await platform.desktop()), recover: await recover() };
  console.log(`RESULTS ${JSON.stringify(results)}`);
  process.exit();
}

void (process.argv[2] === 'killed' ? resizeAndEnd() : main());
