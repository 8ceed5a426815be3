/** Reads small system files and the output of system programs. */
import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The trimmed text of a file; empty if it does not exist or is not readable. */
export const textOf = (path: string): Promise<string> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );

export const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** The output of a program; undefined if it is missing or fails. */
export const outputOf = (
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> =>
  run(program, [...args], { timeout: 20_000, maxBuffer: 32 * 1_048_576, env: { ...env, LC_ALL: 'C' } }).then(
    ({ stdout }) => stdout,
    () => undefined,
  );
