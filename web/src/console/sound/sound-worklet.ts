/** The audio worklet, which runs on the audio thread: plays the sound of the device as it arrives. */
import { createSoundBuffer, type Samples } from './sound-buffer.ts';

declare class AudioWorkletProcessor {
  port: MessagePort;
}
declare function registerProcessor(name: string, processor: unknown): void;

class DeviceSoundProcessor extends AudioWorkletProcessor {
  #buffer = createSoundBuffer();

  constructor() {
    super();
    this.port.addEventListener('message', ({ data }: MessageEvent<{ samples: Samples; at: number }>) =>
      this.#buffer.add(data.samples, data.at),
    );
    this.port.start();
  }

  process(_inputs: unknown, [output]: Samples[]): boolean {
    if (output) this.#buffer.play(output);
    return true;
  }
}

registerProcessor('device-sound', DeviceSoundProcessor);
