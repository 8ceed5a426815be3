/** The command line's `fetch`: node:https with the certificates that the person trusts. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  checkServerIdentity,
  connect,
  type ConnectionOptions,
  getCACertificates,
  type TLSSocket,
} from 'node:tls';
import type { Fetch } from '@drawbridge/client';

/** Which certificates are trusted. It is not possible to trust all of them. */
export type Trust =
  | { kind: 'system' }
  /** Only certificates signed by one in the file. */
  | { kind: 'file'; file: string }
  /** The certificate of the server on this machine, whatever names it has, in addition to those of the system. */
  | { kind: 'own'; file: string; fingerprint: string }
  /** Exactly the certificate with this fingerprint, or with this public key (`sha256//…`). */
  | { kind: 'pin'; fingerprint: string };

export function createFetch(trust: Trust): Fetch {
  const agent = createAgent(trust);
  return (url, init) =>
    new Promise((resolve, reject) => {
      const headers = init.headers as Record<string, string>;
      const { method = 'GET', signal = null } = init;
      const sent = request(url, { method, headers, agent, ...(signal && { signal }) });
      sent.once('error', reject);
      sent.once('response', (response) => {
        resolve(toResponse(response));
        // If the server has answered early, the rest of the file is not sent.
        response.once('end', () => sent.writableFinished || sent.destroy());
      });
      sendBody(sent, init.body as string | Blob | undefined);
    });
}

function sendBody(sent: ClientRequest, body: string | Blob | undefined): void {
  if (!(body instanceof Blob)) return void sent.end(body);
  sent.setHeader('Content-Length', body.size);
  // The request itself reports errors.
  pipeline(Readable.fromWeb(body.stream()), sent).catch(() => {});
}

function createAgent(trust: Trust): Agent {
  switch (trust.kind) {
    case 'system':
      return new Agent({ ca: getCACertificates('default') });
    case 'file':
      return new Agent({ ca: readFileSync(trust.file) });
    case 'own':
      return createOwnAgent(trust.file, trust.fingerprint);
    case 'pin':
      return createPinnedAgent(trust.fingerprint);
  }
}

/** The names are not compared, because a certificate for the public name is also shown at the local address. */
const createOwnAgent = (file: string, fingerprint: string): Agent =>
  new Agent({
    ca: [...getCACertificates('default'), readFileSync(file, 'utf8')],
    allowPartialTrustChain: true,
    checkServerIdentity: (host, certificate) =>
      certificate.fingerprint256 === fingerprint ? undefined : checkServerIdentity(host, certificate),
  });

export const wrongCertificate = 'ERR_WRONG_CERTIFICATE';

/** Nothing is sent until the certificate has the expected fingerprint. */
function createPinnedAgent(fingerprint: string): Agent {
  const agent = new Agent({ maxCachedSessions: 0 });
  agent.createConnection = (options, done) => {
    const socket = connect({ ...(options as ConnectionOptions), rejectUnauthorized: false });
    const fail = (error: Error): void => done?.(error, socket);
    socket.once('error', fail);
    socket.once('secureConnect', () => {
      socket.off('error', fail);
      if (pinsOf(socket).includes(fingerprint)) return done?.(null, socket);
      socket.destroy();
      fail(Object.assign(new Error('another certificate'), { code: wrongCertificate }));
    });
    return undefined;
  };
  return agent;
}

/** The certificate's fingerprint, and that of its public key in the notation of curl. */
function pinsOf(socket: TLSSocket): string[] {
  const certificate = socket.getPeerX509Certificate();
  if (!certificate) return [];
  const key = certificate.publicKey.export({ type: 'spki', format: 'der' });
  return [certificate.fingerprint256, `sha256//${createHash('sha256').update(key).digest('base64')}`];
}

/** The response, with a body that is still being received. */
function toResponse(message: IncomingMessage): Response {
  const headers = Object.entries(message.headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? '']).map((one): [string, string] => [name, one]),
  );
  const status = message.statusCode ?? 0;
  const hasBody = status !== 204 && status !== 304;
  if (!hasBody) message.resume();
  const body = hasBody ? (Readable.toWeb(message) as ReadableStream<Uint8Array<ArrayBuffer>>) : null;
  return new Response(body, { status, headers });
}
