/** Another user of a device, who exchanges folders under the agent's hands: a process of its own, as nobody where the tests are root. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, lchownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { minimalEnvironment, boundToParent } from '../process.ts';

const isRoot = process.getuid?.() === 0;
/** Whose files are those of the other user: nobody's, or where the tests are not root their own. */
export const otherUser: { uid: number; gid: number } = isRoot
  ? { uid: 65_534, gid: 65_534 }
  : { uid: process.getuid!(), gid: process.getgid!() };

/** Makes a tree the other user's, of a link the link itself; where the tests are not root, folders that any user can change. */
export function giveToOtherUser(path: string): void {
  lchownSync(path, otherUser.uid, otherUser.gid);
  if (!lstatSync(path).isDirectory()) return;
  chmodSync(path, isRoot ? 0o755 : 0o777);
  for (const name of readdirSync(path)) giveToOtherUser(join(path, name));
}

export interface LocalUser extends AsyncDisposable {
  /** How often folder and link have changed places so far. */
  swaps(): number;
}

/**
 * `once`: puts a link to `victim` in the place of `folder` as soon as something has vanished from it. `ever`: does so, and
 * undoes it, again and again.
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
  let said = '';
  const begun = Promise.withResolvers<void>();
  child.stdout.on('data', (data: Buffer) => {
    said += data.toString();
    begun.resolve();
  });
  await Promise.race([begun.promise, ended.then(() => Promise.reject(new Error('the user went away')))]);
  return {
    swaps: () => said.split('\n').length - 2,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
