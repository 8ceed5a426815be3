/** Keeps sound that has arrived until it is played: as little as possible, but as much as its uneven arrival needs. */
import { sound as format } from '@drawbridge/contract/session/sound';

/** One array for each channel, all of the same length. */
export type Samples = Float32Array[];

export interface SoundBuffer {
  /** `at` is the position of the first sample in the sound of the device. */
  add(samples: Samples, at: number): void;
  /** Fills the output, which is silent before, with what is due. */
  play(output: Samples): void;
}

const milliseconds = (count: number): number => (count * format.rate) / 1_000;

/** So much must have arrived before playing starts; more after each gap. */
const startAt = { least: milliseconds(60), most: milliseconds(400), growth: 1.5 };
/** Beyond this much more, the oldest samples are dropped, so that the sound stays in step with the picture. */
const maxSurplus = milliseconds(100);
/** What was never needed for so much of the device's time is dropped, except for a reserve. */
const calm = { period: milliseconds(10_000), reserve: milliseconds(40), leastDropped: milliseconds(20) };

interface State {
  parts: Samples[];
  queued: number;
  /** False from a gap until enough has arrived again. */
  isPlaying: boolean;
  /** For how long the first sample has waited. */
  waited: number;
  /** The position of the sample that follows the last one. */
  end: number;
  startAt: number;
  /** How much time of the device has passed without a gap, and the least that was queued when more arrived meanwhile. */
  calmFor: number;
  least: number;
}

const lengthOf = (samples: Samples): number => samples[0]?.length ?? 0;

export function createSoundBuffer(): SoundBuffer {
  const state: State = {
    parts: [],
    queued: 0,
    isPlaying: false,
    waited: 0,
    end: Infinity,
    startAt: startAt.least,
    calmFor: 0,
    least: Infinity,
  };
  return {
    add: (samples, at) => add(state, samples, at),
    play(output) {
      state.isPlaying = state.queued > 0 && (state.isPlaying || isDue(state, lengthOf(output)));
      if (!state.isPlaying) return;
      state.waited = 0;
      state.isPlaying = state.queued >= lengthOf(output);
      take(state, lengthOf(output), (part, at) =>
        part.forEach((channel, index) => output[index]?.set(channel, at)),
      );
    },
  };
}

/** A sound that is shorter than the start is played as well. */
function isDue(state: State, passed: number): boolean {
  state.waited += passed;
  return state.queued >= state.startAt || state.waited >= state.startAt;
}

function add(state: State, samples: Samples, at: number): void {
  if (at !== state.end) passCalmTime(state, at - state.end);
  else if (state.isPlaying) {
    state.least = Math.min(state.least, state.queued);
    take(state, passCalmTime(state, lengthOf(samples)));
  } else if (state.queued === 0) startLater(state);
  state.parts.push(samples);
  state.queued += lengthOf(samples);
  state.end = at + lengthOf(samples);
  if (state.queued > state.startAt + maxSurplus) take(state, state.queued - state.startAt);
}

/** After sound that came without a pause of the device, but when all before it was played. */
function startLater(state: State): void {
  state.startAt = Math.min(Math.ceil(state.startAt * startAt.growth), startAt.most);
  Object.assign(state, { calmFor: 0, least: Infinity });
}

/** Returns how much to drop. If nothing has arrived while sound was played, all sounds were short, and need not wait. */
function passCalmTime(state: State, passed: number): number {
  state.calmFor += Math.max(0, passed);
  if (state.calmFor < calm.period) return 0;
  const unneeded = Math.max(0, state.least - calm.reserve);
  state.startAt = Math.max(startAt.least, state.startAt - unneeded);
  Object.assign(state, { calmFor: 0, least: Infinity });
  return unneeded >= calm.leastDropped ? unneeded : 0;
}

/** Removes samples from the beginning. */
function take(state: State, count: number, onPart?: (part: Samples, at: number) => void): void {
  for (let at = 0; at < count && state.parts.length > 0;) {
    const first = state.parts[0]!;
    const part = first.map((channel) => channel.subarray(0, count - at));
    onPart?.(part, at);
    const length = lengthOf(part);
    at += length;
    state.queued -= length;
    if (length === lengthOf(first)) state.parts.shift();
    else state.parts[0] = first.map((channel) => channel.subarray(length));
  }
}
