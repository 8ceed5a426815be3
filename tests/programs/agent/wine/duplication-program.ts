/** Runs on Windows: captures a desktop that the double of desktop duplication plays, and prints what the agent sees. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Capture } from '@drawbridge/agent/platform/desktop';
import { openCapture } from '@drawbridge/agent/platform/windows/screen/capture';
import { loadDesktopApi } from '@drawbridge/agent/platform/windows/screen/desktop-api';
import { listOutputs } from '@drawbridge/agent/platform/windows/screen/outputs';
import type { WindowsApi } from '@drawbridge/agent/platform/windows/api/windows-api';
import { loadDouble, type DuplicationDouble } from '../../../kit/agent/duplication/double.ts';
import { eventually } from '../../../kit/eventually.ts';

const accessLost = 0x887a_0026 - 2 ** 32;
const unsupported = 0x887a_0004 - 2 ** 32;

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

async function seeChanges(double: DuplicationDouble, capture: Capture) {
  const first = { damage: await nextDamage(capture), pixel: await pixelAt(capture, 5, 5) };
  double.movePointer();
  double.paint(100, 50, 20, 10, 0x40_50_60);
  const painted = {
    damage: await nextDamage(capture),
    pixels: [await pixelAt(capture, 119, 59), await pixelAt(capture, 120, 60)],
  };
  double.move(100, 50, 20, 10);
  const moved = { damage: await nextDamage(capture), pixel: await pixelAt(capture, 100, 69) };
  return { first, painted, moved };
}

async function loseDuplication(double: DuplicationDouble, capture: Capture, ownPixel: number) {
  double.fail(accessLost);
  const lost = { damage: await nextDamage(capture), isOwn: (await pixelAt(capture, 5, 5)) === ownPixel };
  const again = { damage: await nextDamage(capture), pixel: await pixelAt(capture, 100, 69) };
  double.fail(unsupported);
  const refused = { damage: await nextDamage(capture), isOwn: (await pixelAt(capture, 5, 5)) === ownPixel };
  return { lost, again, refused, duplications: double.duplications() };
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
  double.setSize(monitor!.width, monitor!.height);
  double.paint(0, 0, monitor!.width, monitor!.height, 0x10_20_30);
  const capture = await openCapture(double.api);
  capture.onDamage(() => {});
  const seen = await seeChanges(double, capture);
  const lost = await loseDuplication(double, capture, ownPixel);
  capture.close();
  const left = await eventually(double.live, (count) => count === 0);
  console.log(`RESULTS ${JSON.stringify({ ...seen, ...lost, left })}`);
  process.exit(0);
}

void main();
