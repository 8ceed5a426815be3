/** The microphone and loudspeaker of the browser, in the sample format of the contract. */
import { voice as format } from '@drawbridge/contract/session/voice';

export interface VoiceAudio {
  play(samples: Uint8Array): void;
  mute(muted: boolean): void;
  close(): void;
}

const maxSample = 32_767;

export async function openVoiceAudio(onSamples: (samples: Uint8Array) => void): Promise<VoiceAudio> {
  const microphone = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true, channelCount: 1 },
  });
  const audio = new AudioContext({ sampleRate: format.rate, latencyHint: 'interactive' });
  const close = (): void => {
    microphone.getTracks().forEach((track) => track.stop());
    void audio.close();
  };
  try {
    await audio.audioWorklet.addModule('/app/voice.js');
  } catch (error) {
    close();
    throw error;
  }
  const node = new AudioWorkletNode(audio, 'voice-audio', { channelCount: 1, outputChannelCount: [1] });
  audio.createMediaStreamSource(microphone).connect(node).connect(audio.destination);
  const pack = createPacker(onSamples);
  node.port.addEventListener('message', ({ data }: MessageEvent<Float32Array>) => pack(data));
  node.port.start();
  return {
    play: (samples) => node.port.postMessage(toFloats(samples)),
    mute: (muted) => microphone.getAudioTracks().forEach((track) => (track.enabled = !muted)),
    close,
  };
}

/** Collects samples until a packet is full. */
function createPacker(onSamples: (samples: Uint8Array) => void): (floats: Float32Array) => void {
  let packet = new DataView(new ArrayBuffer(format.packetBytes));
  let at = 0;
  return (floats) => {
    for (const float of floats) {
      packet.setInt16(at, Math.max(-1, Math.min(1, float)) * maxSample, true);
      at += 2;
      if (at < format.packetBytes) continue;
      onSamples(new Uint8Array(packet.buffer));
      packet = new DataView(new ArrayBuffer(format.packetBytes));
      at = 0;
    }
  };
}

function toFloats(samples: Uint8Array): Float32Array {
  const view = new DataView(samples.buffer, samples.byteOffset, samples.byteLength);
  return Float32Array.from(
    { length: samples.length >> 1 },
    (_, index) => view.getInt16(index * 2, true) / maxSample,
  );
}
