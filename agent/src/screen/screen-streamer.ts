/** Streams a part of the screen to one operator. Changes wake it, acknowledgements pace it, and otherwise it sleeps. */
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
  /** Sends the whole picture again. */
  refresh(): void;
  pause(isPaused: boolean): void;
  /** Called after an acknowledgement, which may allow the next frame to be sent. */
  wake(): void;
  /** Resolves once no capture or encoding is in progress. */
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
  /** Returns the number of the next frame. */
  number(): number;
  clock(): number;
  /** Called once when the screen can no longer be captured. */
  onError(error: unknown): void;
}

const minFrameMs = 1_000 / 60;
/** Programs draw in several steps, such as a scroll and then the new line. The streamer waits this long to collect them. */
const gatherMs = 3;
/** Nothing is added while more than this many bytes wait in the send buffer. */
const maxBuffered = 256 * 1_024;
/** The most image bytes in one frame of tiles. */
const maxBytes = 1_024 * 1_024;
/** While the screen changes, refining runs at most this often, and only if the delay has grown by less than `calmMs`. */
const [refineIntervalMs, calmMs] = [250, 25];
/**
 * The next part may be made exact while so many frames are in flight. The window of a fast connection has room for fewer, because
 * frames of the screen must not wait for each other; until a delay is known, the window counts.
 */
const maxAhead = 2;

interface State {
  deps: StreamerDeps;
  /** The screen has changed since the last step. */
  isDirty: boolean;
  /** The next step sends the whole box. */
  isWhole: boolean;
  isPaused: boolean;
  isStopped: boolean;
  dirtyAt: number;
  steppedAt: number;
  changedAt: number;
  refinedAt: number;
  timer: NodeJS.Timeout | undefined;
  running: Promise<void> | undefined;
}

export function startScreenStreamer(deps: StreamerDeps): ScreenStreamer {
  const state: State = {
    deps,
    isDirty: false,
    isWhole: true,
    isPaused: false,
    isStopped: false,
    dirtyAt: -Infinity,
    steppedAt: -Infinity,
    changedAt: -Infinity,
    refinedAt: -Infinity,
    timer: undefined,
    running: undefined,
  };
  deps.capture.onDamage(() => noteDamage(state));
  schedule(state);
  return {
    refresh() {
      state.isWhole = true;
      deps.encoder.restart();
      schedule(state);
    },
    pause(isPaused) {
      state.isPaused = isPaused;
      schedule(state);
    },
    wake: () => schedule(state),
    async stop() {
      state.isStopped = true;
      clearTimeout(state.timer);
      await state.running;
    },
  };
}

function noteDamage(state: State): void {
  if (!state.isDirty) state.dirtyAt = state.deps.clock();
  state.isDirty = true;
  schedule(state);
}

function schedule(state: State): void {
  clearTimeout(state.timer);
  if (state.running || state.isStopped || state.isPaused) return;
  const at = dueAt(state);
  if (at === undefined) return;
  const wait = at - state.deps.clock();
  if (wait > 0) state.timer = setTimeout(schedule, Math.ceil(wait), state);
  else state.running = run(state).finally(() => ((state.running = undefined), schedule(state)));
}

function dueAt(state: State): number | undefined {
  const { rateController, encoder } = state.deps;
  if (state.isDirty || state.isWhole)
    return rateController.isOpen()
      ? Math.max(state.steppedAt + minFrameMs, state.dirtyAt + gatherMs)
      : undefined;
  return mayRefineNow(state.deps) ? encoder.refineDueAt() : undefined;
}

function mayRefineNow({ rateController, encoder }: StreamerDeps): boolean {
  if (!encoder.refinesAhead()) return rateController.inFlight() === 0;
  if (rateController.delay().shortest === Infinity && !rateController.isOpen()) return false;
  return rateController.inFlight() <= maxAhead;
}

async function run(state: State): Promise<void> {
  const { out, clock, onError } = state.deps;
  try {
    if (out.buffered() > maxBuffered) await out.drained();
    else if (state.isDirty || state.isWhole) await step(state);
    else await refine(state, clock());
  } catch (error) {
    if (!state.isStopped) onError(error);
    state.isStopped = true;
  }
}

/** Captures, encodes and sends what has changed, then refines a little where the connection allows it. */
async function step(state: State): Promise<void> {
  const { capture, encoder, box: view, clock } = state.deps;
  const now = (state.steppedAt = clock());
  const isAll = state.isWhole;
  [state.isDirty, state.isWhole] = [false, false];
  const damaged = await capture.damage();
  const boxes = isAll ? [view] : mergeBoxes(damaged.flatMap((box) => intersect(box, view) ?? []));
  if (boxes.length === 0) return;
  state.changedAt = now;
  const grabbed = await capture.grab(boxes);
  send(
    state.deps,
    await encoder.take(
      grabbed.map((pixels) => relativeTo(view, pixels)),
      now,
    ),
  );
  if (mayRefine(state, now)) await refine(state, now);
}

const mayRefine = ({ deps: { rateController, encoder }, refinedAt }: State, now: number): boolean =>
  now - refinedAt > refineIntervalMs &&
  rateController.delay().excess < calmMs &&
  (encoder.refineDueAt() ?? now) < now;

async function refine(state: State, now: number): Promise<void> {
  state.refinedAt = now;
  send(state.deps, await state.deps.encoder.refine(now, now - state.changedAt));
}

function send(deps: StreamerDeps, { copies, tiles, video }: Encoded): void {
  const { out, rateController } = deps;
  for (const part of packFrames(copies, tiles)) {
    const number = deps.number();
    out.send('tiles', encodeTiles({ number, ...part }));
    // Tiles and video of one change count as one frame, which is shown when its video is.
    if (!video) rateController.sent(number, deps.clock());
  }
  if (!video) return;
  const number = deps.number();
  out.send('video', encodeVideo({ number, ...video }));
  rateController.sent(number, deps.clock());
}

/** The same pixels, with their position counted from the corner of the view. */
const relativeTo = ({ x, y }: Box, pixels: Pixels): Pixels => ({
  ...pixels,
  box: { ...pixels.box, x: pixels.box.x - x, y: pixels.box.y - y },
});

/** Packs copies and tiles into as few frames as possible. */
function packFrames(copies: CopyRect[], tiles: readonly Tile[]): { copies: CopyRect[]; tiles: Tile[] }[] {
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
