/** The interface of the operating system. One file per system implements it, and throws NotPossible for what it does not support. */
import type { Hardware } from '@drawbridge/contract/hardware';
import type { Facts, Fingerprint, Software } from '@drawbridge/contract/uplink/facts';
import type { Desktop } from './desktop.ts';
import type { Files } from './files.ts';
import type { PrinterOptions, SessionPrinter } from './printing/session-printer.ts';
import type { Shell, ShellSize } from './shell.ts';
import type { DeviceSound } from './device-sound.ts';
import type { Voice } from './voice.ts';

/** Something that this device cannot do; the message is a sentence for the operator. */
export class NotPossible extends Error {
  /** It is probably possible soon. */
  readonly isBrief: boolean;

  constructor(message: string, { isBrief = false } = {}) {
    super(message);
    this.isBrief = isBrief;
  }
}

export const isBrieflyNotPossible = (error: unknown): boolean =>
  error instanceof NotPossible && error.isBrief;

export interface Screenshot {
  type: 'image/png' | 'image/jpeg';
  bytes: Buffer;
}

/** A way to administrator rights that this process does not have. */
export interface Elevation {
  /** Runs this program with these arguments; resolves with its exit code, or undefined if the person declines. */
  run(args: readonly string[]): Promise<number | undefined>;
}

export interface Platform {
  facts(): Promise<Omit<Facts, 'version' | 'installed'>>;
  fingerprint(): Promise<Fingerprint>;
  hardware(): Promise<Hardware>;
  software(): Promise<Software>;
  /** Resolves when the system has accepted the reboot. */
  reboot(options: { safe: boolean }): Promise<void>;
  /** Locks the screens of all users of the device. */
  lock(): Promise<void>;
  /** Sends magic packets on every network of the device. */
  wake(macs: readonly string[]): Promise<void>;
  /** Takes a screenshot that is no wider than this. */
  preview(width: number): Promise<Screenshot>;
  /** Shows a message to the users of the device; resolves when it was confirmed, or was shown for a while. */
  notify(message: string, signal?: AbortSignal): Promise<void>;
  /** Opens the graphical desktop of the person at the device. */
  desktop(): Promise<Desktop>;
  /**
   * Loads the code of `desktop` and `files`, which takes longer than to open them. With `opensScreen`, it also opens and closes
   * the screen once where nobody is asked or told about that, because the first time takes longer than the next. No pixel is read.
   */
  preload(options: { opensScreen: boolean }): Promise<void>;
  /** Undoes what an agent left behind that was killed during a session. */
  recover(): Promise<void>;
  /** Opens the part of the file system that operators can access. */
  files(): Promise<Files>;
  /** Opens a shell. */
  shell(size: ShellSize): Promise<Shell>;
  /** Opens microphone and loudspeaker. */
  voice(): Promise<Voice>;
  /** Opens the sound that the device plays. */
  sound(): Promise<DeviceSound>;
  /** Adds a printer to the device whose documents the agent receives. */
  printer(options: PrinterOptions): Promise<SessionPrinter>;
  /** Absent, or resolves with undefined, if this process already has all rights that it can get. */
  elevation?(): Promise<Elevation | undefined>;
}
