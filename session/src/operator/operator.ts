/** The operator's session: opens the link, verifies the device, and reconnects when the connection is lost. */
import { frameKinds } from '@drawbridge/contract/session/frame-kinds';
import type { OpenReply } from '@drawbridge/contract/session/open';
import {
  createProblem,
  isProblem,
  type ProblemCode,
  type SessionProblem,
} from '@drawbridge/contract/session/problem';
import { createEmitter } from '../emitter.ts';
import type { SessionKeyPair } from '../ports.ts';
import { runConnection } from './connection.ts';
import type { OperatorPorts, SessionContext } from './context.ts';
import { endedOutcome, type ConnectionOutcome } from './outcome.ts';
import { createSessionState, type RemoteSession } from './session.ts';

/** Identifies a session that was opened, so that the operator can return to it. */
export interface ResumeToken {
  session: number;
  secret: string;
}

/** The server's part in opening a session. */
export interface SessionApi {
  open(code: string, key: string): Promise<OpenReply | SessionProblem>;
  resume(token: ResumeToken, key: string): Promise<OpenReply | SessionProblem>;
  note(token: ResumeToken, text: string): Promise<boolean>;
  /** Tells the server that the device shows a new key. */
  alarm(token: ResumeToken, keys: { known: string; shown: string }): Promise<boolean>;
}

export interface OperatorSession extends RemoteSession {
  /** How to return to the session, once the server has opened it. */
  readonly resumeToken: ResumeToken | undefined;
  /** What proves to a device with four eyes that the approved operator returns. It is never sent to the server. */
  readonly approval: string | undefined;
  /** The operator trusts the new key of the device: continues from `blocked`. */
  trust(): void;
  /** Resolves when the session is over for good. */
  readonly ended: Promise<void>;
}

export interface OperatorOptions extends OperatorPorts {
  /** A link that was not used yet, or a session that was opened before. */
  from: { code: string } | ResumeToken;
  /** The approval of an earlier `OperatorSession`, if this one resumes it. */
  approval?: string | undefined;
  api: SessionApi;
}

interface Attempt {
  reply: OpenReply;
  keyPair: SessionKeyPair;
}

type OperatorContext = SessionContext & {
  api: SessionApi;
  resumeToken: ResumeToken | undefined;
  trustDecision: PromiseWithResolvers<void>;
  retryDelayMs: number;
  /** How long after the loss of the connection the operator retries. */
  retryTimeoutMs: number;
};

const minRetryDelayMs = 500;
const maxRetryDelayMs = 8_000;
const minRetryTimeoutMs = 60_000;

export function openSession({ from, approval, api, ...ports }: OperatorOptions): OperatorSession {
  const context: OperatorContext = {
    ports,
    api,
    sessionState: createSessionState(),
    emitter: createEmitter(),
    traffic: { sent: 0, received: 0 },
    ending: new AbortController(),
    shownKey: undefined,
    approval,
    channel: undefined,
    lostAt: undefined,
    relayOnly: false,
    resumeToken: undefined,
    trustDecision: Promise.withResolvers(),
    retryDelayMs: minRetryDelayMs,
    retryTimeoutMs: minRetryTimeoutMs,
  };
  return toOperatorSession(context, runSession(context, from));
}

async function runSession(context: OperatorContext, from: OperatorOptions['from']): Promise<void> {
  let outcome = 'code' in from ? await open(context, from.code) : await resume(context, from);
  while (!isOutcome(outcome)) {
    applyReply(context, outcome.reply);
    outcome = await nextAttempt(context, await runConnection(context, outcome.reply, outcome.keyPair));
  }
  if (outcome.next === 'over') context.sessionState.update({ state: outcome.state, permissions: new Set() });
}

const isOutcome = (step: Attempt | ConnectionOutcome): step is ConnectionOutcome => 'next' in step;

async function open({ api, ports }: OperatorContext, code: string): Promise<Attempt | ConnectionOutcome> {
  const keyPair = await ports.crypto.createKeyPair();
  const reply = await api.open(code, keyPair.publicKey);
  return isProblem(reply) ? refusedOutcome(reply) : { reply, keyPair };
}

const refusedOutcome = (problem: SessionProblem): ConnectionOutcome =>
  endedOutcome({ message: problem.message, problem });

