/** The last step at the edge of the system: a program that is run to change something, or only written down. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs a program and says what it printed; rejects when it is not there, fails or takes too long. Undefined when it was
 * only written down: then nothing has changed that one could look at.
 */
export type Execute = (
  program: string,
  args: readonly string[],
  timeoutMs: number,
) => Promise<string | undefined>;

const run = promisify(execFile);

export const execute: Execute = async (program, args, timeout) =>
  (await run(program, [...args], { timeout, env: { ...process.env, LC_ALL: 'C' } })).stdout;

/** Writes down what would be run. Everything before it, and what the system can not do, stays as it is. For tests. */
export const createDryRun =
  (log: (line: string) => void): Execute =>
  async (program, args) => {
    log(`harmless: would run ${[program, ...args].join(' ')}`);
    return undefined;
  };
