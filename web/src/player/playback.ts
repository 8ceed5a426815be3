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

export interface PlaybackNeeds {
  chunks: ChunkReader;
  timeline: Timeline;
  show(frame: RecordedFrame): void;
  /** The picture begins anew. */
  reset(): void;
  changed(): void;
  failed(error: unknown): void;
}

/** How often the clock is looked at. */
const stepMs = 30;

interface Place {
  chunk: number;
  frame: number;
}

export function createPlayback(needs: PlaybackNeeds): Playback {
  const { chunks, timeline, show, reset, changed, failed } = needs;
  const { segments: segments, duration } = timeline;
  let [position, playing, speed] = [0, false, 1];
  let place: Place = { chunk: 0, frame: 0 };
  let lastLook = performance.now();
  /** What was begun for another place ends when this has changed. */
  let round = 0;

  /** Shows everything up to the position; answers when the next chunk had to be waited for, too. */
  async function catchUp(mine: number): Promise<void> {
    const isLeft = (): boolean => mine !== round;
    while (place.chunk < segments.length) {
      const frames = await chunks.frames(place.chunk);
      if (isLeft()) return;
      for (; place.frame < frames.length; place.frame += 1) {
        const frame = frames[place.frame]!;
        if (frame.at > position) return;
        show(frame);
      }
      const next = segments[place.chunk + 1];
      if (!next || next.from > position) return;
      place = { chunk: place.chunk + 1, frame: 0 };
    }
  }

  let running: Promise<void> | undefined;
  /** What was begun for another place has nothing to say any more. */
  const settle = (mine: number): [() => void, (error: unknown) => void] => {
    const done = (): void => {
      if (mine !== round) return;
      running = undefined;
      changed();
    };
    return [
      done,
      (error) => {
        if (mine !== round) return;
        playing = false;
        failed(error);
        done();
      },
    ];
  };
  const advance = (): void => {
    const now = performance.now();
    // While a chunk is waited for, the clock stands still.
    if (playing && !running) position = Math.min(duration, position + (now - lastLook) * speed);
    lastLook = now;
    if (position >= duration) playing = false;
    running ??= catchUp(round).then(...settle(round));
    if (playing && place.chunk + 1 < segments.length) void chunks.frames(place.chunk + 1).catch(() => {});
  };
  const timer = (): void => {
    advance();
    if (playing) setTimeout(timer, stepMs);
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
      lastLook = performance.now();
      timer();
    },
    pause() {
      playing = false;
      changed();
    },
    seek(to) {
      round += 1;
      running = undefined;
      position = Math.max(0, Math.min(duration, to));
      place = { chunk: wholeSegmentBefore(timeline, position), frame: 0 };
      reset();
      advance();
    },
    setSpeed: (next) => void (speed = next),
  };
}
