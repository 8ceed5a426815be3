/** A WebSocket from a device to the relay: shows the ticket, carries frames, and reports how much took a direct connection. */
import type { TLSSocket } from 'node:tls';
import { leaveCodes, relayCloseCodes } from '@drawbridge/contract/close-codes';
import { countRequest, countingProtocol, formatCount } from '@drawbridge/contract/session/direct-count';
import { maxFrameBytes, zeroMask } from '@drawbridge/contract/session/frame-kinds';
import { relayProtocol } from '@drawbridge/contract/session/open';
import { WebSocket, type ClientOptions } from 'ws';
import type { RelayListener, RelayTransport } from '../ports.ts';
import { releaseMemory } from './release-memory.ts';

export interface RelayConnectOptions {
  /** A wss or https URL. */
  relay: string;
  ticket: string;
  /** Judges the certificate of the relay before anything is sent. */
  isTrusted(socket: TLSSocket): boolean;
  /** How to connect, for example through a proxy. */
  socketOptions?: ClientOptions | undefined;
}

const connectTimeoutMs = 20_000;
const closeTimeoutMs = 3_000;
const lowWaterMark = 64 * 1_024;

export function openRelaySocket(options: RelayConnectOptions, listener: RelayListener): RelayTransport {
  const socket = new WebSocket(options.relay.replace(/^https:/, 'wss:'), [countingProtocol, relayProtocol], {
    perMessageDeflate: false,
    generateMask: zeroMask,
    maxPayload: maxFrameBytes,
    handshakeTimeout: connectTimeoutMs,
    closeTimeout: closeTimeoutMs,
    rejectUnauthorized: false, // isTrusted judges the certificate
    ...options.socketOptions,
  } as ClientOptions);
  let failure: string | undefined;
  const fail = (reason: string): void => {
    failure = reason;
    socket.terminate();
  };
  socket.on('upgrade', (response) => {
    if (!options.isTrusted(response.socket as TLSSocket)) fail('the certificate of the relay is not trusted');
  });
  socket.on('open', () => socket.send(options.ticket));
  socket.on('message', createMessageReader(socket, listener, fail));
  socket.on('error', (error) => void (failure ??= error.message));
  socket.on('close', (code, reason) =>
    listener.onClose({
      reason: failure ?? (reason.toString() || 'the relay closed the connection'),
      isEndedByServer: code === relayCloseCodes.ended.code,
    }),
  );
  return toTransport(socket);
}

const isCounting = ({ protocol }: WebSocket): boolean => protocol === countingProtocol;

function createMessageReader(socket: WebSocket, listener: RelayListener, fail: (reason: string) => void) {
  let isPaired = false;
  return (data: unknown, isBinary: boolean): void => {
    if (isBinary && isPaired) return listener.onFrame(data as Buffer<ArrayBuffer>);
    const message = isBinary ? '' : (data as Buffer).toString();
    if (isPaired && message === countRequest && isCounting(socket)) return listener.onCountRequest?.();
    if (isPaired || message !== 'paired') return fail('the relay sent an invalid message');
    isPaired = true;
    listener.onPaired();
  };
}

function toTransport(socket: WebSocket): RelayTransport {
  const waiting = new Set<() => void>();
  const release = (): void => {
    waiting.forEach((resolve) => resolve());
    waiting.clear();
  };
  const isOpen = (): boolean => socket.readyState === WebSocket.OPEN;
  socket.on('close', release);
  return {
    send(frame) {
      if (!isOpen()) return;
      socket.send(frame, () => {
        releaseMemory(frame);
        if (socket.bufferedAmount <= lowWaterMark) release();
      });
    },
    reportDirectBytes(bytes) {
      if (isOpen() && isCounting(socket)) socket.send(formatCount(bytes));
    },
    buffered: () => socket.bufferedAmount,
    drained: () =>
      !isOpen() || socket.bufferedAmount <= lowWaterMark
        ? Promise.resolve()
        : new Promise((resolve) => void waiting.add(resolve)),
    close: (willReturn) =>
      socket.readyState === WebSocket.CONNECTING
        ? socket.terminate()
        : socket.close(willReturn ? leaveCodes.returning : leaveCodes.left),
  };
}
