/** What the agent asks of a graphical desktop. One folder per system implements it. */
import type { Box } from '@drawbridge/contract/session/screen-frames';

export interface Monitor extends Box {
  name: string;
  primary: boolean;
}

export interface Layout {
  width: number;
  height: number;
  monitors: readonly Monitor[];
  /** Sizes the screen can be switched to. */
  sizes: readonly { width: number; height: number }[];
}

/** Pixels as they lie in memory: 4 bytes each, blue first. Valid until the next grab. */
export interface Pixels {
  box: Box;
  /** Where the box begins in `words`, one pixel each, and the distance from line to line. */
  words: Uint32Array;
  offset: number;
  stride: number;
}

export interface CursorShape {
  width: number;
  height: number;
  hotX: number;
  hotY: number;
  /** Premultiplied alpha, red first, 4 bytes a pixel. */
  rgba: Uint8Array;
}

export interface Capture {
  /** What changed since the last call; empty when nothing did. */
  damage(): Promise<Box[]>;
  /** The pixels of these boxes, from shared memory where the system has it. */
  grab(boxes: readonly Box[]): Promise<Pixels[]>;
  /** Calls out when something changed after a call of `damage`. */
  onDamage(listener: () => void): void;
  onCursor(listener: (cursor: { x: number; y: number; shape?: CursorShape }) => void): void;
  close(): void;
}

/** Mouse and keyboard of the device, moved by somebody else. What was pressed is let go on close. */
export interface DesktopInput {
  pointer(x: number, y: number, buttons: number): void;
  wheel(deltaX: number, deltaY: number): void;
  /** By place and by meaning: what the operator's layout says a key stands for is what arrives. */
  key(down: boolean, code: string, key: string): void;
  text(text: string): void;
  /** Lets go what is pressed, and forgets what was asked for and is not done yet. */
  reset(): void;
  close(): void;
}

export interface Clipboard {
  onChange(listener: (text: string) => void): void;
  write(text: string): void;
  close(): void;
}

/** A small window on the device that says who is connected, and that the person there can stop it. */
export interface Banner {
  onStop(listener: () => void): void;
  setText(text: string): void;
  close(): void;
}

export interface Desktop {
  layout(): Promise<Layout>;
  onLayout(listener: () => void): void;
  /** The desktop is gone, as when the person logs out; whoever wants the next one asks for it anew. */
  onClose(listener: () => void): void;
  capture(): Promise<Capture>;
  input(): Promise<DesktopInput>;
  clipboard(): Promise<Clipboard>;
  resize(width: number, height: number): Promise<void>;
  /** Blacks the screen out and blocks the device's own mouse and keyboard; the answer undoes it. */
  shield(): Promise<() => Promise<void>>;
  banner(text: string): Promise<Banner>;
  /** Asks whoever sits there; false when they decline, say nothing for this long, or the question is taken back. */
  ask(question: string, seconds: number, signal?: AbortSignal): Promise<boolean>;
  /** Shows a line of the chat and asks for an answer, if the person wants to give one. */
  chat(name: string, text: string, onReply: (text: string) => void): Promise<void>;
  close(): void;
}
