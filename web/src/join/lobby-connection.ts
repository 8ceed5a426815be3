/** The line on which this page waits for operators: it comes back by itself, with the same key, until it is told that it is over. */
import type { Brand } from '@drawbridge/contract/brand';
import {
  lobbyDown,
  lobbyDownByState,
  lobbyPath,
  lobbyProtocol,
  type LobbyDown,
  type LobbyUp,
} from '@drawbridge/contract/session/lobby';
import { readMessage } from '@drawbridge/contract/uplink/messages';
import type { Clock } from '../session/clock.ts';
import type { SessionRequest } from '../session/device.ts';

/** Why it is over: the server's reasons, and that another page of this browser has taken the place. */
export type EndReason = Exclude<Extract<LobbyDown, { kind: 'ended' }>['code'], 'busy'> | 'replaced';

export interface LobbyListener {
  welcome(owner: string, serverKey: string, brand: Brand | undefined): void;
  /** An operator is there. */
  session(request: SessionRequest): void;
  /** The line is lost, and is tried again. */
  lost(): void;
  /** Somebody in the same network has tried too many codes; it is tried again by itself, after a while. */
  busy(): void;
  /** Once, and nothing after it. */
  ended(reason: EndReason): void;
}

export interface LobbyConnection {
  preview(picture: Omit<Extract<LobbyUp, { kind: 'preview' }>, 'kind'>): void;
  /** Opens another line in the place of this one, which may be dead without a word. */
  renew(): void;
  /** Says goodbye; resolves when the server knows, or does not answer. */
  leave(): Promise<void>;
}

export interface LobbyOptions {
  code: string;
  key: string;
  os: Extract<LobbyUp, { kind: 'join' }>['os'];
  /** Where the page came from. */
  origin: string;
  clock: Pick<Clock, 'after'>;
}

const [minRetryDelayMs, maxRetryDelayMs] = [500, 5_000];
/** The server lets a network try a code every ten seconds. */
const busyRetryDelayMs = 15_000;
/** How long the server may take to say goodbye. */
const leaveTimeoutMs = 2_000;
const replacedCode = 4_001;

export function openLobbyConnection(options: LobbyOptions, listener: LobbyListener): LobbyConnection {
  const { code, key, os, clock } = options;
  let socket: WebSocket | undefined;
  let retryDelayMs = minRetryDelayMs;
  let isOver = false;
  let isBusy = false;
  let wasWelcome = false;

  const finish = (reason: EndReason): void => {
    if (isOver) return;
    isOver = true;
    socket?.close();
    listener.ended(reason);
  };
  const handlers: { [Kind in LobbyDown['kind']]: (message: Extract<LobbyDown, { kind: Kind }>) => void } = {
    welcome({ owner, server_key: serverKey, brand }) {
      wasWelcome = true;
      retryDelayMs = minRetryDelayMs;
      listener.welcome(owner, serverKey, brand);
    },
    session: ({ grant, ticket, relay }) => listener.session({ grant, ticket, relay }),
    // A code that led somewhere before was closed while nobody was on the line.
    ended({ code: reason }) {
      if (reason === 'busy') isBusy = true;
      else finish(reason === 'unknown' && wasWelcome ? 'closed' : reason);
    },
  };
  const retryLater = (): void => {
    if (isBusy) listener.busy();
    else listener.lost();
    clock.after(isBusy ? busyRetryDelayMs : retryDelayMs, () => isOver || connect());
    retryDelayMs = Math.min(2 * retryDelayMs, maxRetryDelayMs);
    isBusy = false;
  };
  const connect = (): void => {
    const own = new WebSocket(new URL(lobbyPath, options.origin.replace(/^http/, 'ws')), lobbyProtocol);
    socket = own;
    own.addEventListener('open', () => send({ kind: 'join', code, key, os, by: 'browser' }));
    let expected: readonly LobbyDown['kind'][] = lobbyDownByState.unknown;
    own.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const message = socket === own ? readMessage(lobbyDown, String(data), expected) : undefined;
      if (!message || message === 'unexpected') return;
      expected = lobbyDownByState.joined;
      (handlers[message.kind] as (message: LobbyDown) => void)(message);
    });
    own.addEventListener('close', ({ code: why }) => {
      if (isOver || socket !== own) return;
      if (why === replacedCode) finish('replaced');
      else retryLater();
    });
  };
  const send = (message: Exclude<LobbyUp, { kind: 'leave' }> | { kind: 'leave' }): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  connect();
  return {
    preview: (picture) => send({ kind: 'preview', ...picture }),
    renew() {
      if (isOver || socket?.readyState !== WebSocket.OPEN) return;
      socket.close();
      connect();
    },
    async leave() {
      isOver = true;
      const last = socket;
      if (last?.readyState !== WebSocket.OPEN) return last?.close();
      send({ kind: 'leave' });
      await new Promise<void>((resolve) => {
        last.addEventListener('close', () => resolve());
        clock.after(leaveTimeoutMs, resolve);
      });
      last.close();
    },
  };
}
