/** Shows a part of the screen to one operator: woken by what changes, paced by what is acknowledged, asleep otherwise. */
import {
  encodeTiles,
  encodeVideo,
  type Box,
  type CopyRect,
  type Tile,
} from '@drawbridge/contract/session/screen-frames';
import type { Capture, Pixels } from '../platform/desktop.ts';
import { mergeBoxes, intersect } from '../pixels/boxes.ts';
import type { Encoder } from './encoder.ts';
import type { Encoded } from './encoded-frame.ts';
import type { RateController } from './rate-controller.ts';

export interface ScreenStreamer {
  /** Sends the whole picture anew. */
  refresh(): void;
  pause(isPaused: boolean): void;
  /** Something was acknowledged: there may be room for the next picture. */
  wake(): void;
  /** Resolves when nothing of it is under way any more. */
  stop(): Promise<void>;
}

export interface StreamerDeps {
  capture: Capture;
  /** The part of the screen that is shown. */
  box: Box;
  encoder: Encoder;
  rateController: RateController;
  out: {
    send(kind: 'tiles' | 'video', payload: Uint8Array): void;
    buffered(): number;
    drained(): Promise<void>;
  };
  /** The number of the next picture. */
  number(): number;
  clock(): number;
  /** Pictures can no longer be taken. */
  onError(error: unknown): void;
}

const fastestMs = 1_000 / 60;
/** What a program draws comes in several strokes, such as the move and the new line: they are waited for. */
const gatherMs = 3;
/** While more than this has not left, nothing is added. */
const maxBuffered = 256 * 1_024;
/** A frame of tiles is not made longer than this. */
const maxBytes = 1_024 * 1_024;
/** While something moves, the rest is made exact only so often, and only on a link that is not crowded. */
const [besideMs, calmMs] = [250, 25];
/** Nothing changes at all when nothing did for so long. */
const stillMs = 300;

export function startScreenStreamer(deps: StreamerDeps): ScreenStreamer {
  const { capture, encoder, rateController, out, clock } = deps;
  let [isDirty, isWhole, isPaused, isStopped] = [false, true, false, false];
  let [dirtyAt, steppedAt, changedAt, refinedAt] = [-Infinity, -Infinity, -Infinity, -Infinity];
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  const due = (): number | undefined => {
    if (isDirty || isWhole) return Math.max(steppedAt + fastestMs, dirtyAt + gatherMs);
    return rateController.inFlight() === 0 ? encoder.refineDueAt() : undefined;
  };
  const schedule = (): void => {
    clearTimeout(timer);
    if (running || isStopped || isPaused || !rateController.isOpen()) return;
    const at = due();
    if (at === undefined) return;
    const wait = at - clock();
    if (wait > 0) timer = setTimeout(schedule, Math.ceil(wait));
    else running = run().finally(() => ((running = undefined), schedule()));
  };
  const run = async (): Promise<void> => {
    try {
      if (out.buffered() > maxBuffered) await out.drained();
      else if (isDirty || isWhole) await step();
      else await refine(clock());
    } catch (error) {
      if (!isStopped) deps.onError(error);
      isStopped = true;
    }
  };
  const step = async (): Promise<void> => {
    const now = (steppedAt = clock());
    const isAll = isWhole;
    [isDirty, isWhole] = [false, false];
    const damaged = await capture.damage();
    const boxes = isAll ? [deps.box] : mergeBoxes(damaged.flatMap((box) => intersect(box, deps.box) ?? []));
    if (boxes.length === 0) return;
    changedAt = now;
    const grabbed = await capture.grab(boxes);
    send(
      await encoder.take(
        grabbed.map((pixels) => inside(pixels, deps.box)),
        now,
      ),
    );
    if (
      now - refinedAt > besideMs &&
      rateController.delay().excess < calmMs &&
      (encoder.refineDueAt() ?? now) < now
    )
      await refine(now);
  };
  const refine = async (now: number): Promise<void> => {
    refinedAt = now;
    send(await encoder.refine(now, now - changedAt > stillMs));
  };
  const send = ({ copies, tiles, video }: Encoded): void => {
    for (const part of inFrames(copies, tiles)) {
      const number = deps.number();
      out.send('tiles', encodeTiles({ number, ...part }));
      rateController.sent(number, clock());
    }
    if (!video) return;
    const number = deps.number();
    out.send('video', encodeVideo({ number, ...video }));
    rateController.sent(number, clock());
  };

  capture.onDamage(() => {
    if (!isDirty) dirtyAt = clock();
    isDirty = true;
    schedule();
  });
  schedule();
  return {
    refresh() {
      isWhole = true;
      encoder.restart();
      schedule();
    },
    pause(paused) {
      isPaused = paused;
      schedule();
    },
    wake: schedule,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** The same pixels with their place in the part that is shown. */
const inside = (pixels: Pixels, { x, y }: Box): Pixels => ({
  ...pixels,
  box: { ...pixels.box, x: pixels.box.x - x, y: pixels.box.y - y },
});

/** As few frames as carry them. */
function inFrames(copies: CopyRect[], tiles: readonly Tile[]): { copies: CopyRect[]; tiles: Tile[] }[] {
  const frames: { copies: CopyRect[]; tiles: Tile[] }[] = copies.length > 0 ? [{ copies, tiles: [] }] : [];
  let bytes = 0;
  for (const tile of tiles) {
    const last = frames.at(-1);
    if (last && bytes + tile.image.length <= maxBytes) {
      last.tiles.push(tile);
      bytes += tile.image.length;
    } else {
      frames.push({ copies: [], tiles: [tile] });
      bytes = tile.image.length;
    }
  }
  return frames;
}
