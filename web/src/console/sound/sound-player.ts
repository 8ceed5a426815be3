/** Decodes the sound of the device with the browser's Opus decoder, and plays it. */
import { sound as format } from '@drawbridge/contract/session/sound';

export interface SoundPlayer {
  play(packet: { at: number; data: Uint8Array }): void;
  close(): void;
}

const microseconds = 1_000_000;
/** A device that sends faster than the browser decodes must not fill its memory. */
const maxWaitingPackets = 25;
const maxPositions = 2 * maxWaitingPackets;

export const canPlaySound = (): boolean =>
  typeof AudioDecoder === 'function' && typeof AudioWorkletNode === 'function';

/** `onFailure` is called once if a packet cannot be decoded. */
export async function openSoundPlayer(onFailure: () => void): Promise<SoundPlayer> {
  const audio = new AudioContext({ sampleRate: format.rate, latencyHint: 'interactive' });
  try {
    await audio.audioWorklet.addModule('/app/sound.js');
  } catch (error) {
    await audio.close();
    throw error;
  }
  const node = new AudioWorkletNode(audio, 'device-sound', {
    numberOfInputs: 0,
    outputChannelCount: [format.channels],
  });
  node.connect(audio.destination);
  /** The positions of the packets that are being decoded: browsers count those of what they decode without pauses. */
  const positions: number[] = [];
  const output = (data: AudioData): void => post(node.port, data, positions.shift() ?? 0);
  const decoder = new AudioDecoder({ output, error: onFailure });
  decoder.configure({ codec: 'opus', sampleRate: format.rate, numberOfChannels: format.channels });
  return {
    play({ at, data }) {
      const timestamp = Math.round((at / format.rate) * microseconds);
      const isFit =
        data.length > 0 && data.length <= format.maxPacketBytes && Number.isSafeInteger(timestamp);
      if (!isFit || decoder.state !== 'configured' || decoder.decodeQueueSize > maxWaitingPackets) return;
      decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp, data }));
      positions.push(at);
      // Should the browser not return every packet, the oldest would stay for ever.
      if (positions.length > maxPositions) positions.shift();
    },
    close() {
      if (decoder.state !== 'closed') decoder.close();
      void audio.close();
    },
  };
}

function post(port: MessagePort, data: AudioData, at: number): void {
  const samples = Array.from({ length: data.numberOfChannels }, (_, planeIndex) => {
    const channel = new Float32Array(data.numberOfFrames);
    data.copyTo(channel, { planeIndex, format: 'f32-planar' });
    return channel;
  });
  data.close();
  port.postMessage(
    { samples, at },
    samples.map(({ buffer }) => buffer),
  );
}
