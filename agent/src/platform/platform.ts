/** What the agent asks of the operating system. One file per system implements it; each says plainly what it can not do. */
import type { Hardware } from '@drawbridge/contract/hardware';
import type { Facts, Fingerprint, Software } from '@drawbridge/contract/uplink/facts';
import type { Desktop } from './desktop.ts';
import type { Files } from './files.ts';
import type { Shell, ShellSize } from './shell.ts';
import type { Voice } from './voice.ts';

/** A sentence for the person who asked, why something is not done here. */
export class NotPossible extends Error {}

export interface Screenshot {
  type: 'image/png' | 'image/jpeg';
  bytes: Buffer;
}

export interface Platform {
  facts(): Promise<Omit<Facts, 'version' | 'installed'>>;
  fingerprint(): Promise<Fingerprint>;
  hardware(): Promise<Hardware>;
  software(): Promise<Software>;
  /** Resolves when the system has accepted to reboot. */
  reboot(options: { safe: boolean }): Promise<void>;
  /** Locks the screens of all who work on the device. */
  lock(): Promise<void>;
  /** Sends magic packets on every network of the device. */
  wake(macs: readonly string[]): Promise<void>;
  /** A picture of the screen, no wider than this. */
  preview(width: number): Promise<Screenshot>;
  /** Tells whoever works on the device something; resolves when it was read, or has been shown for a while. */
  notify(message: string, signal?: AbortSignal): Promise<void>;
  /** The graphical desktop of whoever works on the device. */
  desktop(): Promise<Desktop>;
  /** Undoes what an agent that was killed in the middle of a session left behind. */
  recover(): Promise<void>;
  /** The file system, as far as it is open to operators. */
  files(): Promise<Files>;
  /** A command line. */
  shell(size: ShellSize): Promise<Shell>;
  /** Microphone and loudspeaker. */
  voice(): Promise<Voice>;
}
