/** The entry point of the commands that install the server as a system service. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runServiceCommand } from './run-service.ts';

/** The launcher, seen from the bundle in `dist/cli` and from this file. */
const launcher = [
  join(import.meta.dirname, '../../cli/bin/drawbridge.cjs'),
  join(import.meta.dirname, '../../bin/drawbridge.cjs'),
].find((file) => existsSync(file))!;

process.exitCode = await runServiceCommand(process.argv.slice(2), {
  command: [process.execPath, launcher],
  isRoot: process.getuid?.() === 0,
  hasSystemd: existsSync('/run/systemd/system'),
  run: (program, args) =>
    new Promise((resolve) => {
      execFile(program, [...args], { timeout: 60_000 }, (error, stdout, stderr) => {
        process.stderr.write(error ? stderr : '');
        resolve(error ? undefined : stdout);
      });
    }),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
