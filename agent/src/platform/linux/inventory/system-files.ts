/** Small files of the system, and programs that say one thing. */
import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The text of a file without the white space around it; empty when it is not there or not for us. */
export const textOf = (path: string): Promise<string> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );

export const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** What a program prints; undefined when it is not there or fails. */
export const outputOf = (
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> =>
  run(program, [...args], { timeout: 20_000, maxBuffer: 32 * 1_048_576, env: { ...env, LC_ALL: 'C' } }).then(
    ({ stdout }) => stdout,
    () => undefined,
  );
