/** The last step at the edge of the system: a program that is run to change something, or only written down. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program; rejects when it is not there, fails or takes too long. */
export type Execute = (program: string, args: readonly string[]) => Promise<unknown>;

const run = promisify(execFile);

export const execute: Execute = (program, args) => run(program, [...args], { timeout: 8_000 });

/** Writes down what would be run. Everything before it, and what the system can not do, stays as it is. For tests. */
export const harmless =
  (log: (line: string) => void): Execute =>
  async (program, args) =>
    log(`harmless: would run ${[program, ...args].join(' ')}`);
