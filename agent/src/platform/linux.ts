/** Linux: everything the agent asks of the system, each part in a file of its own. */
import type { Execute } from './execute.ts';
import { factsOf, fingerprintOf } from './linux/facts.ts';
import { createPower } from './linux/power.ts';
import { isLeftBlack } from './linux/shield-mark.ts';
import { softwareOf } from './linux/software.ts';
import { sendMagicPackets } from './linux/wake.ts';
import type { Platform } from './platform.ts';

/** The inventory and the screen bring large libraries along: they are loaded when first asked for. */
export const linux = (execute: Execute): Platform => ({
  facts: factsOf,
  fingerprint: fingerprintOf,
  hardware: async () => (await import('./linux/hardware.ts')).hardwareOf(),
  software: softwareOf,
  ...createPower(execute),
  wake: sendMagicPackets,
  preview: async (width) => (await import('./linux/screenshot.ts')).takeScreenshot(width),
  notify: async (message, signal) => (await import('./linux/notify.ts')).notifyUsers(message, signal),
  desktop: async () => (await import('./linux/desktop.ts')).openDesktop(),
  recover: async () => (isLeftBlack() ? (await import('./linux/desktop.ts')).recoverScreen() : undefined),
  files: async () => (await import('./linux/session-files.ts')).openFiles(),
  shell: async (size) => (await import('./linux/shell.ts')).openShell(size),
  voice: async () => (await import('./linux/voice.ts')).openVoice(),
});
