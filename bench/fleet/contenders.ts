/** The two compared servers: ours as in production, and the baseline. */
import { fork } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { random } from '@drawbridge/server/edges/random';
import { fingerprintOf } from '@drawbridge/server/tls/pins';
import { endProcess } from '../kit/process.ts';
import { startMeasuredServer } from '../kit/server.ts';
import { sendTimed, type TimedRequest } from './timed-requests.ts';

export interface ServerHandle {
  pid: number;
  port: number;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

export interface FleetContender {
  name: 'ours' | 'bare';
  /** Starts the server; a restart passes its previous port. */
  start(port?: number): Promise<ServerHandle>;
  /** A token with which this many devices can enrol. */
  token(running: ServerHandle, devices: number): Promise<string>;
  /** A small request to the API. */
  api(running: ServerHandle): TimedRequest;
  /** One command to each of this many devices. */
  commands(running: ServerHandle, devices: number): Promise<TimedRequest[]>;
}

const originOf = ({ port }: ServerHandle): string => `https://127.0.0.1:${port}`;
const [certName, keyName] = ['tls/cert.pem', 'tls/key.pem'];

/** Our server, on a data folder with an account. */
export function createOurContender(folder: string, apiKey: string): FleetContender {
  const requestTo = (running: ServerHandle, path: string, body?: object): TimedRequest => ({
    url: `${originOf(running)}/v1/${path}`,
    headers: { 'X-Api-Key': apiKey, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return {
    name: 'ours',
    async start(port) {
      const server = await startMeasuredServer({ folder, ...(port !== undefined && { port }) });
      return { pid: server.pid, port: server.port, end: server.end };
    },
    async token(running, uses) {
      const { text } = await sendTimed(requestTo(running, 'agents/enroll/create', { uses }));
      return (JSON.parse(text) as { token: string }).token;
    },
    api: (running) => requestTo(running, 'groups/list'),
    async commands(running, devices) {
      const { text } = await sendTimed(requestTo(running, 'agents/list'));
      const { data } = JSON.parse(text) as { data: { id: number; online: boolean }[] };
      const onlineDevices = data.filter(({ online }) => online).slice(-devices);
      return onlineDevices.map(({ id }) => requestTo(running, 'agents/lock', { id }));
    },
  };
}

/** The baseline server, which uses the certificate of ours. */
export function createBareContender(folder: string): FleetContender {
  const [certFile, keyFile] = [join(folder, certName), join(folder, keyName)];
  const certificate = fingerprintOf(readFileSync(certFile, 'utf8'));
  const identity = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
  return {
    name: 'bare',
    async start(port = 0) {
      const child = fork(join(import.meta.dirname, 'bare-server.ts'), { execArgv: [] });
      child.send({ certFile, keyFile, certificate, identity, port });
      const [bound] = (await once(child, 'message')) as [number];
      return { pid: child.pid!, port: bound, end: (signal) => endProcess(child, signal) };
    },
    token: async () => formatEnrolmentToken({ secret: random.token(), certificate }),
    api: (running) => ({ url: `${originOf(running)}/ping`, headers: {} }),
    commands: async (running, devices) =>
      Array.from({ length: devices }, (_, index) => ({
        url: `${originOf(running)}/lock/${index + 1}`,
        headers: {},
      })),
  };
}
