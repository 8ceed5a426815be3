/** What ends the work on a Linux machine: reboot and lock. Done only when the system says so. */
import type { Execute } from '../execute.ts';
import { NotPossible, type Platform } from '../platform.ts';
import { outputOf } from './files.ts';

export const power = (execute: Execute): Pick<Platform, 'reboot' | 'lock'> => ({
  async reboot({ safe }) {
    if (safe) throw new NotPossible('Linux has no safe mode to reboot into.');
    await tryEach(execute, 'The system did not accept to reboot', [
      ['systemctl', ['reboot']],
      ['shutdown', ['-r', 'now']],
    ]);
  },
  lock: () => tryEach(execute, 'The system could not lock the screen', [['loginctl', ['lock-sessions']]]),
});

/** Tells all who are logged in; that nobody hears it is no failure. */
export const tell = async (message: string): Promise<void> => void (await outputOf('wall', [message]));

/** The first program that does it; what the last one said when none does. */
async function tryEach(
  execute: Execute,
  sentence: string,
  attempts: readonly (readonly [string, readonly string[]])[],
): Promise<void> {
  let said = '';
  for (const [program, args] of attempts)
    try {
      await execute(program, args);
      return;
    } catch (error) {
      const { stderr = '', message } = error as { stderr?: string; message: string };
      said = (stderr || message).trim().split('\n')[0] ?? '';
    }
  throw new NotPossible(`${sentence}: ${said}`);
}
