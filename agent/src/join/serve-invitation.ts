/** Serves an invitation: waits for operators, reconnects when the connection is lost, and leaves nothing behind. */
import { setTimeout as pause } from 'node:timers/promises';
import { defaultPolicy } from '@drawbridge/contract/policy';
import type { RelayOffer } from '@drawbridge/contract/session/round-trips';
import type { ClientOptions } from 'ws';
import { createDeviceKey } from '../uplink/keys.ts';
import { NotPossible, type Platform } from '../platform/platform.ts';
import type { FeatureFactory } from '../session/feature.ts';
import { plainText } from '../session/plain-text.ts';
import { createAgentSessions, type AgentSessions } from '../session/agent-sessions.ts';
import {
  openLobbySocket,
  type LobbySocket,
  type LobbySocketEnd,
  type LobbySocketOptions,
} from './lobby-socket.ts';
import { createInstallRequestFeature } from './install-request.ts';
import { trackPresence } from './presence.ts';

export interface InvitationOptions {
  server: string;
  code: string;
  pin: string | undefined;
  platform: Platform;
  features: readonly FeatureFactory[];
  connect(address: string): ClientOptions;
  /** Prints a message for the person at the terminal. */
  say(line: string): void;
  /** Prints details for troubleshooting. */
  log(line: string): void;
  /** Ends the invitation. */
  signal: AbortSignal;
}

/** How the invitation ended, unless the person ended it; `expected` is false for failures. */
export type InvitationEnd = { message: string; expected: boolean } | undefined;

const [shortestPauseMs, longestPauseMs] = [500, 5_000];
/** The server allows one attempt in ten seconds from each network. */
const busyPauseMs = 15_000;
const previewEveryMs = 10_000;
const previewWidth = 320;

interface InvitationContext extends InvitationOptions {
  readonly join: LobbySocketOptions['join'];
  /** What the server last showed and said. */
  known: { serverKey: string; certificate: string; owner: string };
  present: Set<object>;
  sessions: AgentSessions;
  lobby: LobbySocket | undefined;
}

export async function serveInvitation(options: InvitationOptions): Promise<InvitationEnd> {
  const invitation = await prepare(options);
  const leave = (): void => invitation.lobby?.leave();
  options.signal.addEventListener('abort', leave);
  const timer = setInterval(() => void sendPreview(invitation), previewEveryMs);
  try {
    return await keepConnected(invitation);
  } finally {
    clearInterval(timer);
    options.signal.removeEventListener('abort', leave);
    await invitation.sessions.stop('The person at the device ended the session.');
  }
}

async function prepare(options: InvitationOptions): Promise<InvitationContext> {
  const { server, platform, say, log, code } = options;
  const key = createDeviceKey();
  const known = { serverKey: '', certificate: '', owner: '' };
  const present = new Set<object>();
  const sessions = createAgentSessions({
    identity: () => ({ ...key, serverKey: known.serverKey }),
    certificates: () => [known.certificate],
    connect: options.connect,
    platform,
    policy: () => defaultPolicy,
    features: trackPresence([...options.features, createInstallRequestFeature(server, say)], {
      arrived(context) {
        present.add(context);
        say(
          `${context.operator.name} (${context.operator.address}) is connected. Press Ctrl+C to end the session.`,
        );
        void sendPreview(invitation);
      },
      left(context) {
        present.delete(context);
        say(`${context.operator.name} has disconnected.`);
      },
    }),
    now: () => Math.floor(Date.now() / 1_000),
    log,
  });
  const { os } = await platform.facts();
  const join = { code, key: key.publicKey, os, by: 'program' as const };
  const invitation: InvitationContext = { ...options, join, known, present, sessions, lobby: undefined };
  return invitation;
}

/** Opens one connection after the other until the person or the server ends the invitation. */
async function keepConnected(invitation: InvitationContext): Promise<InvitationEnd> {
  const { signal, say } = invitation;
  let pauseMs = shortestPauseMs;
  while (!signal.aborted) {
    const end = await connectToLobby(invitation);
    if (signal.aborted) break;
    const last = finalEnd(invitation, end);
    if (last) return last;
    if (end.welcomed) {
      pauseMs = shortestPauseMs;
      say('The connection was lost. Reconnecting.');
    }
    const isBusy = isRateLimited(end);
    if (isBusy)
      say('Too many codes were tried from this network. Trying again in 15 seconds. Press Ctrl+C to stop.');
    await pause(isBusy ? busyPauseMs : pauseMs, undefined, { signal }).catch(() => {});
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
  }
  return undefined;
}

async function connectToLobby(invitation: InvitationContext): Promise<LobbySocketEnd> {
  const { server, join, pin, known, say, sessions } = invitation;
  invitation.lobby = openLobbySocket({
    server,
    join,
    pin,
    connect: invitation.connect(server),
    onWelcome({ owner, server_key: serverKey, relays = [] }, certificate) {
      say(
        known.owner === ''
          ? `Invited by ${plainText(owner)}. Waiting for an operator. You are asked before anyone connects.`
          : 'Connected again.',
      );
      Object.assign(known, { serverKey, certificate, owner });
      if (relays.length > 0) void reportRoundTrips(invitation, relays);
    },
    onSession({ grant, ticket, relay }) {
      sessions
        .open({ grant, ticket, relay })
        .catch((error: unknown) => say(error instanceof NotPossible ? error.message : String(error)));
    },
  });
  return invitation.lobby.over;
}

/** The server then chooses the relay of a session that is near to both sides. */
async function reportRoundTrips(invitation: InvitationContext, relays: readonly RelayOffer[]): Promise<void> {
  const { lobby } = invitation;
  const measured = await invitation.sessions.measure(relays);
  invitation.join.round_trips = measured;
  // A later connection has said so in its first message, or will after its welcome.
  lobby?.roundTrips(measured);
}

/** Someone in the same network has tried too many codes; this is temporary. */
const isRateLimited = ({ ended }: LobbySocketEnd): boolean => ended?.code === 'busy';

/** Returns why a retry makes no sense: the server said so, or it was never reached. */
export function finalEnd({ known }: Pick<InvitationContext, 'known'>, end: LobbySocketEnd): InvitationEnd {
  const { ended, welcomed, reason } = end;
  const wasAccepted = known.owner !== '';
  if (isRateLimited(end)) return undefined;
  if (ended)
    return {
      message: ended.message,
      expected: ended.code === 'closed' || (wasAccepted && ended.code === 'unknown'),
    };
  return welcomed || wasAccepted
    ? undefined
    : { message: `The server cannot be reached: ${reason}.`, expected: false };
}

/** Sends a preview only while an operator is connected, because only then has the person agreed to show the screen. */
async function sendPreview({ present, platform, lobby }: InvitationContext): Promise<void> {
  if (present.size === 0) return;
  const picture = await platform.preview(previewWidth).catch(() => undefined);
  if (picture) lobby?.preview({ type: picture.type, picture: picture.bytes.toString('base64') });
}
