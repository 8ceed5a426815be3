/** Starts the server as in production: by the launcher, in its own process, with its own data folder and default logging. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { endProcess } from './process.ts';
import { profileOptions } from './profile.ts';

export const root = join(import.meta.dirname, '../..');
const launcher = join(root, 'cli/bin/drawbridge.cjs');
/** What can be loaded into the server, at a small cost. Each writes its result to a file on SIGUSR2. */
const watchers = { pauses: 'loop-watch.ts', heap: 'heap-watch.ts' } as const;

export interface MeasuredServer extends AsyncDisposable {
  pid: number;
  port: number;
  /** Milliseconds from the start of the process until /readyz succeeded. */
  readyMs: number;
  certFile: string;
  keyFile: string;
  /** With `watch: 'pauses'`: the longest pause of its event loop since the last call. */
  pauses(): Promise<{ longestMs: number; p99Ms: number }>;
  /** With `watch: 'heap'`: what is left of its heap after a collection of garbage, and the memory of its buffers. */
  heap(): Promise<HeapReading>;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

interface HeapReading {
  heapMb: number;
  externalMb: number;
  /** The spaces of the heap with the resident MB of each, above 1. */
  spaces: string;
}

export interface ServerOptions {
  folder: string;
  /** Any free port if absent. */
  port?: number;
  /** Additional settings, as environment variables. */
  env?: Record<string, string>;
  watch?: keyof typeof watchers;
  /** The folder for CPU profiles of its threads. */
  profiles?: string;
}

/** Finds a free port by opening and closing it. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => void server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

let isAgentBuilt = false;

/** The launcher builds the agent in the background if it is out of date, which would disturb the measurement. */
function buildAgent(): void {
  if (isAgentBuilt) return;
  spawnSync(process.execPath, [join(root, 'scripts/build-agent.ts'), '--background']);
  isAgentBuilt = true;
}

export async function startMeasuredServer({
  folder,
  port: given,
  env = {},
  watch,
  profiles,
}: ServerOptions): Promise<MeasuredServer> {
  buildAgent();
  const port = given ?? (await findFreePort());
  const watchFile = join(folder, 'watch.json');
  const settings = { DRAWBRIDGE_DATA: folder, DRAWBRIDGE_LISTEN: `127.0.0.1:${port}`, ...env };
  const started = performance.now();
  const options = [
    ...(watch ? ['--import', join(import.meta.dirname, watchers[watch])] : []),
    ...(profiles === undefined ? [] : profileOptions(profiles)),
  ];
  const child = spawn(process.execPath, [...options, launcher, 'start'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', BENCH_WATCH_FILE: watchFile, ...settings },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  await untilReady(child, port);
  const readyMs = performance.now() - started;
  const tls = join(folder, 'tls');
  return {
    pid: child.pid!,
    port,
    readyMs,
    certFile: join(tls, 'cert.pem'),
    keyFile: join(tls, 'key.pem'),
    pauses: () => readWatcher(child, watchFile),
    heap: () => readWatcher(child, watchFile),
    end: (signal) => endProcess(child, signal),
    [Symbol.asyncDispose]: () => endProcess(child),
  };
}

/** Polls /readyz until it responds with 200, for at most a minute, because the machine may be busy. */
async function untilReady(child: ChildProcess, port: number): Promise<void> {
  for (const until = performance.now() + 60_000; performance.now() < until; await wait(5)) {
    if (child.exitCode !== null) throw new Error(`The server ended with code ${child.exitCode}.`);
    if (await isReady(port)) return;
  }
  await endProcess(child);
  throw new Error('The server was not ready within a minute.');
}

const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const sent = request({ port, host: '127.0.0.1', path: '/readyz', rejectUnauthorized: false }, (answer) =>
      resolve(answer.resume().statusCode === 200),
    );
    sent.on('error', () => resolve(false)).end();
  });

async function readWatcher<Reading>(child: ChildProcess, file: string): Promise<Reading> {
  rmSync(file, { force: true });
  child.kill('SIGUSR2');
  for (let tries = 0; tries < 500 && !existsSync(file); tries += 1) await wait(10);
  await wait(10);
  return JSON.parse(readFileSync(file, 'utf8')) as Reading;
}
