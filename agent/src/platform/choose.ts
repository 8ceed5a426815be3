/** Chooses the platform for this operating system, with destructive commands replaced if a setting says so. */
import { execute, createDryRun } from './execute.ts';
import { vncAddress } from './linux/vnc/settings.ts';
import { linux } from './linux.ts';
import type { Platform } from './platform.ts';
import { unsupported } from './unsupported.ts';
import { windows } from './windows.ts';

/** DRAWBRIDGE_AGENT_HARMLESS=1 only logs reboot and lock instead of running them. For tests only. */
export async function choosePlatform(
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
  isService = false,
): Promise<Platform> {
  const isDryRun = env['DRAWBRIDGE_AGENT_HARMLESS'] === '1';
  if (isDryRun) log('WARNING: DRAWBRIDGE_AGENT_HARMLESS is set: reboot and lock do nothing on this machine.');
  if (process.platform === 'win32') return windows(isDryRun ? createDryRun(log) : execute, isService);
  if (process.platform !== 'linux') return unsupported(process.platform);
  try {
    vncAddress(env);
  } catch (error) {
    // Everything else works without the screen, and an operator who wants the screen gets the same message.
    log(`WARNING: ${(error as Error).message}`);
  }
  return linux(isDryRun ? createDryRun(log) : execute);
}
