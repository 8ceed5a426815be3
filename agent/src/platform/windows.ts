/** The platform for Windows. */
import type { Execute } from './execute.ts';
import { isSizeChanged } from './marks/screen-size.ts';
import { NotPossible, type Platform } from './platform.ts';
import { wakeMachines } from './wake.ts';
import { readFacts, readFingerprint } from './windows/inventory/facts.ts';
import { readSoftware } from './windows/inventory/software.ts';
import { ownUser, systemUser } from './windows/api/token-user.ts';
import { loadWindowsApi } from './windows/api/windows-api.ts';
import { restorePolicy } from './windows/input/secure-attention.ts';
import { createPower } from './windows/power.ts';

/**
 * Modules with large dependencies, such as the inventory and the screen, are loaded on first use. In a
 * service, which runs as SYSTEM, a process of the signed-in person opens files and shells.
 */
export function windows(execute: Execute, isService = false): Platform {
  const { leaveSafeMode, ...power } = createPower(execute);
  return {
    facts: readFacts,
    fingerprint: readFingerprint,
    hardware: async () => (await import('./windows/inventory/hardware.ts')).readHardware(),
    software: readSoftware,
    ...power,
    wake: wakeMachines,
    preview: async (width) => (await import('./windows/screen/screenshot.ts')).takeScreenshot(width),
    notify: async (message, signal) => (await import('./windows/notify.ts')).notifyUser(message, signal),
    desktop: async () => (await import('./windows/desktop.ts')).openDesktop(),
    async preload() {
      await import('./windows/desktop.ts');
    },
    async recover() {
      await leaveSafeMode();
      restorePolicy(await loadWindowsApi());
      if (isSizeChanged()) await (await import('./windows/desktop.ts')).recoverScreen();
    },
    async files() {
      if (await runsAsSystem(isService))
        return (await import('./windows/person/session-access.ts')).openPersonFiles();
      return (await import('./windows/files/session-files.ts')).openFiles();
    },
    async shell(size) {
      if (await runsAsSystem(isService))
        return (await import('./windows/person/session-access.ts')).openPersonShell(size);
      return (await import('./windows/shell/shell.ts')).openShell(size);
    },
    voice: async () => (await import('./windows/sound/voice.ts')).openVoice(),
    elevation: async () => (await import('./windows/elevation.ts')).openElevation(),
    async sound() {
      throw new NotPossible('The agent cannot send the sound of a device with Windows yet.');
    },
    async printer() {
      throw new NotPossible('The agent cannot add a printer to a device with Windows yet.');
    },
  };
}

/** Also true for an agent that something other than the service manager runs as SYSTEM, such as a scheduled task. */
const runsAsSystem = async (isService: boolean): Promise<boolean> =>
  isService || ownUser(await loadWindowsApi()) === systemUser;
