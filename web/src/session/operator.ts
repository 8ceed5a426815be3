/** The operator's session: opens the link, proves who is on the other side, and comes back when the connection is lost. */
import type { OpenReply } from '@drawbridge/contract/session/open';
import type { SessionApi, ResumeToken } from './session-api.ts';
import { createEmitter } from './emitter.ts';
import { createSessionState } from './session-state.ts';
import type { Clock } from './clock.ts';
import { createSessionKeyPair, type SessionKeyPair } from './keys.ts';
import type { KeyPins } from './key-pins.ts';
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
  pins: KeyPins;
  clock: Clock;
}

interface Attempt {
  opened: OpenReply;
  key: SessionKeyPair;
}

type OperatorContext = SessionContext & {
  api: SessionApi;
  resumeToken: ResumeToken | undefined;
  trustDecision: PromiseWithResolvers<void>;
  retryDelayMs: number;
};

const minRetryDelayMs = 500;
const maxRetryDelayMs = 8_000;

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
    trustDecision: Promise.withResolvers(),
    retryDelayMs: minRetryDelayMs,
  };
  return toOperatorSession(context, runSession(context, options.from));
}

async function runSession(context: OperatorContext, from: OperatorOptions['from']): Promise<void> {
  let outcome = 'code' in from ? await open(context, from.code) : await resume(context, from);
  while (!isOutcome(outcome)) {
    applyOpened(context, outcome.opened);
    outcome = await nextAttempt(context, await runConnection(context, outcome.opened, outcome.key));
  }
  if (outcome.next === 'end') context.sessionState.update({ state: outcome.state, permissions: new Set() });
}

const isOutcome = (step: Attempt | ConnectionOutcome): step is ConnectionOutcome => 'next' in step;

async function open({ api }: OperatorContext, code: string): Promise<Attempt | ConnectionOutcome> {
  const key = await createSessionKeyPair();
  const opened = await api.open(code, key.publicKey);
  return isProblem(opened) ? refusedOutcome(opened) : { opened, key };
}

const refusedOutcome = (found: SessionProblem): ConnectionOutcome =>
  endedOutcome({ message: found.message, problem: found });

function applyOpened(context: OperatorContext, { session, secret, device, name }: OpenReply): void {
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
async function nextAttempt(
  context: OperatorContext,
  outcome: ConnectionOutcome,
): Promise<Attempt | ConnectionOutcome> {
  if (outcome.next === 'end' || !context.resumeToken) return outcome;
  if (outcome.next === 'blocked') return waitForTrust(context, outcome.key);
  context.sessionState.update({
    state: { phase: 'reconnecting', message: outcome.message },
    permissions: new Set(),
    roundTrip: undefined,
  });
  return resume(context, context.resumeToken, outcome.retryTimeoutMs);
}

/** Nothing is said to a device with a new key until somebody has decided; the decision is kept. */
async function waitForTrust(context: OperatorContext, key: string): Promise<Attempt | ConnectionOutcome> {
  const { sessionState, ending, trustDecision: trusting, pins, resumeToken } = context;
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
  context.trustDecision = Promise.withResolvers();
  context.shownKey = key;
  context.lostAt = undefined;
  pins.pin(sessionState.current.device.id, key);
  sessionState.update({ state: { phase: 'reconnecting', message: '' } });
  return resume(context, resumeToken!);
}

/** Tries with growing pauses; what the server refuses for good ends it. */
async function resume(
  context: OperatorContext,
  to: ResumeToken,
  retryTimeoutMs = 60_000,
): Promise<Attempt | ConnectionOutcome> {
  const { clock, api, ending } = context;
  if (context.lostAt === undefined) {
    context.lostAt = clock.now();
    context.retryDelayMs = minRetryDelayMs;
  }
  while (clock.now() - context.lostAt < retryTimeoutMs) {
    await waitBeforeRetry(context);
    context.retryDelayMs = Math.min(2 * context.retryDelayMs, maxRetryDelayMs);
    if (ending.signal.aborted) return endedOutcome({ message: '', by: 'operator' });
    const key = await createSessionKeyPair();
    const opened = await api.resume(to, key.publicKey);
    if (!isProblem(opened)) return { opened, key };
    if (!retryable.has(opened.code)) return refusedOutcome(opened);
  }
  return endedOutcome({ message: '', problem: createProblem('lost') });
}

/** Whoever ends the session does not wait for it to be over. */
const waitBeforeRetry = ({ clock, retryDelayMs: pauseMs, ending }: OperatorContext): Promise<void> =>
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
const retryable: ReadonlySet<SessionProblem['code']> = new Set(['network', 'offline', 'busy']);

function toOperatorSession(context: OperatorContext, ended: Promise<void>): OperatorSession {
  const { sessionState, emitter, traffic, ending } = context;
  const getters = Object.fromEntries(
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
    trust: () => context.trustDecision.resolve(),
    end: () => ending.abort(),
  };
  return Object.defineProperties(rest, getters) as OperatorSession;
}
