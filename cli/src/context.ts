/** What a command may use of the machine it runs on. Main and tests provide it. */
import type { CliFailure } from './failure.ts';
import type { LocalServer } from './local-server.ts';

export interface CliContext {
  env: Record<string, string | undefined>;
  /** The folder that relative paths refer to. */
  folder: string;
  /** The person's home folder. */
  home: string;
  /** Width of the terminal in cells; Infinity if the output is not a terminal. */
  columns: number;
  out(text: string): void;
  err(text: string): void;
  /** Reads all of standard input. */
  input(): Promise<string>;
  /** Asks for one line; empty if standard input ends. */
  ask(question: string): Promise<string>;
  /** The same, without showing what is typed. */
  askSecret(question: string): Promise<string>;
  /** Finds the server on this machine by its settings. */
  localServer(): Promise<LocalServer | CliFailure>;
}
