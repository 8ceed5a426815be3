/** The sound of the device with real sound servers: the loudspeaker that is the default is heard, and never the microphone. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, test } from 'node:test';
import { sound as format } from '@drawbridge/contract/session/sound';
import type { DeviceSound } from '@drawbridge/agent/platform/device-sound';
import { openDeviceSound } from '@drawbridge/agent/platform/linux/sound/device-sound';
import { openVoice } from '@drawbridge/agent/platform/linux/sound/voice';
import { startSound, type Sound, type SoundServer } from '../../../kit/display/sound.ts';
import { eventually } from '../../../kit/eventually.ts';
import { skipWithout } from '../../../kit/requirements.ts';

const hertz = 440;
/** What the loudspeakers play and what the microphone records differ in their sign. */
const [playedLevel, spokenLevel, loud] = [-8_000, 8_000, 4_000];

/** Sets the sound server of this process until it is disposed. */
async function useSound(kind: SoundServer): Promise<Sound> {
  const server = await startSound(kind);
  Object.assign(process.env, server.env);
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      delete process.env['PULSE_SERVER'];
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Plays a minute of samples on a loudspeaker until it is disposed. */
function play(loudspeaker: string, sampleAt: (at: number) => number): Disposable {
  const samples = Int16Array.from({ length: 60 * format.rate }, (_, at) => sampleAt(at));
  const args = ['--playback', '--raw', '--format=s16le', `--rate=${format.rate}`, '--channels=1'];
  const player = spawn('pacat', [...args, `--device=${loudspeaker}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  player.stdin.on('error', () => {});
  player.stdin.end(Buffer.from(samples.buffer));
  return { [Symbol.dispose]: () => void player.kill() };
}

const samplesOf = (data: Uint8Array): Int16Array =>
  new Int16Array(Uint8Array.from(data.subarray(0, data.length & ~1)).buffer);

/** Resolves with this much of the left channel, from the first loud sample on. */
function recordTone(sound: DeviceSound, seconds: number): Promise<number[]> {
  const { promise, resolve } = Promise.withResolvers<number[]>();
  const samples: number[] = [];
  sound.onData((data) => {
    const left = samplesOf(data).filter((_, at) => at % format.channels === 0);
    if (samples.length > 0 || left.some((sample) => sample > loud)) samples.push(...left);
    if (samples.length >= seconds * format.rate) resolve(samples);
  });
  return promise;
}

/** Waits until a sample of the listener's choice was heard after this call. */
function untilHeard(sound: Pick<DeviceSound, 'onData'>, isIt: (sample: number) => boolean): Promise<void> {
  return new Promise((resolve) => sound.onData((data) => void (samplesOf(data).some(isIt) && resolve())));
}

for (const kind of ['PulseAudio', 'PipeWire'] as const)
  describe(`the sound of the device with ${kind}`, { skip: skipWithout(kind) }, () => {
    test('has the frequency of what its loudspeaker plays, without gaps', async () => {
      await using _ = await useSound(kind);
      const sound = await openDeviceSound();
      using _tone = play('loudspeaker', (at) => 8_000 * Math.sin((at * 2 * Math.PI * hertz) / format.rate));
      const samples = (await recordTone(sound, 1.5)).slice(format.rate / 2);
      sound.close();

      const rises = samples.filter((sample, at) => at > 0 && samples[at - 1]! < 0 && sample >= 0).length;
      const seconds = samples.length / format.rate;
      const quiet = samples.filter((sample, at) => sample === 0 && samples[at + 1] === 0).length;
      assert.ok(Math.abs(rises / seconds - hertz) <= 4, `${rises / seconds} Hz`);
      assert.ok(quiet < format.rate / 100, `${quiet} samples are silent`);
    });

    test('is never that of the microphone, and follows the default loudspeaker', async () => {
      await using server = await useSound(kind);
      const load = (...words: string[]): string => server.command('load-module', ...words).trim();
      load('module-null-sink', 'sink_name=room');
      load('module-remap-source', 'master=room.monitor', 'source_name=microphone');
      const headset = load('module-null-sink', 'sink_name=headset');
      server.command('set-default-source', 'microphone');
      server.command('set-default-sink', 'loudspeaker');
      using _speech = play('room', () => spokenLevel);
      const voice = await openVoice();
      await untilHeard(voice, (sample) => sample > loud);

      const sound = await openDeviceSound();
      let [hasHeardSpeech, isPlayed] = [false, false];
      sound.onData((data) => {
        const samples = samplesOf(data);
        isPlayed = samples.some((sample) => sample < -loud);
        hasHeardSpeech ||= samples.some((sample) => sample > loud);
      });
      const isHeardOn = async (loudspeaker: string): Promise<void> => {
        await eventually(() => !isPlayed, Boolean);
        using _player = play(loudspeaker, () => playedLevel);
        await eventually(() => isPlayed, Boolean);
      };
      await isHeardOn('loudspeaker');
      server.command('set-default-sink', 'headset');
      await isHeardOn('headset');
      server.command('unload-module', headset);
      server.command('set-default-sink', 'loudspeaker');
      await isHeardOn('loudspeaker');
      sound.close();
      voice.close();

      assert.equal(hasHeardSpeech, false);
    });
  });

test('a device without a sound server says so', { skip: skipWithout('PulseAudio') }, async () => {
  process.env['PULSE_SERVER'] = 'unix:/missing';
  await assert.rejects(openDeviceSound(), /no sound server runs on the device/);
  delete process.env['PULSE_SERVER'];
});
