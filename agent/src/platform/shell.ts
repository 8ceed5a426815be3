/** What the agent asks of a command line on the device. */

export interface Shell {
  onData(listener: (data: Uint8Array) => void): void;
  /** The shell has ended; the sentence says how. */
  onEnd(listener: (message: string) => void): void;
  write(data: Uint8Array): void;
  resize(columns: number, rows: number): void;
  /** Holds its output back, and lets it flow again. */
  pause(): void;
  resume(): void;
  close(): void;
}

export interface ShellSize {
  columns: number;
  rows: number;
}
