/** The server as a separate process, started as people start it, that tests can call, signal and kill. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestClient, type TestClient } from '../kit/server/test-client.ts';

const launcher = join(import.meta.dirname, '../../cli/bin/drawbridge.cjs');

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

export interface LaunchedServer extends AsyncDisposable {
  pid: number;
  port: number;
  testClient: TestClient;
  /** The key of the owner of the first account, if this start created it. */
  apiKey: string | undefined;
  /** What it printed when it was ready. */
  welcome: string;
  /** Resolves once its log fits; rejects if it ends first. */
  logged(pattern: RegExp): Promise<void>;
  ended: Promise<ProcessExit>;
  send(signal: NodeJS.Signals): void;
}

/** Runs the server until it ends by itself, for starts that must fail: one that gets ready is killed. */
export async function runToEnd(env: Record<string, string>): Promise<ProcessExit> {
  const { child, output, ended } = spawnServer(env);
  child.stdout.on('data', () => void (output.out.includes('ready at') && child.kill('SIGKILL')));
  return ended;
}

function spawnServer(env: Record<string, string>) {
  const { PATH = '', TMPDIR } = process.env;
  const child = spawn(process.execPath, [launcher, 'start'], {
    env: {
      PATH,
      ...(TMPDIR && { TMPDIR }),
      DRAWBRIDGE_LISTEN: '127.0.0.1:0',
      DRAWBRIDGE_LOG_LEVEL: 'warn',
      ...env,
    },
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.err += text));
  const ended = once(child, 'close').then(([code, signal]): ProcessExit => ({ code, signal, ...output }));
  return { child, output, ended };
}

/** Starts the server and waits until it is ready; throws with its output if it ends first. */
export async function launchServer(env: Record<string, string>): Promise<LaunchedServer> {
  const { child, output, ended } = spawnServer(env);
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.on('data', () => {
      const ready = /ready at https:\/\/localhost:(\d+)/.exec(output.out);
      if (ready && output.out.endsWith('\n')) resolve(Number(ready[1]));
    });
    void ended.then(({ code, signal, out, err }) =>
      reject(new Error(`The server ended with ${code ?? signal}.\n${out}\n${err}`)),
    );
  });
  const certFile = env['DRAWBRIDGE_TLS_CERT'] ?? join(env['DRAWBRIDGE_DATA']!, 'tls/cert.pem');
  const testClient = openTestClient({ config: { listen: { port } }, certificate: { certFile } } as never);
  return {
    pid: child.pid!,
    port,
    testClient,
    apiKey: /API key: (\S+)/.exec(output.out)?.[1],
    welcome: output.out,
    async logged(pattern) {
      const gone = ended.then(() => Promise.reject(new Error(`it ended before it logged ${pattern}`)));
      gone.catch(() => {});
      while (!pattern.test(output.err)) await Promise.race([once(child.stderr, 'data'), gone]);
    },
    ended,
    send: (signal) => void child.kill(signal),
    async [Symbol.asyncDispose]() {
      testClient.close();
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** A data folder that is removed after the test. */
export function createDataFolder(): { folder: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-data-'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
