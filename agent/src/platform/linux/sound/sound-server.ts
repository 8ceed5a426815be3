/** The sound server of the person at the device, PulseAudio or PipeWire, and programs that use it. */
import { spawn, spawnSync, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { NotPossible } from '../../platform.ts';
import { namesIn } from '../inventory/system-files.ts';

/** The sound server accepts only its own user, so an agent that runs as root switches to that user. */
interface SoundEnvironment {
  env: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
}

export const isInstalled = (program: string): boolean => !spawnSync(program, ['--version']).error;

/** Starts a program that plays or records, as the user of the sound server. */
export async function startSoundProgram(
  program: string,
  args: readonly string[],
): Promise<ChildProcessWithoutNullStreams> {
  const { env, ...user } = await soundEnvironment();
  // Their messages are read.
  const child = spawn(program, args, { ...user, env: { ...env, LC_ALL: 'C' }, stdio: 'pipe' });
  await hasStarted(child);
  return child;
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
