/** The balancer of `deploy/container` in front of servers on this machine, with round robin and without stickiness. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

const template = join(import.meta.dirname, '../../../deploy/container/haproxy.cfg');

const configOf = ({ port, servers, unchecked }: HaproxyOptions, certificateFile: string): string =>
  readFileSync(template, 'utf8')
    .replace('bind :8443', `bind 127.0.0.1:${port}`)
    .replace('/certificates/site.pem', certificateFile)
    .replace('balance leastconn', 'balance roundrobin')
    .replace(unchecked ? /^ {4}default-server .*\n/m : /^$/, '')
    .replace(/^ {4}server .*\n/gm, '')
    .concat(servers.map((each) => `    server node${each} 127.0.0.1:${each}\n`).join(''));

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

export async function startHaproxy(options: HaproxyOptions): Promise<AsyncDisposable> {
  const program = findHaproxy();
  if (!program) throw new Error('haproxy is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-haproxy-'));
  const [certificateFile, configFile] = [join(folder, 'site.pem'), join(folder, 'haproxy.cfg')];
  writeFileSync(certificateFile, options.certificate.cert + options.certificate.key, { mode: 0o600 });
  writeFileSync(configFile, configOf(options, certificateFile));
  const child = spawn(...boundToParent(program, ['-db', '-f', configFile]), { stdio: 'ignore' });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  await eventually(
    async () => hasEnded() || (await isListening(options.port)),
    (isReady) => isReady,
  );
  if (hasEnded()) throw new Error('haproxy did not start');
  return {
    async [Symbol.asyncDispose]() {
      if (!hasEnded() && child.kill('SIGKILL')) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
