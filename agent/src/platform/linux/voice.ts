/** Microphone and loudspeaker through PulseAudio or PipeWire, with the command-line programs that both support. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { voice as format } from '@drawbridge/contract/session/voice';
import { NotPossible } from '../platform.ts';
import type { Voice } from '../voice.ts';
import { namesIn } from './inventory/system-files.ts';

const formatArgs = ['--raw', '--format=s16le', `--rate=${format.rate}`, '--channels=1', '--latency-msec=40'];

/** The sound server accepts only its own user, so an agent that runs as root switches to that user. */
interface SoundEnvironment {
  env: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
}

export async function openVoice(): Promise<Voice> {
  if (spawnSync('parec', ['--version']).error || spawnSync('pacat', ['--version']).error)
    throw new NotPossible(
      'Calls are not possible: parec and pacat (package pulseaudio-utils) are not installed on the device.',
    );
  const options = { ...(await soundEnvironment()), stdio: 'pipe' as const };
  const microphone = spawn('parec', formatArgs, options);
  const loudspeaker = spawn('pacat', ['--playback', ...formatArgs], options);
  await Promise.all([hasStarted(microphone), hasStarted(loudspeaker)]);
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

function hasStarted(program: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  program.once('error', reject);
  program.once('spawn', resolve);
  return promise;
}

async function soundEnvironment(): Promise<SoundEnvironment> {
  if (process.getuid?.() !== 0 || process.env['XDG_RUNTIME_DIR'] || process.env['PULSE_SERVER'])
    return { env: process.env };
  const owner = await soundOwner('/run/user');
  if (!owner) throw new NotPossible('No user who is logged in on the device has sound turned on.');
  const { folder, uid, gid } = owner;
  return { uid, gid, env: { ...process.env, XDG_RUNTIME_DIR: folder } };
}

/** The first user with a sound server; `users` is the folder that holds the runtime folders of all users. */
export async function soundOwner(
  users: string,
): Promise<{ folder: string; uid: number; gid: number } | undefined> {
  for (const user of await namesIn(users)) {
    const folder = `${users}/${user}`;
    const [owner, socket] = await Promise.all(
      [folder, `${folder}/pulse/native`].map((path) => lstat(path).catch(() => undefined)),
    );
    // The system creates the folder; its content is controlled by the user.
    if (owner?.isDirectory() && socket?.isSocket() && owner.uid === socket.uid)
      return { folder, uid: owner.uid, gid: owner.gid };
  }
  return undefined;
}
