/** Reboots and locks a Linux machine; reports success only if the system confirms it. */
import type { Execute } from '../execute.ts';
import { NotPossible, type Platform } from '../platform.ts';
import { outputOf } from './inventory/system-files.ts';
import { waitUntilLocked, type PollClock } from './locked.ts';

/** A program to try. The timeouts of one command together must be shorter than the time the server waits. */
type Attempt = readonly [program: string, args: readonly string[], timeoutMs: number];

export const createPower = (execute: Execute, clock?: PollClock): Pick<Platform, 'reboot' | 'lock'> => ({
  async reboot({ safe }) {
    if (safe) throw new NotPossible('Linux has no safe mode to reboot into.');
    await tryEach(execute, 'The system refused to reboot', [
      ['systemctl', ['reboot'], 5_000],
      ['shutdown', ['-r', 'now'], 3_000],
    ]);
  },
  async lock() {
    const output = await tryEach(execute, 'The system could not lock the screen', [
      ['loginctl', ['lock-sessions'], 4_000],
    ]);
    if (output !== undefined) await waitUntilLocked(execute, clock);
  },
});

/** Sends a message to the terminals of all logged-in users; it never rejects. */
export const notifyTerminals = async (message: string): Promise<void> =>
  void (await outputOf('wall', [message]));

/** Returns the output of the first program that succeeds; throws with the message of the last one if all fail. */
async function tryEach(
  execute: Execute,
  sentence: string,
  attempts: readonly Attempt[],
): Promise<string | undefined> {
  let lastMessage = '';
  for (const [program, args, timeoutMs] of attempts)
    try {
      return await execute(program, args, timeoutMs);
    } catch (error) {
      const { stderr = '', message } = error as { stderr?: string; message: string };
      lastMessage = (stderr || message).trim().split('\n')[0] ?? '';
    }
  throw new NotPossible(`${sentence}: ${lastMessage}`);
}
