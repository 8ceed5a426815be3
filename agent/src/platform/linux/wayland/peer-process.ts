/** Finds the process that listens at a socket, to tell to which compositor a display belongs. */
import { closeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { addressOf, type SocketAddress } from './fd-socket.ts';
import { loadLibc } from './libc.ts';

const [unixDomain, streamType, closeOnExec, nonBlocking] = [1, 1, 0x8_0000, 0x800];
const [socketLevel, peerCredentials, credentialsBytes] = [1, 17, 12];
/** A compositor may start XWayland through a wrapper. */
const maxGenerations = 3;

/** Returns undefined if nothing listens there, or if the process is not visible from here. */
export async function peerOf(path: string): Promise<number | undefined> {
  const { socket, connect, getsockopt } = await loadLibc();
  const { bytes, length }: SocketAddress = addressOf(path);
  const fd = socket(unixDomain, streamType | closeOnExec | nonBlocking, 0) as number;
  const credentials = Buffer.alloc(credentialsBytes);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(credentialsBytes);
  const isKnown =
    connect(fd, bytes, length) === 0 && getsockopt(fd, socketLevel, peerCredentials, credentials, size) === 0;
  closeSync(fd);
  return isKnown ? credentials.readInt32LE(0) || undefined : undefined;
}

/** Whether a process is another one or was started by it. */
export async function isStartedBy(process: number, other: number): Promise<boolean> {
  let current: number | undefined = process;
  for (let generation = 0; current !== undefined && generation <= maxGenerations; generation += 1) {
    if (current === other) return true;
    current = await parentOf(current);
  }
  return false;
}

async function parentOf(process: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${process}/status`, 'utf8').catch(() => '');
  const parent = Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1] ?? 0);
  return parent > 1 ? parent : undefined;
}
