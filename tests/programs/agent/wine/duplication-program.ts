/** Runs on Windows: captures a desktop that the double of desktop duplication plays, and prints what the agent sees. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Capture } from '@drawbridge/agent/platform/desktop';
import { createSharedCaptures } from '@drawbridge/agent/platform/helper/shared-capture';
import { openCapture } from '@drawbridge/agent/platform/windows/screen/capture';
import { loadDesktopApi } from '@drawbridge/agent/platform/windows/screen/desktop-api';
import { listOutputs } from '@drawbridge/agent/platform/windows/screen/outputs';
import type { WindowsApi } from '@drawbridge/agent/platform/windows/api/windows-api';
import { loadDouble, type DuplicationDouble } from '../../../kit/agent/duplication/double.ts';
import { secondMonitor, withSecondMonitor } from '../../../kit/agent/duplication/second-monitor.ts';
import { watched, watchGdi } from '../../../kit/agent/duplication/watched-gdi.ts';
import { eventually } from '../../../kit/eventually.ts';

const accessLost = 0x887a_0026 - 2 ** 32;
const unsupported = 0x887a_0004 - 2 ** 32;

interface Setting extends ReturnType<typeof watchGdi> {
  double: DuplicationDouble;
  /** What Wine itself shows, where the double shows something else. */
  ownPixel: number;
}

/** The boxes of the next change. */
const nextDamage = (capture: Capture): Promise<Box[]> =>
  eventually(
    () => capture.damage(),
    (boxes) => boxes.length > 0,
  );

async function pixelAt(capture: Capture, x: number, y: number): Promise<number> {
  const [pixels] = await capture.grab([{ x, y, width: 1, height: 1 }]);
  return pixels!.words[pixels!.offset]!;
}

/** Windows refuses duplication at first, and GDI shows the desktop. */
async function beginRefused({ double, api, gdi, ownPixel }: Setting) {
  double.refuse(unsupported);
  const capture = await openCapture(api);
  capture.onDamage(() => {});
  await eventually(double.refusals, (count) => count > 0);
  const isOwn = (await pixelAt(capture, 5, 5)) === ownPixel;
  double.refuse(0);
  const first = { damage: await nextDamage(capture), pixel: await pixelAt(capture, 5, 5) };
  const { isCopiedAfterDuplication } = gdi;
  const counts = { frames: double.frames(), copies: double.copies() };
  return { capture, begun: { isOwn, ...first, ...counts, isCopiedAfterDuplication } };
}

async function seeChanges({ double, gdi }: Setting, capture: Capture) {
  const [frames, copies, views] = [double.frames(), double.copies(), gdi.views];
  double.movePointer();
  await eventually(double.frames, (count) => count > frames);
  double.paint(0, 100, 50, 20, 10, 0x40_50_60);
  const painted = {
    damage: await nextDamage(capture),
    pixels: [await pixelAt(capture, 119, 59), await pixelAt(capture, 120, 60)],
    copies: double.copies() - copies,
  };
  double.move(100, 50, 20, 10);
  const moved = { damage: await nextDamage(capture), pixel: await pixelAt(capture, 100, 69) };
  return { painted, moved, views: gdi.views - views };
}

/** A second capture uses GDI until the first has ended. */
async function takeTurns({ double, api, ownPixel }: Setting, first: Capture) {
  const refusals = double.refusals();
  const capture = await openCapture(api);
  capture.onDamage(() => {});
  await eventually(double.refusals, (count) => count > refusals);
  const isOwn = (await pixelAt(capture, 5, 5)) === ownPixel;
  first.close();
  const after = { damage: await nextDamage(capture), pixel: await pixelAt(capture, 100, 69) };
  return { capture, second: { isOwn, ...after } };
}

