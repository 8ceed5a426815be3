/** The entry point of the commands on the machine of the server: runs one of them and exits with its code. */
import { runAdmin } from './run.ts';

// A reader such as `head` may close the pipe early; that is not a failure of the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runAdmin(process.argv.slice(2), {
  env: process.env,
  folder: process.cwd(),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
