/** What ends the work on a Linux machine: reboot and lock. Done only when the system says so. */
import type { Execute } from '../execute.ts';
import { NotPossible, type Platform } from '../platform.ts';
import { outputOf } from './inventory/system-files.ts';
import { waitUntilLocked, type PollClock } from './locked.ts';

/** A program with what it is told, and how long it may take: all of a command together less than the server waits. */
type Attempt = readonly [program: string, args: readonly string[], timeoutMs: number];

export const createPower = (execute: Execute, waiting?: PollClock): Pick<Platform, 'reboot' | 'lock'> => ({
  async reboot({ safe }) {
    if (safe) throw new NotPossible('Linux has no safe mode to reboot into.');
    await tryEach(execute, 'The system refused to reboot', [
      ['systemctl', ['reboot'], 5_000],
      ['shutdown', ['-r', 'now'], 3_000],
    ]);
  },
  async lock() {
    const said = await tryEach(execute, 'The system could not lock the screen', [
      ['loginctl', ['lock-sessions'], 4_000],
    ]);
    if (said !== undefined) await waitUntilLocked(execute, waiting);
  },
});

/** Tells all who are logged in; that nobody hears it is no failure. */
export const notifyTerminals = async (message: string): Promise<void> =>
  void (await outputOf('wall', [message]));

/** What the first program says that does it; what the last one said when none does. */
async function tryEach(
  execute: Execute,
  sentence: string,
  attempts: readonly Attempt[],
): Promise<string | undefined> {
  let said = '';
  for (const [program, args, timeoutMs] of attempts)
    try {
      return await execute(program, args, timeoutMs);
    } catch (error) {
      const { stderr = '', message } = error as { stderr?: string; message: string };
      said = (stderr || message).trim().split('\n')[0] ?? '';
    }
  throw new NotPossible(`${sentence}: ${said}`);
}
