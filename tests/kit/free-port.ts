/** A free loopback port, for programs that must know their port before they start. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral range of the system, so that no other socket gets it meanwhile. */
const [first, count] = [20_000, 12_000];
/**
 * Test files that run at the same time have different process ids, and so start searching at different ports.
 */
let next = process.pid * 16;

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < count; tries += 1) {
    const port = first + (next++ % count);
    if (await isFree(port)) return port;
  }
  throw new Error('no port is free');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
