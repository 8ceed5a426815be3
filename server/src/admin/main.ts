/** The commands for the server's machine: lends the process to one of them and leaves with its exit code. */
import { runAdmin } from './run.ts';

// A reader that has seen enough (`| head`) closes the pipe; that is no failure of the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runAdmin(process.argv.slice(2), {
  env: process.env,
  folder: process.cwd(),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
