/** The way to the operator: one WebSocket to the relay, with the trust of the uplink; the relay is told the ticket, and how much goes past it. */
import type { TLSSocket } from 'node:tls';
import { leaveCodes } from '@drawbridge/contract/close-codes';
import { countRequest, countingProtocol, formatCount } from '@drawbridge/contract/session/direct-count';
import { maxFrameBytes } from '@drawbridge/contract/session/frame-kinds';
import { relayProtocol } from '@drawbridge/contract/session/open';
import { WebSocket, type ClientOptions } from 'ws';
import { NotPossible } from '../platform/platform.ts';
import { isTrustedCertificate } from '../uplink/trust.ts';

export interface RelayTarget {
  /** An https or wss address. */
  relay: string;
  ticket: string;
  /** SHA-256 of the certificates to believe beside those that everybody trusts, base64url. */
  certificates: readonly string[];
  options?: ClientOptions | undefined;
}

export interface Transport {
  send(frame: Uint8Array): void;
  /** Bytes that have not left yet. */
  buffered(): number;
  /** Resolves when little is left to leave, or the line is over. */
  drained(): Promise<void>;
  /** Hangs up once everything has left: for good, or because this side will be back. */
  close(back?: boolean): void;
}

/** A line that is the relay's. */
export interface RelaySocket extends Transport {
  /** Says how many bytes went a direct way so far, if the relay wants to know it. */
  reportDirectBytes(directBytes: number): void;
}

export interface RelaySocketListener {
  /** The other side is there. */
  onPaired(): void;
  /** The relay asks how many bytes went a direct way. */
  onCountRequest(): void;
  onFrame(frame: Buffer): void;
  /** Called once, also when there never was a line. */
  onClose(reason: string): void;
}

const connectTimeoutMs = 20_000;
const closeTimeoutMs = 3_000;
const lowWaterBytes = 64 * 1_024;

export function openRelaySocket(
  { relay, ticket, certificates, options }: RelayTarget,
  listener: RelaySocketListener,
): RelaySocket {
  const socket = new WebSocket(relayUrl(relay), [countingProtocol, relayProtocol], {
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    handshakeTimeout: connectTimeoutMs,
    closeTimeout: closeTimeoutMs,
    rejectUnauthorized: false, // the certificate is judged by us, before anything is said
    ...options,
  } as ClientOptions);
  let reason: string | undefined;
  const fail = (why: string): void => {
    reason = why;
    socket.terminate();
  };
  let paired = false;
  socket.on('upgrade', (response) => {
    if (!isTrustedCertificate(response.socket as TLSSocket, certificates))
      fail('the certificate of the relay is not trusted');
  });
  socket.on('open', () => socket.send(ticket));
  socket.on('message', (data, binary) => {
    if (binary && paired) return listener.onFrame(data as Buffer);
    const word = binary ? '' : (data as Buffer).toString();
    if (paired && word === countRequest && counts(socket)) return listener.onCountRequest();
    if (paired || word !== 'paired') return fail('the relay sent an invalid message');
    paired = true;
    listener.onPaired();
  });
  socket.on('error', (error) => void (reason ??= error.message));
  socket.on('close', (_code, said) =>
    listener.onClose(reason ?? (said.toString() || 'the relay closed the connection')),
  );
  return wrapSocket(socket);
}

function relayUrl(relay: string): URL {
  const url = new URL(relay.replace(/^https:/, 'wss:'));
  if (url.protocol !== 'wss:') throw new NotPossible('The address of the relay must start with wss://.');
  return url;
}

const counts = ({ protocol }: WebSocket): boolean => protocol === countingProtocol;

function wrapSocket(socket: WebSocket): RelaySocket {
  const waiting = new Set<() => void>();
  const release = (): void => {
    if (socket.bufferedAmount > lowWaterBytes) return;
    waiting.forEach((resolve) => resolve());
    waiting.clear();
  };
  socket.on('close', () => {
    waiting.forEach((resolve) => resolve());
    waiting.clear();
  });
  return {
    send: (frame) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(frame, release);
    },
    reportDirectBytes: (directBytes) => {
      if (socket.readyState === WebSocket.OPEN && counts(socket)) socket.send(formatCount(directBytes));
    },
    buffered: () => socket.bufferedAmount,
    drained: () =>
      socket.readyState !== WebSocket.OPEN || socket.bufferedAmount <= lowWaterBytes
        ? Promise.resolve()
        : new Promise((resolve) => void waiting.add(resolve)),
    close: (back) =>
      socket.readyState === WebSocket.CONNECTING
        ? socket.terminate()
        : socket.close(back ? leaveCodes.returning : leaveCodes.left),
  };
}
