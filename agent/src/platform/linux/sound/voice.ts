/** Microphone and loudspeaker through PulseAudio or PipeWire, with the command-line programs that both support. */
import { voice as format } from '@drawbridge/contract/session/voice';
import { NotPossible } from '../../platform.ts';
import type { Voice } from '../../voice.ts';
import { isInstalled, startSoundProgram } from './sound-server.ts';

const formatArgs = ['--raw', '--format=s16le', `--rate=${format.rate}`, '--channels=1', '--latency-msec=40'];

export async function openVoice(): Promise<Voice> {
  if (!isInstalled('parec') || !isInstalled('pacat'))
    throw new NotPossible(
      'Calls are not possible: parec and pacat (package pulseaudio-utils) are not installed on the device.',
    );
  const [microphone, loudspeaker] = await Promise.all([
    startSoundProgram('parec', formatArgs),
    startSoundProgram('pacat', ['--playback', ...formatArgs]),
  ]);
  loudspeaker.stdin.on('error', () => {});
  return {
    onData: (listen) => void microphone.stdout.on('data', listen),
    play(samples) {
      if (loudspeaker.stdin.writableLength < format.maxLagBytes) loudspeaker.stdin.write(samples);
    },
    onEnd: (ended) => [microphone, loudspeaker].forEach((each) => each.once('exit', ended)),
    close: () => [microphone, loudspeaker].forEach((each) => each.kill()),
  };
}
