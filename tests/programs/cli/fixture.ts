/**
 * A fixture for whole commands: a real HTTPS server with the kind of certificate our server generates, a home
 * folder, a terminal.
 */
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usageFailure } from '@drawbridge/cli/failure';
import type { LocalServer } from '@drawbridge/cli/local-server';
import { runCli } from '@drawbridge/cli/run';
import { runAdmin } from '@drawbridge/server/admin/run';
import { type KeyPair, createSelfSigned } from '@drawbridge/server/tls/self-signed';

/** The certificate that the server presents, and one that it does not. */
export const [shown, other] = await Promise.all([selfSigned(), selfSigned()]);

async function selfSigned(): Promise<KeyPair & { fingerprint: string }> {
  const pair = await createSelfSigned(['localhost', '127.0.0.1'], new Date());
  return { ...pair, fingerprint: new X509Certificate(pair.cert).fingerprint256 };
}

/** The answer of `server show`, as the command line gets it from the launcher. */
async function localServer(env: Record<string, string | undefined>, folder: string) {
  let out = '';
  const context = { env, folder, out: (text: string) => void (out += text), err: () => {} };
  const exit = await runAdmin(['server', 'show', '--json'], context);
  const answer = JSON.parse(out) as LocalServer & { error: { message: string } };
  return exit === 0 ? answer : usageFailure(answer.error.message);
}

interface Reply {
  http?: number;
  body?: object | string;
}

interface ReceivedRequest {
  method: string;
  url: string;
  key: unknown;
  body: string;
}

const createFakeServer = (replies: Record<string, Reply>, received: ReceivedRequest[]) =>
  createServer({ cert: shown.cert, key: shown.key }, async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method = '', url = '', headers } = request;
    received.push({ method, url, key: headers['x-api-key'], body });
    const { http = 200, body: reply = '' } = replies[url.split('?')[0]?.slice('/v1/'.length) ?? ''] ?? {
      http: 404,
    };
    response.writeHead(http).end(typeof reply === 'string' ? reply : JSON.stringify(reply));
  });

type Settings = Record<string, string | undefined>;

interface Terminal {
  stdin?: string;
  /** What is typed at questions for secrets, in order. */
  secrets?: string[];
  /** The width of the terminal. */
  columns?: number;
}

interface TypedLine extends Terminal {
  folder: string;
  settings: Settings;
}

async function typeLine(
  line: string[],
  { folder, settings, stdin = '', secrets = [], columns = 80 }: TypedLine,
) {
  let out = '';
  let err = '';
  const context = {
    env: settings,
    folder,
    home: folder,
    columns,
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
    input: () => Promise.resolve(stdin),
    ask: () => Promise.resolve(stdin),
    askSecret: () => Promise.resolve(secrets.shift() ?? ''),
    localServer: () => localServer(settings, folder),
  };
  return { exit: await runCli(line, context), out, err };
}

/** Responses of the server by path; anything else is 404. */
export async function startCliFixture(replies: Record<string, Reply> = {}) {
  const received: ReceivedRequest[] = [];
  const server = createFakeServer(replies, received);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-cli-'));
  writeFileSync(join(folder, 'ca.pem'), shown.cert);
  const { port } = server.address() as AddressInfo;
  const address = `https://localhost:${port}`;
  const env = { DRAWBRIDGE_SERVER: address, DRAWBRIDGE_API_KEY: 'secret-key', DRAWBRIDGE_CA: 'ca.pem' };

  const type = (line: string[], settings: Settings = env, terminal: Terminal = {}) =>
    typeLine(line, { folder, settings, ...terminal });

  return {
    address,
    port,
    env,
    folder,
    received,
    type,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}
