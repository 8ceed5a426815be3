/** What NATS says of itself before TLS begins. It drops a client without the right certificate without giving a reason. */
import { connect } from 'node:net';
import type { NatsSettings } from './nats-options.ts';

const defaultPort = 4222;
const timeoutMs = 2_000;
const maxBytes = 65_536;

/**
 * Why NATS may have dropped this server: because it wants a client certificate. Undefined if none of the addresses says
 * so.
 */
export async function findCertificateProblem({ addresses, cert }: NatsSettings): Promise<string | undefined> {
  const greetings = await Promise.all(addresses.map(readGreeting));
  if (!greetings.some((greeting) => greeting.includes('"tls_verify":true'))) return undefined;
  return cert === undefined
    ? 'it requires a client certificate: set DRAWBRIDGE_BUS_CERT and DRAWBRIDGE_BUS_KEY'
    : 'it requires a client certificate and does not accept the one in DRAWBRIDGE_BUS_CERT';
}

/** The first line that NATS sends; empty if it is not there. */
function readGreeting(address: string): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || defaultPort) });
  let text = '';
  return new Promise((resolve) => {
    socket.setTimeout(timeoutMs, () => socket.destroy());
    socket.on('error', () => {}); // `close` follows
    socket.on('data', (chunk) => {
      text += String(chunk);
      if (text.includes('\n') || text.length > maxBytes) socket.destroy();
    });
    socket.once('close', () => resolve(text));
  });
}
