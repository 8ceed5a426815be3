/** Reboots and locks a Windows machine. */
import type { Execute } from '../execute.ts';
import { createMarkFile } from '../marks/mark-file.ts';
import { NotPossible, type Platform } from '../platform.ts';

export const safeModeMarkName = 'safe-mode';

/** Exists while the next start is set to be one in safe mode. */
const mark = createMarkFile(safeModeMarkName);

const timeoutMs = 4_000;

export const createPower = (
  execute: Execute,
): Pick<Platform, 'reboot' | 'lock'> & { leaveSafeMode(): Promise<void> } => ({
  async reboot({ safe }) {
    if (safe) await enterSafeMode(execute);
    try {
      await run(execute, 'Windows refused to reboot', 'shutdown.exe', ['/r', '/t', '0', '/f']);
    } catch (error) {
      await leaveSafeMode(execute);
      throw error;
    }
  },
  lock: () =>
    run(execute, 'Windows could not lock the screen', 'rundll32.exe', ['user32.dll,LockWorkStation']),
  leaveSafeMode: () => leaveSafeMode(execute),
});

/** Does nothing if the agent has not chosen safe mode. */
async function leaveSafeMode(execute: Execute): Promise<void> {
  if (!mark.exists()) return;
  await run(execute, 'Safe mode stays on', 'bcdedit.exe', ['/deletevalue', '{current}', 'safeboot']);
  mark.clear();
}

/** The setting stays until it is deleted, so the agent deletes it when it has started in safe mode. */
async function enterSafeMode(execute: Execute): Promise<void> {
  mark.write('');
  try {
    const setting = ['/set', '{current}', 'safeboot', 'network'];
    await run(execute, 'Windows refused to start in safe mode', 'bcdedit.exe', setting);
  } catch (error) {
    mark.clear();
    throw error;
  }
}

async function run(
  execute: Execute,
  sentence: string,
  program: string,
  args: readonly string[],
): Promise<void> {
  await execute(program, args, timeoutMs).catch((error: unknown) => {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    throw new NotPossible(`${sentence}: ${(stderr || message).trim().split('\n')[0] ?? ''}`);
  });
}
