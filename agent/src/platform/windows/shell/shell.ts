/** Opens a shell on a pseudo-console, as the user that this process runs as. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Shell, ShellSize } from '../../shell.ts';
import { loadWindowsApi } from '../api/windows-api.ts';
import { withPrivatePipes, type PrivatePipe } from './pipe.ts';
import { startOnPseudoConsole, type PseudoConsole } from './pseudo-console.ts';

const exitCheckMs = 200;

/** DRAWBRIDGE_AGENT_SHELL is the command line of another shell, such as `powershell.exe`. */
const commandLine = (settings: NodeJS.ProcessEnv): string =>
  settings['DRAWBRIDGE_AGENT_SHELL'] ?? process.env['ComSpec'] ?? 'cmd.exe';

/** The environment of the shell, without the agent's settings. */
const environment = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('DRAWBRIDGE_'),
    ),
  );

export async function openShell(
  { columns, rows }: ShellSize,
  settings: NodeJS.ProcessEnv = process.env,
): Promise<Shell> {
  const api = await loadWindowsApi();
  const program = {
    commandLine: commandLine(settings),
    folder: existsSync(homedir()) ? homedir() : 'C:\\',
    environment: environment(process.env),
    columns,
    rows,
  };
  return withPrivatePipes(api, (input, output) =>
    wrapConsole(
      startOnPseudoConsole(api, program, { input: input.handle, output: output.handle }),
      input,
      output,
    ),
  );
}

function wrapConsole(console: PseudoConsole, input: PrivatePipe, output: PrivatePipe): Shell {
  const endListeners = new Set<(message: string) => void>();
  let hasEnded = false;
  const end = async (message: string): Promise<void> => {
    if (hasEnded) return;
    hasEnded = true;
    clearInterval(timer);
    output.socket.resume();
    await console.close();
    input.socket.destroy();
    output.socket.destroy();
    endListeners.forEach((listener) => listener(message));
  };
  const timer = setInterval(() => {
    const code = console.exitCode();
    if (code !== undefined) void end(`The shell exited with code ${code}.`);
  }, exitCheckMs);
  return {
    onData: (listener) => void output.socket.on('data', listener),
    onEnd: (listener) => void endListeners.add(listener),
    write: (data) => void (hasEnded || input.socket.write(data)),
    resize: console.resize,
    pause: () => void output.socket.pause(),
    resume: () => void output.socket.resume(),
    close: () => void end('The shell was closed.'),
  };
}
