/** The interface of a graphical desktop. One folder per operating system implements it. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { FileDrags } from './drag/file-drags.ts';

export interface Monitor extends Box {
  name: string;
  primary: boolean;
}

export interface ScreenSize {
  width: number;
  height: number;
}

export interface Layout extends ScreenSize {
  monitors: readonly Monitor[];
  /** Sizes that the screen supports. */
  sizes: readonly ScreenSize[];
  /** The size before operators changed it; absent while it is as it was. */
  original?: ScreenSize;
}

/** Pixels in memory: 4 bytes each, blue first. Valid until the next grab. */
export interface Pixels {
  box: Box;
  /** One word for each pixel. */
  words: Uint32Array;
  /** Where the box starts in `words`. */
  offset: number;
  /** The distance from row to row. */
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
  /** Returns what changed since the last call. */
  damage(): Promise<Box[]>;
  /** Returns the pixels of these boxes, from shared memory if the system supports it. */
  grab(boxes: readonly Box[]): Promise<Pixels[]>;
  /** Called when something changed after a call of `damage`. */
  onDamage(listener: () => void): void;
  onCursor(listener: (cursor: { x: number; y: number; shape?: CursorShape }) => void): void;
  close(): void;
}

/** Simulated mouse and keyboard input. `close` releases everything that is pressed. */
export interface DesktopInput {
  pointer(x: number, y: number, buttons: number): void;
  wheel(deltaX: number, deltaY: number): void;
  /** `code` is the position and `key` the meaning of the key; the device receives the meaning in the operator's layout. */
  key(down: boolean, code: string, key: string): void;
  text(text: string): void;
  /** Releases everything that is pressed, and drops pending input. */
  reset(): void;
  close(): void;
}

export interface Clipboard {
  onChange(listener: (text: string) => void): void;
  write(text: string): void;
  close(): void;
}

/** A small window on the device that shows who is connected and lets the person stop it. */
export interface Banner {
  onStop(listener: () => void): void;
  setText(text: string): void;
  close(): void;
}

export interface Desktop {
  layout(): Promise<Layout>;
  onLayout(listener: () => void): void;
  /** Called when the desktop is gone, for example after a logout, with the reason if it is known. Callers then open the next one. */
  onClose(listener: (why?: string) => void): void;
  /** Called with a sentence for the operator about what is shown now, such as that the screen is locked. */
  onNote?(listener: (sentence: string) => void): void;
  /** Why the person at the device cannot be told who is connected, in a sentence; absent if they can. */
  untold?: string;
  capture(): Promise<Capture>;
  input(): Promise<DesktopInput>;
  clipboard(): Promise<Clipboard>;
  /** Absent if files cannot be dragged out of this desktop. */
  fileDrags?(): Promise<FileDrags>;
  /** Changes the size of the screen until `restoreSize`. */
  resize(width: number, height: number): Promise<void>;
  /**
   * Restores the size that the screen had before it was changed, unless another desktop has changed it too or the
   * person at the device has chosen another size since.
   */
  restoreSize(): Promise<void>;
  /** Blacks out the screen and blocks the device's own mouse and keyboard. The returned function undoes it. */
  shield(): Promise<() => Promise<void>>;
  banner(text: string): Promise<Banner>;
  /** Asks the person at the device; false if they decline, do not answer in time, or the question is withdrawn. */
  ask(question: string, seconds: number, signal?: AbortSignal): Promise<boolean>;
  /** Shows a message that needs no answer; resolves when it was confirmed, after its time, or when it is withdrawn. */
  inform(message: string, seconds: number, signal?: AbortSignal): Promise<void>;
  /** Shows a chat message with a field for an answer. */
  chat(name: string, text: string, onReply: (text: string) => void): Promise<void>;
  close(): void;
}
