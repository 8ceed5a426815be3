/** The sound server of the person at the device, PulseAudio or PipeWire, and programs that use it. */
import { spawn, spawnSync, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { execute, type Execute } from '../../execute.ts';
import { NotPossible } from '../../platform.ts';
import { isAtScreen, rankOf, seatLogins } from '../inventory/logins.ts';
import { namesIn } from '../inventory/system-files.ts';
import { environmentForPerson } from '../person-process.ts';
import { shownPerson } from '../shown-person.ts';
import { defaultFolders, runtimeFoldersSetting } from '../wayland/wayland-session.ts';

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
  const users = process.env[runtimeFoldersSetting] ?? defaultFolders;
  const { folder, uid, gid } = await soundOwner(users, { shown: shownPerson() });
  return { uid, gid, env: environmentForPerson({ XDG_RUNTIME_DIR: folder }) };
}

interface SoundOwner {
  folder: string;
  uid: number;
  gid: number;
}

/**
 * The person whose desktop is shown, or else the one at the device, if they have a sound server: operators must not hear
 * anybody else. `users` is the folder that holds the runtime folders of all users.
 */
export async function soundOwner(
  users: string,
  { shown, ask = execute }: { shown?: number | undefined; ask?: Execute },
): Promise<SoundOwner> {
  const found = await soundOwnersIn(users);
  if (found.length === 0)
    throw new NotPossible('No user who is logged in on the device has sound turned on.');
  const logins = shown === undefined ? (await seatLogins(ask)).filter(isAtScreen) : [];
  const rank = ({ uid }: SoundOwner): number => rankOf(logins.filter(({ User }) => User === String(uid)));
  const isAtDevice = (each: SoundOwner): boolean =>
    shown === undefined ? rank(each) === rankOf(logins) : each.uid === shown;
  const owner = found.find(isAtDevice);
  if (owner) return owner;
  throw new NotPossible('The person at the device has no sound server, and that of others is not used.');
}

/** The users with a sound server, sorted by number. */
async function soundOwnersIn(users: string): Promise<SoundOwner[]> {
  const names = (await namesIn(users)).toSorted((one, other) => Number(one) - Number(other));
  const found = await Promise.all(
    names.map(async (name) => {
      const folder = `${users}/${name}`;
      const [owner, socket] = await Promise.all(
        [folder, `${folder}/pulse/native`].map((path) => lstat(path).catch(() => undefined)),
      );
      // The system creates the folder; its content is controlled by the user.
      if (!owner?.isDirectory() || !socket?.isSocket() || owner.uid !== socket.uid) return [];
      return [{ folder, uid: owner.uid, gid: owner.gid }];
    }),
  );
  return found.flat();
}
