/** What a command of the server's machine is, what it may touch, and the ways it ends. */

/** What a command may touch of the process it runs in; passed in by main, and by tests. */
export interface ProcessContext {
  env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths start from. */
  folder: string;
  out(text: string): void;
  err(text: string): void;
}

export interface CommandOption {
  /** What follows it; absent where it stands alone. */
  takes?: string;
  says: string;
  required?: boolean;
}

/** What the command line gave, with names as in `options`. */
export interface ParsedArguments {
  options: Readonly<Record<string, string | undefined>>;
  /** What stood beside the options; empty where the command takes none. */
  operand: string;
}

/** A command that was carried out: what programs read and what people read. */
export interface CommandOutcome {
  data: object;
  says: string;
  /** 1 where it was carried out and found something wrong. */
  exit?: 0 | 1;
}

/** A command that was not carried out, and why, in a sentence. */
export interface Failure {
  exit: 1 | 2;
  failure: string;
}

export interface AdminCommand {
  name: string;
  says: string;
  operand?: string;
  options: Readonly<Record<string, CommandOption>>;
  run(args: ParsedArguments, context: ProcessContext): Promise<CommandOutcome | Failure>;
}

export const refuse = (failure: string): Failure => ({ exit: 1, failure });
export const usageError = (failure: string): Failure => ({ exit: 2, failure });

export const isFailure = (value: unknown): value is Failure =>
  typeof value === 'object' && value !== null && 'failure' in value;
