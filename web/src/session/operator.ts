/** The operator's session: opens the link, proves who is on the other side, and comes back when the connection is lost. */
import type { OpenReply } from '@drawbridge/contract/session/open';
import type { SessionApi, ResumeToken } from './session-api.ts';
import { createEmitter } from './emitter.ts';
import { createSessionState } from './session-state.ts';
import type { Clock } from './clock.ts';
import { makeSessionKey, type SessionKey } from './keys.ts';
import type { Pins } from './pins.ts';
import { isProblem, createProblem, type SessionProblem, type RemoteSession } from './session.ts';
import { endedOutcome, runConnection, type SessionContext, type ConnectionOutcome } from './reconnect.ts';

export interface OperatorSession extends RemoteSession {
  /** How to come back to it, once the server has opened it. */
  readonly resumeToken: ResumeToken | undefined;
  /** Somebody has decided that the device's new key is right: goes on from `blocked`. */
  trust(): void;
  /** When the session is over for good. */
  readonly ended: Promise<void>;
}

export interface OperatorOptions {
  /** A link that was not used yet, or a session that was begun. */
  from: { code: string } | ResumeToken;
  api: SessionApi;
  pins: Pins;
  clock: Clock;
}

interface Turn {
  opened: OpenReply;
  key: SessionKey;
}

type OperatorContext = SessionContext & {
  api: SessionApi;
  resumeToken: ResumeToken | undefined;
  trusting: PromiseWithResolvers<void>;
  pauseMs: number;
};

const shortestPauseMs = 500;
const longestPauseMs = 8_000;

export function openSession(options: OperatorOptions): OperatorSession {
  const context: OperatorContext = {
    sessionState: createSessionState(),
    emitter: createEmitter(),
    pins: options.pins,
    clock: options.clock,
    api: options.api,
    traffic: { sent: 0, received: 0 },
    ending: new AbortController(),
    shownKey: undefined,
    channel: undefined,
    lostAt: undefined,
    relayOnly: false,
    resumeToken: undefined,
    trusting: Promise.withResolvers(),
    pauseMs: shortestPauseMs,
  };
  return face(context, live(context, options.from));
}

async function live(context: OperatorContext, from: OperatorOptions['from']): Promise<void> {
  let outcome = 'code' in from ? await open(context, from.code) : await comeBack(context, from);
  while (!isOutcome(outcome)) {
    take(context, outcome.opened);
    outcome = await after(context, await runConnection(context, outcome.opened, outcome.key));
  }
  if (outcome.next === 'end') context.sessionState.update({ state: outcome.state, permissions: new Set() });
}

const isOutcome = (step: Turn | ConnectionOutcome): step is ConnectionOutcome => 'next' in step;

async function open({ api }: OperatorContext, code: string): Promise<Turn | ConnectionOutcome> {
  const key = await makeSessionKey();
  const opened = await api.open(code, key.publicKey);
  return isProblem(opened) ? refused(opened) : { opened, key };
}

const refused = (found: SessionProblem): ConnectionOutcome =>
  endedOutcome({ message: found.message, problem: found });

function take(context: OperatorContext, { session, secret, device, name }: OpenReply): void {
  context.resumeToken = { session, secret };
  const { sessionState } = context;
  const phase = sessionState.current.state.phase === 'reconnecting' ? 'reconnecting' : 'waiting';
  sessionState.update({
    state: { phase, message: '' },
    device: { ...sessionState.current.device, id: device.id, name: device.name, os: device.os },
    name,
  });
}

/** Another try, or the end. */
async function after(
  context: OperatorContext,
  outcome: ConnectionOutcome,
): Promise<Turn | ConnectionOutcome> {
  if (outcome.next === 'end' || !context.resumeToken) return outcome;
  if (outcome.next === 'blocked') return whenTrusted(context, outcome.key);
  context.sessionState.update({
    state: { phase: 'reconnecting', message: outcome.message },
    permissions: new Set(),
    roundTrip: undefined,
  });
  return comeBack(context, context.resumeToken, outcome.retryTimeoutMs);
}

/** Nothing is said to a device with a new key until somebody has decided; the decision is kept. */
async function whenTrusted(context: OperatorContext, key: string): Promise<Turn | ConnectionOutcome> {
  const { sessionState, ending, trusting, pins, resumeToken } = context;
  sessionState.update({
    state: { phase: 'blocked', message: '', problem: createProblem('changed_key', key) },
  });
  const known = context.shownKey ?? pins.find(sessionState.current.device.id);
  // Whether it is heard or not, nothing goes on until somebody has decided.
  if (resumeToken && known !== undefined) void context.api.alarm(resumeToken, { known, shown: key });
  const ended = Promise.withResolvers<void>();
  ending.signal.addEventListener('abort', () => ended.resolve(), { once: true });
  await Promise.race([trusting.promise, ended.promise]);
  if (ending.signal.aborted) return endedOutcome({ message: '', by: 'operator' });
  context.trusting = Promise.withResolvers();
  context.shownKey = key;
  context.lostAt = undefined;
  pins.keep(sessionState.current.device.id, key);
  sessionState.update({ state: { phase: 'reconnecting', message: '' } });
  return comeBack(context, resumeToken!);
}

/** Tries with growing pauses; what the server refuses for good ends it. */
async function comeBack(
  context: OperatorContext,
  to: ResumeToken,
  retryTimeoutMs = 60_000,
): Promise<Turn | ConnectionOutcome> {
  const { clock, api, ending } = context;
  if (context.lostAt === undefined) {
    context.lostAt = clock.now();
    context.pauseMs = shortestPauseMs;
  }
  while (clock.now() - context.lostAt < retryTimeoutMs) {
    await pause(context);
    context.pauseMs = Math.min(2 * context.pauseMs, longestPauseMs);
    if (ending.signal.aborted) return endedOutcome({ message: '', by: 'operator' });
    const key = await makeSessionKey();
    const opened = await api.resume(to, key.publicKey);
    if (!isProblem(opened)) return { opened, key };
    if (!mayPass.has(opened.code)) return refused(opened);
  }
  return endedOutcome({ message: '', problem: createProblem('lost') });
}

/** Whoever ends the session does not wait for it to be over. */
const pause = ({ clock, pauseMs, ending }: OperatorContext): Promise<void> =>
  new Promise((resolve) => {
    const stop = clock.after(pauseMs, resolve);
    ending.signal.addEventListener(
      'abort',
      () => {
        stop();
        resolve();
      },
      { once: true },
    );
  });

/** Refusals that another try may find gone. */
const mayPass: ReadonlySet<SessionProblem['code']> = new Set(['network', 'offline', 'busy']);

function face(context: OperatorContext, ended: Promise<void>): OperatorSession {
  const { sessionState, emitter, traffic, ending } = context;
  const reading = Object.fromEntries(
    Object.keys(sessionState.current).map((name) => [
      name,
      { get: () => sessionState.current[name as keyof typeof sessionState.current], enumerable: true },
    ]),
  );
  const rest: Omit<OperatorSession, keyof typeof sessionState.current> = {
    traffic,
    ended,
    get resumeToken() {
      return context.resumeToken;
    },
    send: (kind, payload) =>
      sessionState.current.state.phase === 'live' && (context.channel?.send(kind, payload) ?? false),
    on: emitter.on,
    onChange: sessionState.onChange,
    drained: () => context.channel?.drained() ?? Promise.resolve(),
    trust: () => context.trusting.resolve(),
    end: () => ending.abort(),
  };
  return Object.defineProperties(rest, reading) as OperatorSession;
}
