/** The audio worklet, which runs on the audio thread: plays the sound of the device as it arrives. */
import { sound as format } from '@drawbridge/contract/session/sound';

declare class AudioWorkletProcessor {
  port: MessagePort;
}
declare function registerProcessor(name: string, processor: unknown): void;

/** 60 ms: so much must have arrived before playing starts, also after a gap. */
const startSamples = 0.06 * format.rate;
/** 160 ms: beyond this, the oldest samples are dropped, so that the sound stays in step with the picture. */
const maxSamples = 0.16 * format.rate;

/** One array for each channel, all of the same length. */
type Samples = Float32Array[];

const lengthOf = (samples: Samples): number => samples[0]!.length;

class DeviceSoundProcessor extends AudioWorkletProcessor {
  #queue: Samples[] = [];
  #queued = 0;
  #isPlaying = false;

  constructor() {
    super();
    this.port.addEventListener('message', ({ data }: MessageEvent<Samples>) => this.#add(data));
    this.port.start();
  }

  process(_inputs: unknown, [output]: Samples[]): boolean {
    this.#isPlaying = this.#isPlaying ? this.#queued > 0 : this.#queued >= startSamples;
    if (output && this.#isPlaying) this.#play(output);
    return true;
  }

  #add(samples: Samples): void {
    this.#queue.push(samples);
    this.#queued += lengthOf(samples);
    if (this.#queued <= maxSamples) return;
    while (this.#queued > startSamples) this.#queued -= lengthOf(this.#queue.shift()!);
  }

  #play(output: Samples): void {
    const wanted = lengthOf(output);
    for (let at = 0; at < wanted && this.#queue.length > 0;) {
      const first = this.#queue[0]!;
      const part = first.map((channel) => channel.subarray(0, wanted - at));
      part.forEach((channel, index) => output[index]?.set(channel, at));
      const length = lengthOf(part);
      at += length;
      this.#queued -= length;
      if (length === lengthOf(first)) this.#queue.shift();
      else this.#queue[0] = first.map((channel) => channel.subarray(length));
    }
  }
}

registerProcessor('device-sound', DeviceSoundProcessor);
