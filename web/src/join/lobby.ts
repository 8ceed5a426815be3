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

export interface Lobby {
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

const [shortestPauseMs, longestPauseMs] = [500, 5_000];
/** The server lets a network try a code every ten seconds. */
const busyPauseMs = 15_000;
/** How long the server may take to say goodbye. */
const farewellMs = 2_000;
const replacedCode = 4_001;

export function openLobby(options: LobbyOptions, listener: LobbyListener): Lobby {
  const { code, key, os, clock } = options;
  let socket: WebSocket | undefined;
  let pauseMs = shortestPauseMs;
  let isOver = false;
  let isBusy = false;
  let wasWelcome = false;

  const finish = (reason: EndReason): void => {
    if (isOver) return;
    isOver = true;
    socket?.close();
    listener.ended(reason);
  };
  const hear: { [Kind in LobbyDown['kind']]: (message: Extract<LobbyDown, { kind: Kind }>) => void } = {
    welcome({ owner, server_key: serverKey, brand }) {
      wasWelcome = true;
      pauseMs = shortestPauseMs;
      listener.welcome(owner, serverKey, brand);
    },
    session: ({ grant, ticket, relay }) => listener.session({ grant, ticket, relay }),
    // A code that led somewhere before was closed while nobody was on the line.
    ended({ code: reason }) {
      if (reason === 'busy') isBusy = true;
      else finish(reason === 'unknown' && wasWelcome ? 'closed' : reason);
    },
  };
  const lose = (): void => {
    if (isBusy) listener.busy();
    else listener.lost();
    clock.after(isBusy ? busyPauseMs : pauseMs, () => isOver || dial());
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
    isBusy = false;
  };
  const dial = (): void => {
    const own = new WebSocket(new URL(lobbyPath, options.origin.replace(/^http/, 'ws')), lobbyProtocol);
    socket = own;
    own.addEventListener('open', () => say({ kind: 'join', code, key, os, by: 'browser' }));
    let expected: readonly LobbyDown['kind'][] = lobbyDownByState.unknown;
    own.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const message = socket === own ? readMessage(lobbyDown, String(data), expected) : undefined;
      if (!message || message === 'unexpected') return;
      expected = lobbyDownByState.joined;
      (hear[message.kind] as (message: LobbyDown) => void)(message);
    });
    own.addEventListener('close', ({ code: why }) => {
      if (isOver || socket !== own) return;
      if (why === replacedCode) finish('replaced');
      else lose();
    });
  };
  const say = (message: Exclude<LobbyUp, { kind: 'leave' }> | { kind: 'leave' }): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  dial();
  return {
    preview: (picture) => say({ kind: 'preview', ...picture }),
    renew() {
      if (isOver || socket?.readyState !== WebSocket.OPEN) return;
      socket.close();
      dial();
    },
    async leave() {
      isOver = true;
      const last = socket;
      if (last?.readyState !== WebSocket.OPEN) return last?.close();
      say({ kind: 'leave' });
      await new Promise<void>((resolve) => {
        last.addEventListener('close', () => resolve());
        clock.after(farewellMs, resolve);
      });
      last.close();
    },
  };
}
