/** What a command may touch of the machine it runs on; lent by main, and by tests. */

export interface CliContext {
  env: Record<string, string | undefined>;
  /** The folder that relative paths start from. */
  folder: string;
  /** The home folder of the person. */
  home: string;
  /** Cells in a line of the terminal; Infinity where the output goes elsewhere. */
  columns: number;
  out(text: string): void;
  err(text: string): void;
  /** All of standard input. */
  input(): Promise<string>;
}
