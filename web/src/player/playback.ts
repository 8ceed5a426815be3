/** Plays recorded frames at any speed. A seek starts from the last whole picture before the position. */
import type { RecordedFrame } from '@drawbridge/contract/session/recording';
import type { ChunkReader } from './chunk-reader.ts';
import { wholeSegmentBefore, type Timeline } from './timeline.ts';

export interface Playback {
  readonly position: number;
  readonly playing: boolean;
  readonly duration: number;
  play(): void;
  pause(): void;
  seek(position: number): void;
  setSpeed(speed: number): void;
}

export interface PlaybackOptions {
  chunks: ChunkReader;
  timeline: Timeline;
  show(frame: RecordedFrame): void;
  /** The picture starts from the beginning. */
  reset(): void;
  changed(): void;
  failed(error: unknown): void;
}

const tickMs = 30;

interface FramePosition {
  chunk: number;
  frame: number;
}

interface PlaybackState {
  options: PlaybackOptions;
  position: number;
  playing: boolean;
  speed: number;
  /** The next frame to show. */
  cursor: FramePosition;
  lastTickAt: number;
  /** Increased by each seek: work that was started for an earlier position is then discarded. */
  generation: number;
  /** Shows frames up to the position; undefined when all are shown. */
  catchingUp: Promise<void> | undefined;
}

export function createPlayback(options: PlaybackOptions): Playback {
  const state: PlaybackState = {
    options,
    position: 0,
    playing: false,
    speed: 1,
    cursor: { chunk: 0, frame: 0 },
    lastTickAt: performance.now(),
    generation: 0,
    catchingUp: undefined,
  };
  return {
    get position() {
      return state.position;
    },
    get playing() {
      return state.playing;
    },
    duration: options.timeline.duration,
    play: () => play(state),
    pause() {
      state.playing = false;
      options.changed();
    },
    seek: (position) => seek(state, position),
    setSpeed: (speed) => void (state.speed = speed),
  };
}

function play(state: PlaybackState): void {
  if (state.playing) return;
  if (state.position >= state.options.timeline.duration) seek(state, 0);
  state.playing = true;
  state.lastTickAt = performance.now();
  tick(state);
}

function seek(state: PlaybackState, to: number): void {
  const { timeline, reset } = state.options;
  state.generation += 1;
  state.catchingUp = undefined;
  state.position = Math.max(0, Math.min(timeline.duration, to));
  state.cursor = { chunk: wholeSegmentBefore(timeline, state.position), frame: 0 };
  reset();
  advance(state);
}

function tick(state: PlaybackState): void {
  advance(state);
  if (state.playing) setTimeout(tick, tickMs, state);
}

function advance(state: PlaybackState): void {
  const { chunks, timeline } = state.options;
  const { segments, duration } = timeline;
  const now = performance.now();
  // The position does not move while a chunk is loading.
  if (state.playing && !state.catchingUp)
    state.position = Math.min(duration, state.position + (now - state.lastTickAt) * state.speed);
  state.lastTickAt = now;
  if (state.position >= duration) state.playing = false;
  state.catchingUp ??= startCatchingUp(state);
  const nextChunk = state.cursor.chunk + 1;
  // Loads the next chunk in advance.
  if (state.playing && nextChunk < segments.length) void chunks.frames(nextChunk).catch(() => {});
}

function startCatchingUp(state: PlaybackState): Promise<void> {
  const { generation, options } = state;
  const isStale = (): boolean => generation !== state.generation;
  const finish = (): void => {
    if (isStale()) return;
    state.catchingUp = undefined;
    options.changed();
  };
  const fail = (error: unknown): void => {
    if (isStale()) return;
    state.playing = false;
    options.failed(error);
    finish();
  };
  return catchUp(state, isStale).then(finish, fail);
}

/** Shows all frames up to the position, and loads chunks as needed. */
async function catchUp(state: PlaybackState, isStale: () => boolean): Promise<void> {
  const { chunks, timeline, show } = state.options;
  const { segments } = timeline;
  while (state.cursor.chunk < segments.length) {
    const frames = await chunks.frames(state.cursor.chunk);
    if (isStale()) return;
    const { cursor } = state;
    for (; cursor.frame < frames.length; cursor.frame += 1) {
      const frame = frames[cursor.frame]!;
      if (frame.at > state.position) return;
      show(frame);
    }
    const next = segments[cursor.chunk + 1];
    if (!next || next.from > state.position) return;
    state.cursor = { chunk: cursor.chunk + 1, frame: 0 };
  }
}
