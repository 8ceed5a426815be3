/** Runs programs that change the system, or only logs them in a dry run. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs a program and returns its output; rejects if the program is missing, fails or takes too long. Returns undefined in
 * a dry run, because then nothing has changed that the caller could check.
 */
export type Execute = (
  program: string,
  args: readonly string[],
  timeoutMs: number,
) => Promise<string | undefined>;

const run = promisify(execFile);

export const execute: Execute = async (program, args, timeout) =>
  (await run(program, [...args], { timeout, env: { ...process.env, LC_ALL: 'C' } })).stdout;

/** Logs what would be run. All checks before that stay the same. For tests. */
export const createDryRun =
  (log: (line: string) => void): Execute =>
  async (program, args) => {
    log(`harmless: would run ${[program, ...args].join(' ')}`);
    return undefined;
  };