function applyReply(context: OperatorContext, reply: OpenReply): void {
  const { session, secret, device, name, may_record: mayRecord = false } = reply;
  context.resumeToken = { session, secret };
  const { sessionState } = context;
  const { state, device: known } = sessionState.current;
  sessionState.update({
    state: state.phase === 'reconnecting' ? state : { phase: 'waiting', message: '' },
    device: { ...known, id: device.id, name: device.name, os: device.os },
    client: device.id === 0 ? (device.key === undefined ? 'absent' : 'joined') : undefined,
    name,
    mayRecord,
  });
}

async function nextAttempt(
  context: OperatorContext,
  outcome: ConnectionOutcome,
): Promise<Attempt | ConnectionOutcome> {
  if (outcome.next === 'over' || !context.resumeToken) return outcome;
  if (outcome.next === 'blocked') return waitForTrust(context, outcome.key);
  const { state } = context.sessionState.current;
  // The reason that the other side gave for the interruption stays until it is back.
  const known = state.phase === 'reconnecting' ? state.message : '';
  context.sessionState.update({
    state: { phase: 'reconnecting', message: outcome.message || known },
    permissions: new Set(),
    roundTrip: undefined,
  });
  return resume(context, context.resumeToken, outcome.retryTimeoutMs);
}

/** Sends nothing to a device with a new key until the operator decides. The decision is remembered. */
async function waitForTrust(context: OperatorContext, key: string): Promise<Attempt | ConnectionOutcome> {
  const { sessionState, ending, trustDecision, resumeToken, ports } = context;
  sessionState.update({
    state: { phase: 'blocked', message: '', problem: createProblem('changed_key', key) },
  });
  const known = context.shownKey ?? ports.pins.find(sessionState.current.device.id);
  // Nothing goes on until the operator decides, whether the server receives this or not.
  if (resumeToken && known !== undefined) void context.api.alarm(resumeToken, { known, shown: key });
  const ended = Promise.withResolvers<void>();
  ending.signal.addEventListener('abort', () => ended.resolve(), { once: true });
  await Promise.race([trustDecision.promise, ended.promise]);
  if (ending.signal.aborted) return endedOutcome({ message: '', by: 'operator' });
  context.trustDecision = Promise.withResolvers();
  context.shownKey = key;
  context.lostAt = undefined;
  ports.pins.pin(sessionState.current.device.id, key);
  sessionState.update({ state: { phase: 'reconnecting', message: '' } });
  return resume(context, resumeToken!);
}

/** Retries with growing delays until the longest timeout since the loss, or until the server refuses for good. */
async function resume(
  context: OperatorContext,
  token: ResumeToken,
  timeoutMs = minRetryTimeoutMs,
): Promise<Attempt | ConnectionOutcome> {
  const { api, ending, ports } = context;
  if (context.lostAt === undefined) {
    context.lostAt = ports.clock.now();
    context.retryDelayMs = minRetryDelayMs;
    context.retryTimeoutMs = 0;
  }
  context.retryTimeoutMs = Math.max(context.retryTimeoutMs, timeoutMs);
  while (ports.clock.now() - context.lostAt < context.retryTimeoutMs) {
    await waitBeforeRetry(context);
    context.retryDelayMs = Math.min(2 * context.retryDelayMs, maxRetryDelayMs);
    if (ending.signal.aborted) return endedOutcome({ message: '', by: 'operator' });
    const keyPair = await ports.crypto.createKeyPair();
    const reply = await api.resume(token, keyPair.publicKey);
    if (!isProblem(reply)) return { reply, keyPair };
    if (!retryable.has(reply.code)) return refusedOutcome(reply);
  }
  return endedOutcome({ message: '', problem: createProblem('lost') });
}

/** Ends early when the operator ends the session. */
const waitBeforeRetry = ({ ports, retryDelayMs, ending }: OperatorContext): Promise<void> =>
  new Promise((resolve) => {
    const stop = ports.clock.after(retryDelayMs, resolve);
    const onAbort = (): void => {
      stop();
      resolve();
    };
    ending.signal.addEventListener('abort', onAbort, { once: true });
  });

/** Problems that another attempt may not have. */
const retryable: ReadonlySet<ProblemCode> = new Set(['network', 'offline', 'busy']);

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
    get approval() {
      return context.approval;
    },
    send: (kind, payload) =>
      sessionState.current.state.phase === 'live' && (context.channel?.send(kind, payload) ?? false),
    knows: (kind) => frameKinds[kind].since <= sessionState.current.deviceVersion,
    on: emitter.on,
    onChange: sessionState.onChange,
    drained: () => context.channel?.drained() ?? Promise.resolve(),
    trust: () => context.trustDecision.resolve(),
    end: () => ending.abort(),
  };
  return Object.defineProperties(rest, getters) as OperatorSession;
}
