/** How to connect to NATS: addresses with a user, password or token, a file of credentials, and TLS with a client certificate. */
import { readFileSync } from 'node:fs';
import type { Authenticator, NodeConnectionOptions } from '@nats-io/transport-node';

export interface NatsSettings {
  /** `nats://` or `tls://`, in any order. One of them may contain `user:password@` or `token@`. */
  addresses: readonly string[];
  /** File with the credentials of a NATS user (JWT and seed). */
  credentials: string | undefined;
  /** File with the certificates of the authority that signed the certificate of NATS. */
  ca: string | undefined;
  /** Files with the certificate and the key that this server presents to NATS. */
  cert: string | undefined;
  key: string | undefined;
}

/** How soon a connection that was lost without notice is detected. */
const pingOptions = { pingInterval: 5_000, maxPingOut: 2 };
/** How long a server waits for NATS when it starts, before it continues without NATS. */
const connectTimeoutMs = 3_000;
export const retryMs = 500;

export async function natsOptions(settings: NatsSettings): Promise<NodeConnectionOptions> {
  const urls = settings.addresses.map((address) => new URL(address));
  return {
    servers: urls.map(({ host }) => host),
    name: 'drawbridge',
    timeout: connectTimeoutMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: retryMs,
    waitOnFirstConnect: false,
    ignoreAuthErrorAbort: true, // an administrator may replace credentials while servers run
    ...pingOptions,
    ...signInOf(urls),
    ...tlsOf(settings, urls),
    ...(settings.credentials !== undefined && (await credentialsOf(settings.credentials))),
  };
}

function signInOf(urls: readonly URL[]): Pick<NodeConnectionOptions, 'user' | 'pass' | 'token'> {
  const named = urls.find(({ username }) => username !== '');
  if (!named) return {};
  const name = decodeURIComponent(named.username);
  return named.password === '' ? { token: name } : { user: name, pass: decodeURIComponent(named.password) };
}

function tlsOf({ ca, cert, key }: NatsSettings, urls: readonly URL[]): Pick<NodeConnectionOptions, 'tls'> {
  const files = { ...(ca && { caFile: ca }), ...(cert && { certFile: cert }), ...(key && { keyFile: key }) };
  const isWanted = Object.keys(files).length > 0 || urls.some(({ protocol }) => protocol === 'tls:');
  return isWanted ? { tls: files } : {};
}

/** Reads the file for each connection. While it is missing or incomplete, what was read last is used. */
async function credentialsOf(file: string): Promise<Pick<NodeConnectionOptions, 'authenticator'>> {
  const { credsAuthenticator } = await import('@nats-io/transport-node');
  let known = credsAuthenticator(readFileSync(file));
  const authenticator: Authenticator = (nonce) => {
    try {
      const current = credsAuthenticator(readFileSync(file));
      const signed = current(nonce);
      known = current;
      return signed;
    } catch {
      return known(nonce);
    }
  };
  return { authenticator };
}

/** The network or NATS is not there now, and may be later. */
const passingCodes: readonly unknown[] = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
];

/** Whether it makes sense to try again. NATS that refuses the credentials or the certificate would refuse them again. */
export function isPassing(error: unknown): boolean {
  const { name, code, cause } = error as { name?: string; code?: unknown; cause?: { code?: unknown } };
  return name === 'TimeoutError' || passingCodes.includes(code) || passingCodes.includes(cause?.code);
}
