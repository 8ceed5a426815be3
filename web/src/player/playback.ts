/** Plays recorded frames at their times: forward at any speed, and from any place, beginning at the whole picture before it. */
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
  /** The picture begins anew. */
  reset(): void;
  changed(): void;
  failed(error: unknown): void;
}

/** How often the clock is looked at. */
const tickMs = 30;

interface FramePosition {
  chunk: number;
  frame: number;
}

export function createPlayback(options: PlaybackOptions): Playback {
  const { chunks, timeline, show, reset, changed, failed } = options;
  const { segments, duration } = timeline;
  let [position, playing, speed] = [0, false, 1];
  let cursor: FramePosition = { chunk: 0, frame: 0 };
  let lastTickAt = performance.now();
  /** What was begun for another place ends when this has changed. */
  let generation = 0;

  /** Shows everything up to the position; answers when the next chunk had to be waited for, too. */
  async function catchUp(started: number): Promise<void> {
    const isStale = (): boolean => started !== generation;
    while (cursor.chunk < segments.length) {
      const frames = await chunks.frames(cursor.chunk);
      if (isStale()) return;
      for (; cursor.frame < frames.length; cursor.frame += 1) {
        const frame = frames[cursor.frame]!;
        if (frame.at > position) return;
        show(frame);
      }
      const next = segments[cursor.chunk + 1];
      if (!next || next.from > position) return;
      cursor = { chunk: cursor.chunk + 1, frame: 0 };
    }
  }

  let running: Promise<void> | undefined;
  /** What was begun for another place has nothing to say any more. */
  const settle = (started: number): [() => void, (error: unknown) => void] => {
    const done = (): void => {
      if (started !== generation) return;
      running = undefined;
      changed();
    };
    return [
      done,
      (error) => {
        if (started !== generation) return;
        playing = false;
        failed(error);
        done();
      },
    ];
  };
  const advance = (): void => {
    const now = performance.now();
    // While a chunk is waited for, the clock stands still.
    if (playing && !running) position = Math.min(duration, position + (now - lastTickAt) * speed);
    lastTickAt = now;
    if (position >= duration) playing = false;
    running ??= catchUp(generation).then(...settle(generation));
    if (playing && cursor.chunk + 1 < segments.length) void chunks.frames(cursor.chunk + 1).catch(() => {});
  };
  const timer = (): void => {
    advance();
    if (playing) setTimeout(timer, tickMs);
  };

  return {
    get position() {
      return position;
    },
    get playing() {
      return playing;
    },
    duration,
    play() {
      if (playing) return;
      if (position >= duration) this.seek(0);
      playing = true;
      lastTickAt = performance.now();
      timer();
    },
    pause() {
      playing = false;
      changed();
    },
    seek(to) {
      generation += 1;
      running = undefined;
      position = Math.max(0, Math.min(duration, to));
      cursor = { chunk: wholeSegmentBefore(timeline, position), frame: 0 };
      reset();
      advance();
    },
    setSpeed: (next) => void (speed = next),
  };
}
