/** Microphone and loudspeaker of the user, through the wave functions of Windows. */
import { voice as format } from '@drawbridge/contract/session/voice';
import { NotPossible } from '../../platform.ts';
import type { Voice } from '../../voice.ts';
import { loadWindowsApi, type Handle, type WindowsApi } from '../api/windows-api.ts';
import { createWaveBuffer, header, isFinished, waveFormat, type WaveBuffer } from './wave-buffer.ts';

const usualDevice = 0xffff_ffff;
const success = 0;
/** Windows fills one buffer while the others wait. */
const [recordBuffers, recordMs] = [4, 20];
const checkMs = 10;

export async function openVoice(): Promise<Voice> {
  const api = await loadWindowsApi();
  const loudspeaker = openLoudspeaker(api);
  try {
    const microphone = openMicrophone(api);
    return {
      onData: microphone.onData,
      play: loudspeaker.play,
      onEnd: microphone.onEnd,
      close() {
        microphone.close();
        loudspeaker.close();
      },
    };
  } catch (error) {
    loudspeaker.close();
    throw error;
  }
}

type OpenCall = (...values: [Uint8Array, number, Uint8Array, number, number, number]) => number;

function openDevice(open: OpenCall, name: string): Handle {
  const opened = Buffer.alloc(8);
  if (open(opened, usualDevice, waveFormat(), 0, 0, 0) !== success)
    throw new NotPossible(`Calls are not possible: Windows has no ${name} that the agent can use.`);
  return opened.readBigUInt64LE();
}

function openMicrophone(api: WindowsApi): Pick<Voice, 'onData' | 'onEnd' | 'close'> {
  const device = openDevice(api.waveInOpen, 'microphone');
  const [dataListeners, endListeners] = [new Set<(samples: Uint8Array) => void>(), new Set<() => void>()];
  const bytes = 2 * Math.round((format.rate * recordMs) / 1_000);
  const buffers = Array.from({ length: recordBuffers }, () => createWaveBuffer(api, bytes));
  for (const each of buffers) {
    api.waveInPrepareHeader(device, each.header, header.bytes);
    api.waveInAddBuffer(device, each.header, header.bytes);
  }
  api.waveInStart(device);
  let next = 0;
  const timer = setInterval(() => {
    for (let buffer = buffers[next]!; isFinished(buffer); buffer = buffers[next]!) {
      const samples = Uint8Array.from(buffer.data.subarray(0, buffer.header.readUInt32LE(header.recorded)));
      dataListeners.forEach((listener) => listener(samples));
      next = (next + 1) % buffers.length;
      if (api.waveInAddBuffer(device, buffer.header, header.bytes) === success) continue;
      clearInterval(timer);
      endListeners.forEach((listener) => listener());
      return;
    }
  }, checkMs);
  return {
    onData: (listener) => void dataListeners.add(listener),
    onEnd: (listener) => void endListeners.add(listener),
    close() {
      clearInterval(timer);
      api.waveInReset(device);
      for (const each of buffers) api.waveInUnprepareHeader(device, each.header, header.bytes);
      api.waveInClose(device);
    },
  };
}

function openLoudspeaker(api: WindowsApi): Pick<Voice, 'play' | 'close'> {
  const device = openDevice(api.waveOutOpen, 'loudspeaker');
  let playing: WaveBuffer[] = [];
  const free = (buffer: WaveBuffer): void =>
    void api.waveOutUnprepareHeader(device, buffer.header, header.bytes);
  return {
    play(samples) {
      playing.filter(isFinished).forEach(free);
      playing = playing.filter((each) => !isFinished(each));
      const waiting = playing.reduce((sum, { data }) => sum + data.length, 0);
      if (samples.length === 0 || waiting >= format.maxLagBytes) return;
      const buffer = createWaveBuffer(api, samples.length);
      buffer.data.set(samples);
      api.waveOutPrepareHeader(device, buffer.header, header.bytes);
      if (api.waveOutWrite(device, buffer.header, header.bytes) === success) playing.push(buffer);
      else free(buffer);
    },
    close() {
      api.waveOutReset(device);
      playing.forEach(free);
      api.waveOutClose(device);
    },
  };
}
