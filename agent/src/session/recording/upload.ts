/** Uploads the chunks of a recording in order, with the trusted certificates of the uplink, and retries temporary failures. */
import { Agent, request } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientOptions } from 'ws';
import { peerCertificate } from '../../uplink/pin.ts';
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

interface UploadFailure {
  message: string;
  /** A retry would not help. */
  isFinal: boolean;
}

/** Resolves to undefined when the server has stored the chunk, or to why not. */
export async function uploadChunk(destination: UploadDestination, chunk: Chunk): Promise<string | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const failure = await postChunk(destination, chunk);
    if (!failure || failure.isFinal || attempt === maxAttempts) return failure?.message;
    await pause(retryDelayMs * attempt);
  }
}

function postChunk(
  { url, token, certificates, options }: UploadDestination,
  chunk: Chunk,
): Promise<UploadFailure | undefined> {
  const { promise, resolve } = Promise.withResolvers<UploadFailure | undefined>();
  const fail = (message: string, isFinal: boolean): void => resolve({ message, isFinal });
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
      if (isTrustedCertificate(tls, certificates)) return void upload.end(chunk.bytes);
      fail('the certificate of the server is not trusted', true);
      upload.destroy();
    };
    if (peerCertificate(tls)) verifyPeer();
    else tls.once('secureConnect', verifyPeer);
  });
  upload.once('response', (response) => {
    response.resume();
    const { statusCode = 0 } = response;
    if (statusCode < 300) resolve(undefined);
    else if (statusCode === 402) fail('the recording storage of the account is full', true);
    else fail(`the server answered ${statusCode}`, statusCode < 500 && statusCode !== tooManyRequests);
  });
  upload.once('timeout', () => upload.destroy(new Error('the server does not answer')));
  upload.on('error', ({ message }) => fail(message, false));
  return promise;
}
