/** The types of a command on the machine of the server: its options, its context and its results. */

/** What a command may use of its process; passed in by main and by tests. */
export interface ProcessContext {
  env: Readonly<Record<string, string | undefined>>;
  /** The working directory, where relative paths start. */
  folder: string;
  out(text: string): void;
  err(text: string): void;
}

export interface CommandOption {
  /** The placeholder for its value; absent for options without a value. */
  takes?: string;
  says: string;
  required?: boolean;
}

/** The parsed command line, with names as in `options`. */
export interface ParsedArguments {
  options: Readonly<Record<string, string | undefined>>;
  /** The argument that is not an option; empty where the command takes none. */
  operand: string;
}

/** The result of a command that ran: for programs, and as text for people. */
export interface CommandOutcome {
  data: object;
  says: string;
  /** 1 when the command ran and found a problem. */
  exit?: 0 | 1;
}

/** Why a command did not run, in a sentence. */
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

export const failWith = (failure: string): Failure => ({ exit: 1, failure });
export const usageError = (failure: string): Failure => ({ exit: 2, failure });

export const isFailure = (value: unknown): value is Failure =>
  typeof value === 'object' && value !== null && 'failure' in value;
