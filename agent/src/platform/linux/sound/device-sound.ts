/** What the loudspeaker of the device plays, from the monitor source of PulseAudio or PipeWire. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { sound as format } from '@drawbridge/contract/session/sound';
import type { DeviceSound } from '../../device-sound.ts';
import { NotPossible } from '../../platform.ts';
import { isInstalled, startSoundProgram } from './sound-server.ts';

const args = [
  '--raw',
  '--format=s16le',
  `--rate=${format.rate}`,
  `--channels=${format.channels}`,
  '--latency-msec=20',
  '--device=@DEFAULT_MONITOR@',
];

/** A program that cannot use the sound server exits at once. A loudspeaker that sleeps may give no samples for longer. */
const startMs = 2_000;

export async function openDeviceSound(): Promise<DeviceSound> {
  if (!isInstalled('parec'))
    throw new NotPossible(
      'The sound cannot be sent: parec (package pulseaudio-utils) is not installed on the device.',
    );
  const recorder = await startSoundProgram('parec', args);
  const ended = once(recorder, 'exit');
  await Promise.race([once(recorder.stdout, 'data'), ended, pause(startMs)]);
  if (recorder.exitCode !== null)
    throw new NotPossible(
      'The sound cannot be sent: no sound server runs on the device, or it has no loudspeaker.',
    );
  return {
    onData: (listen) => void recorder.stdout.on('data', listen),
    onEnd: (listen) => void ended.then(listen),
    close: () => void recorder.kill(),
  };
}
