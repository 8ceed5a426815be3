/** Uploads the chunks of a recording in order, with the trusted certificates of the uplink, and retries temporary failures. */
import { Agent, request } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientOptions } from 'ws';
import { isTrustedCertificate } from '../../uplink/trust.ts';

export interface UploadDestination {
  url: string;
  token: string;
  /** SHA-256 hashes, in base64url, of certificates to trust in addition to those of public authorities. */
  certificates: readonly string[];
  options?: ClientOptions | undefined;
}

export interface Chunk {
  number: number;
  headers: Record<string, string>;
  bytes: Uint8Array;
}

/** Without TLS session resumption, because a resumed connection does not show its certificate. */
const directAgent = new Agent({ keepAlive: true, maxCachedSessions: 0 });

const requestTimeoutMs = 20_000;
const maxAttempts = 5;
const retryDelayMs = 1_000;
const tooManyRequests = 429;

/** The server rejected the chunk, and a retry would not help. */
class UploadRejected extends Error {}

export async function uploadChunk(destination: UploadDestination, chunk: Chunk): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const failure = await postChunk(destination, chunk).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    if (!failure) return;
    if (failure instanceof UploadRejected || attempt === maxAttempts) throw failure;
    await pause(retryDelayMs * attempt);
  }
}

function postChunk({ url, token, certificates, options }: UploadDestination, chunk: Chunk): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const upload = request(`${url}/${chunk.number}`, {
    method: 'POST',
    agent: options?.agent ?? directAgent,
    timeout: requestTimeoutMs,
    rejectUnauthorized: false, // verifyPeer checks the certificate before anything is sent
    headers: {
      ...chunk.headers,
      authorization: `Bearer ${token}`,
      'content-type': 'application/octet-stream',
      'content-length': chunk.bytes.length,
    },
  });
  upload.once('socket', (socket) => {
    const tls = socket as TLSSocket;
    const verifyPeer = (): void => {
      if (isTrustedCertificate(tls, certificates)) upload.end(chunk.bytes);
      else upload.destroy(new UploadRejected('the certificate of the server is not trusted'));
    };
    if (tls.getPeerX509Certificate()) verifyPeer();
    else tls.once('secureConnect', verifyPeer);
  });
  upload.once('response', (response) => {
    response.resume();
    const { statusCode = 0 } = response;
    if (statusCode < 300) resolve();
    else if (statusCode === 402) reject(new UploadRejected('the recording storage of the account is full'));
    else if (statusCode < 500 && statusCode !== tooManyRequests)
      reject(new UploadRejected(`the server answered ${statusCode}`));
    else reject(new Error(`the server answered ${statusCode}`));
  });
  upload.once('timeout', () => upload.destroy(new Error('the server does not answer')));
  upload.once('error', reject);
  return promise;
}
