/** Pebble, the test server of Let's Encrypt, on free loopback ports: it checks names at the ports of a server under test. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { freePort } from '../free-port.ts';
import { boundToParent, followProcess, type Program } from '../process.ts';
import { requirements } from '../requirements.ts';

export interface Pebble extends AsyncDisposable {
  /** The settings with which a server obtains certificates from it. */
  env: Record<string, string>;
  /** The certificate of the authority that signs what it issues. */
  root(): Promise<string>;
  /** Everything it has logged. */
  log(): string;
}

interface PebbleOptions {
  /** The ports at which it checks names, instead of 80 and 443. */
  httpPort?: number;
  tlsPort?: number;
  /** The accounts that it requires, as secrets by key ID. */
  externalAccounts?: Record<string, string>;
}

export async function startPebble({ httpPort, tlsPort, externalAccounts }: PebbleOptions): Promise<Pebble> {
  const program = requirements.pebble()!;
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-pebble-'));
  const [port, managementPort] = [await freePort(), await freePort()];
  const { cert, key } = await createSelfSigned(['localhost', '127.0.0.1'], new Date());
  const files = { certificate: join(folder, 'cert.pem'), privateKey: join(folder, 'key.pem') };
  writeFileSync(files.certificate, cert);
  writeFileSync(files.privateKey, key);
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    ...files,
    httpPort: httpPort ?? 1,
    tlsPort: tlsPort ?? 1,
    externalAccountBindingRequired: externalAccounts !== undefined,
    externalAccountMACKeys: externalAccounts ?? {},
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ pebble }));
  const names = await startNames(join(dirname(program), 'pebble-challtestsrv'));
  const args = ['-config', join(folder, 'config.json'), '-dnsserver', names.address, '-strict'];
  // Many nonces are refused, so that each run shows that requests are repeated.
  const env = { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '30', PEBBLE_AUTHZREUSE: '0' };
  const running = run(program, args, env);
  await running.until(/Listening on: .*/);
  return {
    env: {
      DRAWBRIDGE_ACME_DIRECTORY: `https://127.0.0.1:${port}/dir`,
      DRAWBRIDGE_ACME_CA: files.certificate,
      DRAWBRIDGE_ACME_TERMS_AGREED: 'true',
    },
    root: () => get(`https://127.0.0.1:${managementPort}/roots/0`, cert),
    log: running.output,
    async [Symbol.asyncDispose]() {
      await Promise.all([running.end('SIGKILL'), names.running.end('SIGKILL')]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const run = (program: string, args: readonly string[], env: Record<string, string>): Program =>
  followProcess(spawn(...boundToParent(program, args), { env, stdio: ['ignore', 'pipe', 'pipe'] }));

/** A name server that knows every name, at 127.0.0.1. */
async function startNames(program: string): Promise<{ address: string; running: Program }> {
  const [address, management] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const off = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', ''];
  const args = ['-dns01', address, '-management', management, ...off];
  const running = run(program, args, {});
  await running.until(/Starting management server/i);
  return { address, running };
}

const get = (url: string, ca: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const call = request(url, { ca, agent: false }, (response) => void text(response).then(resolve, reject));
    call.once('error', reject).end();
  });
