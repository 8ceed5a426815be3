/**
 * The real programs as separate processes: servers and agents that can be frozen, killed and started again.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlesVariable } from '../../scripts/bundle-packages.ts';
import { eventually } from './eventually.ts';

const root = join(import.meta.dirname, '../..');
const setpriv = '/usr/bin/setpriv';

/** The command that runs a program so that the kernel ends it with this process, however this one ends. */
export const boundToParent = (program: string, args: readonly string[]): [string, string[]] =>
  existsSync(setpriv) ? [setpriv, ['--pdeathsig', 'KILL', '--', program, ...args]] : [program, [...args]];

export interface Program extends AsyncDisposable {
  pid: number;
  /** All of its output so far. */
  output(): string;
  /** Resolves with the match once its output fits; rejects if it ends first. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  /** Resolves with its exit code once it has ended. */
  gone: Promise<number | null>;
  /** Ends it with this signal, and resolves with its exit code. */
  end(name: NodeJS.Signals): Promise<number | null>;
}

/** The search path, the compile cache and the bundles: the only variables taken over from the tests. */
export const minimalEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  [bundlesVariable]: process.env[bundlesVariable],
});

/** Arguments of Node with which a program loads the bundles of a test run: a server then starts with half of the CPU time. */
export const bundleArguments = (): string[] =>
  process.env[bundlesVariable] === undefined ? [] : ['--import', join(root, 'scripts/bundled-packages.ts')];

/**
 * Runs a TypeScript program of this project with only the given environment. `before` is a command prefix, to
 * run it somewhere else.
 */
export function startProgram(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  before: readonly string[] = [],
): Program {
  // Somewhere else, such as as another user, the bundles may not be readable.
  const bundles = before.length === 0 ? bundleArguments() : [];
  const [program, ...rest] = [...before, process.execPath, ...bundles, join(root, file), ...args];
  const child = spawn(...boundToParent(program!, rest), {
    cwd: tmpdir(),
    env: { ...minimalEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return followProcess(child);
}

export function followProcess(child: ChildProcess): Program {
  let text = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  let isOver = false;
  const gone = new Promise<number | null>((resolve) => void child.once('close', resolve));
  void gone.then(() => (isOver = true));
  const end = async (name: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(name);
    return gone;
  };
  return {
    pid: child.pid!,
    output: () => text,
    async until(pattern) {
      const { match } = await eventually(
        () => ({ match: pattern.exec(text), pattern: String(pattern), isOver, text: text.slice(-1_000) }),
        (state) => state.match !== null || state.isOver,
      );
      if (!match) throw new Error(`the program ended after: ${text}`);
      return match;
    },
    signal: (name) => void child.kill(name),
    gone,
    end,
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
    },
  };
}

export interface ServerProcess extends Program {
  url: string;
  folder: string;
}

/** A server of this project; `folder` and `port` if it is started again. */
export async function startServerProcess(
  env: Record<string, string> = {},
  { folder = mkdtempSync(join(tmpdir(), 'drawbridge-server-')), port = 0 } = {},
): Promise<ServerProcess> {
  const program = startProgram('server/src/main.ts', [], {
    DRAWBRIDGE_DATA: folder,
    DRAWBRIDGE_LISTEN: `127.0.0.1:${port}`,
    ...env,
  });
  const [, url] = await program.until(/ready at (https:\/\/\S+)/);
  return { ...program, url: url!, folder };
}

/** The key of the owner of the first account, printed by the server that created it. */
export const firstApiKey = (server: Program): string => /API key: (\S+)/.exec(server.output())![1]!;

/**
 * An agent of this project with its own folder; commands that would end this machine's work are only logged.
 */
export function startAgentProcess(server: string, token: string, before: readonly string[] = []): Program {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-agent-'));
  const args = ['agent', 'run', '--server', server, '--token', token];
  const env = { DRAWBRIDGE_AGENT_DATA: folder, DRAWBRIDGE_AGENT_HARMLESS: '1' };
  const program = startProgram('agent/src/main.ts', args, env, before);
  return {
    ...program,
    async [Symbol.asyncDispose]() {
      await program.end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
