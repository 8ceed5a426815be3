/** Programs of the server's machine as separate processes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openTestClient, type TestClient } from '../../kit/server/test-client.ts';
import { bundleArguments, minimalEnvironment } from '../../kit/process.ts';
import type { AdminFixture, AdminCommandResult } from './fixture.ts';

const root = join(import.meta.dirname, '../../..');

const start = (
  program: string,
  args: string[],
  { folder, env }: Pick<AdminFixture, 'folder' | 'env'>,
): ChildProcess =>
  spawn(process.execPath, [...bundleArguments(), join(root, program), ...args], {
    cwd: folder,
    env: { ...minimalEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Runs a command to its end. */
export async function runInProcess(fixture: AdminFixture, ...args: string[]): Promise<AdminCommandResult> {
  const child = start('server/src/admin/main.ts', args, fixture);
  const [out, err, [exit]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { exit, out, err };
}

export interface ChildServer extends AsyncDisposable {
  port: number;
  /** The key of the first account, as it was printed. */
  apiKey: string;
  testClient: TestClient;
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

/** A server on the fixture's store, on a free port. */
export async function startChild(fixture: AdminFixture): Promise<ChildServer> {
  const settings = { DRAWBRIDGE_LISTEN: '127.0.0.1:0', DRAWBRIDGE_LOG_LEVEL: 'silent' };
  const child = start('server/src/main.ts', [], { ...fixture, env: { ...fixture.env, ...settings } });
  const printed = await untilReady(child);
  const port = Number(/ready at https:\/\/localhost:(\d+)/.exec(printed)?.[1]);
  const certFile = join(fixture.data, 'tls', 'cert.pem');
  const testClient = openTestClient({ config: { listen: { port } }, certificate: { certFile } } as Parameters<
    typeof openTestClient
  >[0]);
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
  };
  return {
    port,
    apiKey: /API key: (\S+)/.exec(printed)?.[1] ?? '',
    testClient,
    stop,
    async [Symbol.asyncDispose]() {
      testClient.close();
      await stop();
    },
  };
}

/** What the server prints up to the blank line that ends its start message. */
function untilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (/ready at .*\n\n/s.test(output)) resolve(output);
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.once('exit', () => reject(new Error(`the server did not start: ${output}`)));
  });
}