/** At first GDI fails, too. */
async function loseDuplication({ double, gdi, ownPixel }: Setting, capture: Capture) {
  gdi.isRefused = true;
  double.refuse(unsupported);
  double.fail(accessLost);
  const lost = { damage: await nextDamage(capture), pixel: await pixelAt(capture, 100, 69) };
  await eventually(
    () => gdi.refusals,
    (count) => count > 1,
  );
  const { contexts } = gdi;
  gdi.isRefused = false;
  const copied = { damage: await nextDamage(capture), isOwn: (await pixelAt(capture, 5, 5)) === ownPixel };
  double.refuse(0);
  const again = { damage: await nextDamage(capture), pixel: await pixelAt(capture, 100, 69) };
  return { lost, contexts, copied, again };
}

/** What a capture still does that ends while duplication begins. */
async function closeWhileOpening({ double, api, gdi }: Setting) {
  const [frames, duplications] = [double.frames(), double.duplications()];
  const D3D11CreateDevice = watched(api.D3D11CreateDevice, () => capture.close());
  const capture = await openCapture({ ...api, D3D11CreateDevice });
  const { copies } = gdi;
  capture.onDamage(() => {});
  await eventually(double.duplications, (count) => count > duplications);
  await eventually(double.live, (count) => count === 0);
  return { frames: double.frames() - frames, copies: gdi.copies - copies };
}

/** Two operators watch: Windows duplicates the monitor once, and both see what changes, also one who has looked away. */
async function share({ double, api }: Setting) {
  const [duplications, refusals] = [double.duplications(), double.refusals()];
  const acquire = createSharedCaptures(() => openCapture(api));
  const [first, second] = [await acquire(), await acquire()];
  await nextDamage(first);
  await nextDamage(second);
  double.paint(0, 300, 50, 20, 10, 0x70_80_90);
  const damage = [await nextDamage(first)];
  double.paint(0, 340, 50, 20, 10, 0xa0_b0_c0);
  damage.push(await nextDamage(first), await second.damage());
  const pixels = [await pixelAt(first, 300, 50), await pixelAt(second, 340, 50)];
  for (const capture of [first, second]) capture.close();
  await eventually(double.live, (count) => count === 0);
  const counts = {
    duplications: double.duplications() - duplications,
    refusals: double.refusals() - refusals,
  };
  return { damage, pixels, ...counts };
}

/** A second monitor, left of the first one. */
async function useTwoMonitors({ double, api }: Setting) {
  double.setMonitor(1, -secondMonitor.width, 0, secondMonitor.width, secondMonitor.height);
  const capture = await openCapture(withSecondMonitor(api));
  capture.onDamage(() => {});
  const first = await nextDamage(capture);
  const seen = [];
  for (const [monitor, colour] of [
    [1, 0x11_11_11],
    [0, 0x22_22_22],
  ] as const) {
    double.paint(monitor, 10, 20, 4, 2, colour);
    const damage = await nextDamage(capture);
    seen.push({ damage, pixel: await pixelAt(capture, damage[0]!.x, damage[0]!.y) });
  }
  capture.close();
  return { isWhole: first.length > 0, seen, left: await eventually(double.live, (count) => count === 0) };
}

/** What Wine shows at a place, from a capture without the double. */
async function readOwnPixel(api: WindowsApi): Promise<number> {
  const capture = await openCapture(api);
  const pixel = await pixelAt(capture, 5, 5);
  capture.close();
  return pixel;
}

async function main(): Promise<void> {
  const own = await loadDesktopApi();
  const ownPixel = await readOwnPixel(own);
  const double = loadDouble(own);
  const [monitor] = listOutputs(own);
  double.setMonitor(0, 0, 0, monitor!.width, monitor!.height);
  double.paint(0, 0, 0, monitor!.width, monitor!.height, 0x10_20_30);
  const setting = { double, ...watchGdi(double), ownPixel };
  const { capture, begun } = await beginRefused(setting);
  const seen = await seeChanges(setting, capture);
  const { capture: later, second } = await takeTurns(setting, capture);
  const lost = await loseDuplication(setting, later);
  later.close();
  const left = await eventually(double.live, (count) => count === 0);
  const closed = await closeWhileOpening(setting);
  const shared = await share(setting);
  const monitors = await useTwoMonitors(setting);
  const results = { begun, ...seen, second, ...lost, left, closed, shared, monitors };
  console.log(`RESULTS ${JSON.stringify(results)}`);
  process.exit(0);
}

void main();
