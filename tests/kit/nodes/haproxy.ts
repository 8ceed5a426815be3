/** The balancer of `deploy/container` in front of servers on this machine, with round robin and without stickiness. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { KeyPair } from '@drawbridge/server/tls/self-signed';
import { eventually } from '../eventually.ts';
import { boundToParent } from '../process.ts';
import { findHaproxy } from '../requirements.ts';

export interface HaproxyOptions {
  port: number;
  /** Where the servers listen, on 127.0.0.1. */
  servers: readonly number[];
  certificate: KeyPair;
  /** Never leaves out a server, not even one that a busy machine keeps from answering. */
  unchecked?: boolean;
}

/** A request that has ended. */
interface BalancedRequest {
  /** The port of the server to which it was sent last; NaN if to none. */
  port: number;
  /** What was answered; -1 if the client left before. */
  status: number;
  path: string;
}

export interface Balancer extends AsyncDisposable {
  /** All requests so far, in the order in which they ended. */
  requests(): readonly BalancedRequest[];
}

const template = join(import.meta.dirname, '../../../deploy/container/haproxy.cfg');

const logLines = ['log stdout format raw local0', 'log-format "%s %ST %HP"'];

const serverLines = (port: number): string =>
  `    server node${port} 127.0.0.1:${port}
    server node${port}-unchecked 127.0.0.1:${port} no-check backup
`;

const configOf = ({ port, servers, unchecked }: HaproxyOptions, certificateFile: string): string =>
  readFileSync(template, 'utf8')
    .replace('bind :8443', `bind 127.0.0.1:${port}`)
    .replace('/certificates/site.pem', certificateFile)
    .replace('option forwardfor', `option forwardfor\n    ${logLines.join('\n    ')}`)
    .replace('balance leastconn', 'balance roundrobin')
    .replace(unchecked ? /^ {4}default-server .*\n/m : /^$/, '')
    .replace(/^ {4}server .*\n/gm, '')
    .concat(servers.map(serverLines).join(''));

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Reads the lines that `logLines` make haproxy write. */
function followRequests(output: Readable): BalancedRequest[] {
  const requests: BalancedRequest[] = [];
  createInterface({ input: output }).on('line', (line) => {
    const [server, status, path] = line.split(' ');
    if (path !== undefined)
      requests.push({
        port: Number.parseInt(server!.slice('node'.length), 10),
        status: Number(status),
        path,
      });
  });
  return requests;
}

export async function startHaproxy(options: HaproxyOptions): Promise<Balancer> {
  const program = findHaproxy();
  if (!program) throw new Error('haproxy is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-haproxy-'));
  const [certificateFile, configFile] = [join(folder, 'site.pem'), join(folder, 'haproxy.cfg')];
  writeFileSync(certificateFile, options.certificate.cert + options.certificate.key, { mode: 0o600 });
  writeFileSync(configFile, configOf(options, certificateFile));
  const child = spawn(...boundToParent(program, ['-db', '-f', configFile]), {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const requests = followRequests(child.stdout);
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  await eventually(
    async () => hasEnded() || (await isListening(options.port)),
    (isReady) => isReady,
  );
  if (hasEnded()) throw new Error('haproxy did not start');
  return {
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      if (!hasEnded() && child.kill('SIGKILL')) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
