/** Finds the server on this machine through the settings that the server itself and `doctor` use. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type CliFailure, usageFailure } from './failure.ts';

/** The answer of `drawbridge server show --json`. */
export interface LocalServer {
  /** Null if the settings do not name a port at an address of this machine. */
  server: string | null;
  /** The file with the certificate that the server presents. */
  certificate: string;
  /** Null if there is no such file yet, or this user cannot read it. */
  fingerprint: string | null;
}

/** Only the server's own program reads its settings, so that every command reads them alike. */
export function findLocalServer(): Promise<LocalServer | CliFailure> {
  const launcher = fileURLToPath(import.meta.resolve('@drawbridge/cli/launcher'));
  return new Promise((resolve) => {
    execFile(process.execPath, [launcher, 'server', 'show', '--json'], (error, stdout) =>
      resolve(error ? usageFailure(messageIn(stdout)) : (JSON.parse(stdout) as LocalServer)),
    );
  });
}

function messageIn(stdout: string): string {
  try {
    return (JSON.parse(stdout) as { error: { message: string } }).error.message;
  } catch {
    return 'The settings of the server on this machine cannot be read. Pass --server, or run drawbridge doctor.';
  }
}
