/** The platform for Linux. */
import type { Execute } from './execute.ts';
import { readFacts, readFingerprint } from './linux/inventory/facts.ts';
import { createPower } from './linux/power.ts';
import { isSizeChanged } from './marks/screen-size.ts';
import { arePrintersLeft } from './marks/printer-mark.ts';
import { wasLeftShielded } from './marks/shield-mark.ts';
import { readSoftware } from './linux/inventory/software.ts';
import { wakeMachines } from './wake.ts';
import type { Platform } from './platform.ts';

/** Modules with large dependencies, such as the inventory and the screen, are loaded on first use. */
export const linux = (execute: Execute): Platform => ({
  facts: readFacts,
  fingerprint: readFingerprint,
  hardware: async () => (await import('./linux/inventory/hardware.ts')).readHardware(),
  software: readSoftware,
  ...createPower(execute),
  wake: wakeMachines,
  preview: async (width) => (await import('./linux/screenshot.ts')).takeScreenshot(width),
  notify: async (message, signal) => (await import('./linux/notify.ts')).notifyUsers(message, signal),
  desktop: async () => (await import('./linux/desktop.ts')).openDesktop(),
  async preload({ opensScreen }) {
    const [desktop] = await Promise.all([
      import('./linux/desktop.ts'),
      import('./linux/files/session-files.ts'),
    ]);
    // A session says why the screen cannot be opened.
    if (opensScreen) await desktop.openScreenOnce().catch(() => {});
  },
  async recover() {
    await Promise.all([
      arePrintersLeft() && import('./linux/printing/cups.ts').then((cups) => cups.removeLeftPrinters()),
      (wasLeftShielded() || isSizeChanged()) &&
        import('./linux/desktop.ts').then((desktop) => desktop.recoverScreen()),
    ]);
  },
  files: async () => (await import('./linux/files/session-files.ts')).openFiles(),
  shell: async (size) => (await import('./linux/shell.ts')).openShell(size),
  voice: async () => (await import('./linux/sound/voice.ts')).openVoice(),
  printer: async (options) => (await import('./linux/printing/session-printer.ts')).addPrinter(options),
  sound: async () => (await import('./linux/sound/device-sound.ts')).openDeviceSound(),
});
