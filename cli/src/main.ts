/** The entry of the command line: lends the process to the command and leaves with its exit code. */
import { homedir } from 'node:os';
import { text } from 'node:stream/consumers';
import { runCli } from './run.ts';

// A reader that has seen enough (`| head`) closes the pipe; that is no failure of the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  folder: process.cwd(),
  home: homedir(),
  columns: process.stdout.isTTY ? process.stdout.columns : Infinity,
  out: (words) => process.stdout.write(words),
  err: (words) => process.stderr.write(words),
  input: () => text(process.stdin),
});
