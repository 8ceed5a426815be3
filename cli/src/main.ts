/** Entry point of the command line: runs the command and sets the exit code. */
import { homedir } from 'node:os';
import { text } from 'node:stream/consumers';
import { askLine, askSecretLine } from './ask-line.ts';
import { findLocalServer } from './local-server.ts';
import { runCli } from './run.ts';

// A reader such as `head` closes the pipe early; the command has not failed.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  folder: process.cwd(),
  home: homedir(),
  // Some terminals report no width.
  columns: process.stdout.isTTY ? process.stdout.columns || 80 : Infinity,
  out: (output) => process.stdout.write(output),
  err: (output) => process.stderr.write(output),
  input: () => text(process.stdin),
  ask: askLine,
  askSecret: askSecretLine,
  localServer: findLocalServer,
});
