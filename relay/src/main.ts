/** The relay as a program of its own: `--listen`, `--server-key` and `--origin`; certificate and key are files named by the environment. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { parseArgs } from 'node:util';
import { createRelay } from './relay.ts';

const usage = `drawbridge relay --listen 0.0.0.0:8444 --server-key KEY… --origin https://help.example.com…

  --listen      address and port
  --server-key  a server's public key, whose tickets count; may be given several times
  --origin      where the pages that may connect come from; may be given several times

DRAWBRIDGE_TLS_CERT and DRAWBRIDGE_TLS_KEY name the certificate chain and its key, in PEM.`;

interface Settings {
  host: string;
  port: number;
  serverKeys: string[];
  origins: string[];
  cert: Buffer;
  key: Buffer;
}

const many = { type: 'string', multiple: true, default: [] as string[] } as const;

/** The settings; a sentence where they do not do. */
function settings(): Settings | string {
  const options = { listen: { type: 'string', default: '' }, 'server-key': many, origin: many } as const;
  const { values } = parseArgs({ options });
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(values.listen) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) return '--listen must be an address and a port.';
  const serverKeys = values['server-key'];
  if (serverKeys.length === 0 || serverKeys.some((key) => !/^[\w-]{43}$/.test(key)))
    return '--server-key must be a key of 43 characters.';
  const { DRAWBRIDGE_TLS_CERT: cert, DRAWBRIDGE_TLS_KEY: key } = process.env;
  if (!cert || !key) return 'DRAWBRIDGE_TLS_CERT and DRAWBRIDGE_TLS_KEY must name files.';
  const files = { cert: readFileSync(cert), key: readFileSync(key) };
  return { host, port: Number(port), serverKeys, origins: values.origin, ...files };
}

function run({ host, port, serverKeys, origins, cert, key }: Settings): void {
  const log = (what: string, more: object = {}): void =>
    console.log(JSON.stringify({ time: new Date().toISOString(), msg: what, ...more }));
  const relay = createRelay({
    serverKeys,
    origins,
    now: () => Math.floor(Date.now() / 1_000),
    onEnd: (ended) => log('a session ended', ended),
  });
  const limits = { maxHeaderSize: 8_192, headersTimeout: 5_000, requestTimeout: 5_000 };
  const server = createServer({ cert, key, minVersion: 'TLSv1.2', ...limits }, (request, response) => {
    response.writeHead(request.url === '/healthz' ? 200 : 404, { connection: 'close' }).end();
  });
  server.on('upgrade', (request, socket, head) => {
    if (!relay.upgrade(request, socket, head, request.socket.remoteAddress ?? '')) socket.destroy();
  });
  server.listen(port, host, () => log('the relay listens', { address: server.address() }));
  const stop = (): void => {
    server.close();
    void relay.closeAll().then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
}

function settingsOrWhyNot(): Settings | string {
  try {
    return settings();
  } catch (error) {
    return (error as Error).message;
  }
}

const read = settingsOrWhyNot();
if (typeof read === 'string') {
  console.error(`${read}\n\n${usage}`);
  process.exitCode = 2;
} else run(read);
