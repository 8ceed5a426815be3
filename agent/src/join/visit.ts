/** The program's visit to an invitation: waits for operators, comes back when the line is lost, leaves nothing behind. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientOptions } from 'ws';
import { createDeviceKey } from '../keys.ts';
import { NotPossible, type Platform } from '../platform/platform.ts';
import type { FeatureFactory } from '../session/feature.ts';
import { plainText } from '../session/plain-text.ts';
import { createAgentSessions, type AgentSessions } from '../session/agent-sessions.ts';
import { openLine, type Line, type LineEnd } from './lobby-line.ts';
import { createInstallRequestFeature } from './install-request.ts';
import type { Pin } from './pin.ts';
import { withPresence } from './presence.ts';

export interface VisitOptions {
  server: string;
  code: string;
  pin: Pin | undefined;
  platform: Platform;
  features: readonly FeatureFactory[];
  connect(address: string): ClientOptions;
  /** For the person at the terminal. */
  say(line: string): void;
  /** Details that only somebody who looks for a fault wants. */
  log(line: string): void;
  /** Ends it from outside. */
  signal: AbortSignal;
}

/** How it ended, if not by the person: a sentence, and whether it is what was to be expected. */
export type VisitEnd = { message: string; expected: boolean } | undefined;

const [shortestPauseMs, longestPauseMs] = [500, 5_000];
/** The server lets a network try a code every ten seconds. */
const busyPauseMs = 15_000;
const previewEveryMs = 10_000;
const previewWidth = 320;

interface Visiting extends VisitOptions {
  join: { code: string; key: string; os: 'win' | 'mac' | 'linux' | 'android' | ''; by: 'program' };
  /** What the server has shown and said last. */
  known: { serverKey: string; certificate: string; owner: string };
  present: Set<object>;
  sessions: AgentSessions;
  line: Line | undefined;
}

export async function visitInvitation(options: VisitOptions): Promise<VisitEnd> {
  const visiting = await prepare(options);
  const leave = (): void => visiting.line?.leave();
  options.signal.addEventListener('abort', leave);
  const timer = setInterval(() => void sendPreview(visiting), previewEveryMs);
  try {
    return await stay(visiting);
  } finally {
    clearInterval(timer);
    options.signal.removeEventListener('abort', leave);
    await visiting.sessions.stop('The person at the device ended the session.');
  }
}

async function prepare(options: VisitOptions): Promise<Visiting> {
  const { server, platform, say, log, code } = options;
  const key = createDeviceKey();
  const known = { serverKey: '', certificate: '', owner: '' };
  const present = new Set<object>();
  const sessions = createAgentSessions({
    identity: () => ({ ...key, serverKey: known.serverKey }),
    certificates: () => [known.certificate],
    connect: options.connect,
    platform,
    features: withPresence([...options.features, createInstallRequestFeature(server, say)], {
      arrived(context) {
        present.add(context);
        say(
          `${context.operator.name} (${context.operator.address}) is connected. Press Ctrl+C to end the session.`,
        );
        void sendPreview(visiting);
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
  const visiting: Visiting = { ...options, join, known, present, sessions, line: undefined };
  return visiting;
}

/** One line after the other, until the person or the server ends it. */
async function stay(visiting: Visiting): Promise<VisitEnd> {
  const { signal, say } = visiting;
  let pauseMs = shortestPauseMs;
  while (!signal.aborted) {
    const end = await wait(visiting);
    if (signal.aborted) break;
    const last = lastWord(visiting, end);
    if (last) return last;
    if (end.welcomed) {
      pauseMs = shortestPauseMs;
      say('The connection was lost. Reconnecting.');
    }
    const isBusy = isHeldUp(end);
    if (isBusy)
      say('Too many codes were tried from this network. Trying again in 15 seconds. Press Ctrl+C to stop.');
    await pause(isBusy ? busyPauseMs : pauseMs, undefined, { signal }).catch(() => {});
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
  }
  return undefined;
}

async function wait(visiting: Visiting): Promise<LineEnd> {
  const { server, join, pin, known, say, sessions } = visiting;
  visiting.line = openLine({
    server,
    join,
    pin,
    connect: visiting.connect(server),
    onWelcome({ owner, server_key: serverKey }, certificate) {
      say(
        known.owner === ''
          ? `Invited by ${plainText(owner)}. Waiting for an operator. You are asked before anyone connects.`
          : 'Connected again.',
      );
      Object.assign(known, { serverKey, certificate, owner });
    },
    onSession({ grant, ticket, relay }) {
      try {
        sessions.open({ grant, ticket, relay });
      } catch (error) {
        say(error instanceof NotPossible ? error.message : String(error));
      }
    },
  });
  return visiting.line.over;
}

/** Somebody in the same network has tried too many codes: that passes. */
const isHeldUp = ({ ended }: LineEnd): boolean => ended?.code === 'busy';

/** Why there is no use in another try: the server says so, or it was never reached at all. */
export function lastWord({ known }: Pick<Visiting, 'known'>, end: LineEnd): VisitEnd {
  const { ended, welcomed, reason } = end;
  const wasThere = known.owner !== '';
  if (isHeldUp(end)) return undefined;
  if (ended)
    return {
      message: ended.message,
      expected: ended.code === 'closed' || (wasThere && ended.code === 'unknown'),
    };
  return welcomed || wasThere
    ? undefined
    : { message: `The server cannot be reached: ${reason}.`, expected: false };
}

/** Only while somebody is connected, as the person has agreed to show the screen then. */
async function sendPreview({ present, platform, line }: Visiting): Promise<void> {
  if (present.size === 0) return;
  const picture = await platform.preview(previewWidth).catch(() => undefined);
  if (picture) line?.preview({ type: picture.type, picture: picture.bytes.toString('base64') });
}
