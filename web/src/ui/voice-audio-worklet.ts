/** The audio worklet, which runs on the audio thread: posts microphone samples and plays received ones. */

declare class AudioWorkletProcessor {
  port: MessagePort;
}
declare function registerProcessor(name: string, processor: unknown): void;

/** Half a second at 16,000 samples per second; beyond this, samples are dropped, because late speech is of no use. */
const maxQueuedSamples = 8_000;

class VoiceAudioProcessor extends AudioWorkletProcessor {
  #queue: Float32Array[] = [];
  #queuedSamples = 0;

  constructor() {
    super();
    this.port.addEventListener('message', ({ data }: MessageEvent<Float32Array>) => {
      if (this.#queuedSamples > maxQueuedSamples) return;
      this.#queue.push(data);
      this.#queuedSamples += data.length;
    });
    this.port.start();
  }

  process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const recorded = inputs[0]?.[0];
    const out = outputs[0]?.[0];
    if (recorded) this.port.postMessage(recorded.slice());
    if (out) this.#play(out);
    return true;
  }

  #play(out: Float32Array): void {
    for (let at = 0; at < out.length;) {
      const first = this.#queue[0];
      if (!first) return;
      const part = first.subarray(0, out.length - at);
      out.set(part, at);
      at += part.length;
      this.#queuedSamples -= part.length;
      if (part.length === first.length) this.#queue.shift();
      else this.#queue[0] = first.subarray(part.length);
    }
  }
}

registerProcessor('voice-audio', VoiceAudioProcessor);
