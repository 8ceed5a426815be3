/**
 * Another user of the device, who swaps folders while the agent uses them: a separate process, run as nobody
 * if the tests run as root.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, lchownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { minimalEnvironment, boundToParent } from '../process.ts';

const isRoot = process.getuid?.() === 0;
/** The owner of the other user's files: nobody, or the tests' own user if they do not run as root. */
export const otherUser: { uid: number; gid: number } = isRoot
  ? { uid: 65_534, gid: 65_534 }
  : { uid: process.getuid!(), gid: process.getgid!() };

/**
 * Gives a tree to the other user (for a link, the link itself); if the tests do not run as root, makes
 * folders writable for every user.
 */
export function giveToOtherUser(path: string): void {
  lchownSync(path, otherUser.uid, otherUser.gid);
  if (!lstatSync(path).isDirectory()) return;
  chmodSync(path, isRoot ? 0o755 : 0o777);
  for (const name of readdirSync(path)) giveToOtherUser(join(path, name));
}

export interface LocalUser extends AsyncDisposable {
  /** How often folder and link have been swapped so far. */
  swaps(): number;
}

/**
 * `once`: replaces `folder` with a link to `victim` as soon as an entry vanishes from it. `ever`: swaps them
 * back and forth repeatedly.
 */
export async function startFolderSwapping(
  how: 'once' | 'ever',
  folder: string,
  victim: string,
): Promise<LocalUser> {
  const program = join(import.meta.dirname, 'local-user-program.ts');
  const [command, args] = boundToParent(process.execPath, [program, how, folder, victim]);
  const child = spawn(command, args, {
    env: { PATH: minimalEnvironment()['PATH'] },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(isRoot && otherUser),
  });
  const ended = once(child, 'exit');
  let output = '';
  const begun = Promise.withResolvers<void>();
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString();
    begun.resolve();
  });
  await Promise.race([begun.promise, ended.then(() => Promise.reject(new Error('the user went away')))]);
  return {
    swaps: () => output.split('\n').length - 2,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
