/** The interface of a shell on the device. */

export interface Shell {
  onData(listener: (data: Uint8Array) => void): void;
  /** Called with a sentence that says how the shell ended. */
  onEnd(listener: (message: string) => void): void;
  write(data: Uint8Array): void;
  resize(columns: number, rows: number): void;
  /** Pauses the output. */
  pause(): void;
  resume(): void;
  close(): void;
}

export interface ShellSize {
  columns: number;
  rows: number;
}
