/** The interface of a path to a Wayland desktop: one folder per family of compositors implements it, in a process of the signed-in person. */
import type { LinuxDesktop } from '../drag/reachable-drags.ts';
import type { FrameMemory } from './frame-memory.ts';

/** Restricts the agent to one path, for owners who want the desktop itself to ask: `portal`. */
export const pathSetting = 'DRAWBRIDGE_AGENT_WAYLAND_PATH';

/** Whether the setting, if there is one, names the path. */
export const isWantedPath = (name: string): boolean => {
  const wanted = process.env[pathSetting];
  return !wanted || name.toLowerCase() === wanted.toLowerCase();
};

/** The pixels of its captures are words of the memory with which it was opened. */
export interface WaylandDesktop extends LinuxDesktop {
  /** Why the desktop was closed, in a sentence; undefined while it is open. */
  whyClosed(): string | undefined;
  /** What operators are told when the login manager says that the screen is locked; absent if the path tells it itself. */
  lockedNote?: string;
}

/** The token with which a desktop restores what the person has allowed. One for each person. */
export interface RestoreTokens {
  read(): string | undefined;
  keep(token: string): void;
}

export interface WaylandPath {
  /** The name for people, such as GNOME. */
  name: string;
  /** Says in a sentence what the desktop of this process lacks; undefined if the path can be used. */
  whyNot(): Promise<string | undefined>;
  /** Says in sentences what works less well than it could, and what to do. Asked only if the path can be used. */
  warnings(): Promise<string[]>;
  /** Opens the desktop of this process, which its environment names. */
  open(memory: FrameMemory, tokens: RestoreTokens): Promise<WaylandDesktop>;
}

/** Whether a path can be used. */
export interface PathReport {
  name: string;
  whyNot?: string;
  /** What works less well than it could. */
  warnings?: readonly string[];
}
