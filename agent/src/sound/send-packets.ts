/** Sends sound in packets of 20 ms. Silence is not sent, and on a slow connection packets are dropped instead of delayed. */
import { sound as format } from '@drawbridge/contract/session/sound';
import type { DeviceSound } from '../platform/device-sound.ts';
import type { FeatureContext } from '../session/feature.ts';
import type { OpusEncoder } from './opus.ts';

const packetBytes = format.packetSamples * format.channels * 2;
/** More than this waits to be sent when the connection is slow, or when a large picture is on its way. */
const waitingBytes = 16_000;
/** A picture may delay the sound by 200 ms. */
const maxWaitingPackets = 10;
/** So much silence follows a sound, because the page plays even a short one only when several packets have arrived. */
const lastSilentPackets = 3;

export function sendPackets(
  context: Pick<FeatureContext, 'send' | 'buffered'>,
  sound: DeviceSound,
  encoder: OpusEncoder,
  signal: AbortSignal,
): void {
  let kept = Buffer.alloc(0);
  let at = 0;
  let waitingPackets = 0;
  let silentPackets = lastSilentPackets;
  const send = (samples: Uint8Array): void => {
    silentPackets = samples.every((byte) => byte === 0) ? silentPackets + 1 : 0;
    waitingPackets = context.buffered() < waitingBytes ? 0 : waitingPackets + 1;
    if (silentPackets <= lastSilentPackets && waitingPackets <= maxWaitingPackets)
      context.send('sound_bytes', { id: 0, at, data: encoder.encode(samples) });
    at += format.packetSamples;
  };
  sound.onData((samples) => {
    if (signal.aborted) return;
    kept = Buffer.concat([kept, samples]);
    for (; kept.length >= packetBytes; kept = kept.subarray(packetBytes)) send(kept.subarray(0, packetBytes));
  });
}
