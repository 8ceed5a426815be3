/** A shell on a pseudo-terminal, as the user the agent runs as. */
import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { NotPossible } from '../platform.ts';
import type { Shell, ShellSize } from '../shell.ts';

/** The user's own shell where it is there, else the one every system has. */
const program = (): string =>
  [userInfo().shell, process.env['SHELL'], '/bin/bash'].find((each) => each && existsSync(each)) ?? '/bin/sh';

const killAfterMs = 2_000;

/** The agent's own settings are none of the shell's business; a service lacks what a login would have set. */
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
  const pty = spawn(program(), ['-l'], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd: existsSync(homedir()) ? homedir() : '/',
    env: environment(),
    encoding: null,
  });
  let ended = false;
  const whileAlive =
    <Values extends unknown[]>(work: (...values: Values) => void) =>
    (...values: Values): void => {
      if (!ended) work(...values);
    };
  pty.onExit(() => (ended = true));
  return {
    onData: (listener) => void pty.onData((data) => listener(data as unknown as Buffer)),
    onEnd: (listener) =>
      void pty.onExit(({ exitCode, signal }) =>
        listener(
          signal
            ? `The shell was terminated by signal ${signal}.`
            : `The shell exited with code ${exitCode}.`,
        ),
      ),
    // The package hands on what it gets, whatever its types say: bytes stay as they are.
    write: whileAlive((data: Uint8Array) => pty.write(Buffer.from(data) as unknown as string)),
    resize: whileAlive((wide, high) => pty.resize(wide, high)),
    pause: whileAlive(() => pty.pause()),
    resume: whileAlive(() => pty.resume()),
    close: whileAlive(() => {
      pty.kill('SIGHUP');
      // A shell that does not hear it must not outlive the session.
      setTimeout(
        whileAlive(() => pty.kill('SIGKILL')),
        killAfterMs,
      );
    }),
  };
}
