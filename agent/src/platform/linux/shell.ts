/** Opens a shell on a pseudo-terminal, as the user that the agent runs as. */
import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import type { IPty } from '@lydell/node-pty';
import { NotPossible } from '../platform.ts';
import type { Shell, ShellSize } from '../shell.ts';

/** The user's own shell if it exists, otherwise one that every system has. */
const program = (): string =>
  [userInfo().shell, process.env['SHELL'], '/bin/bash'].find((each) => each && existsSync(each)) ?? '/bin/sh';

const killAfterMs = 2_000;

/** The environment of the shell: without the agent's settings, and with the variables that a login would have set. */
function environment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('DRAWBRIDGE_'),
  );
  const { username } = userInfo();
  const login = { HOME: homedir(), USER: username, LOGNAME: username, SHELL: program() };
  return { ...login, ...Object.fromEntries(entries), TERM: 'xterm-256color', COLORTERM: 'truecolor' };
}

export async function openShell({ columns, rows }: ShellSize): Promise<Shell> {
  const { spawn } = await import('@lydell/node-pty').catch((error: unknown) => {
    throw new NotPossible(`The agent cannot open a terminal on this device: ${(error as Error).message}`);
  });
  return wrapPty(
    spawn(program(), ['-l'], {
      name: 'xterm-256color',
      cols: columns,
      rows,
      cwd: existsSync(homedir()) ? homedir() : '/',
      env: environment(),
      encoding: null,
    }),
  );
}

function wrapPty(pty: IPty): Shell {
  let hasEnded = false;
  const whileAlive =
    <Values extends unknown[]>(work: (...values: Values) => void) =>
    (...values: Values): void => {
      if (!hasEnded) work(...values);
    };
  pty.onExit(() => (hasEnded = true));
  return {
    onData: (listener) => void pty.onData((data) => listener(data as unknown as Buffer)),
    onEnd: (listener) => void pty.onExit((exit) => listener(describeExit(exit))),
    // The package passes on bytes unchanged, although its types say string.
    write: whileAlive((data: Uint8Array) => pty.write(Buffer.from(data) as unknown as string)),
    resize: whileAlive((columns, rows) => pty.resize(columns, rows)),
    pause: whileAlive(() => pty.pause()),
    resume: whileAlive(() => pty.resume()),
    close: whileAlive(() => {
      pty.kill('SIGHUP');
      // A shell that ignores SIGHUP must not outlive the session.
      setTimeout(
        whileAlive(() => pty.kill('SIGKILL')),
        killAfterMs,
      );
    }),
  };
}

const describeExit = ({ exitCode, signal }: { exitCode: number; signal?: number }): string =>
  signal ? `The shell was terminated by signal ${signal}.` : `The shell exited with code ${exitCode}.`;
