/** The bus over NATS, for a service that runs in several processes. It carries requests and hints; the data itself is in the store. */
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { runAndReport, type OnBusFailure } from './run-and-report.ts';
import { nodeUnreachable, noResponder, notMine, type Bus } from './bus.ts';
import { clockSlackSeconds, createEnvelopes, type Envelopes } from './envelope.ts';
import { openKeyRing, type FetchKeys, type KeyRing } from './key-ring.ts';
import { createMemoryBus } from './memory.ts';
import {
  openNatsConnection,
  type BusConnection,
  type BusRefusal,
  type OnConnectionState,
} from './nats-connection.ts';
import type { NatsSettings } from './nats-options.ts';
import { checkRights } from './nats-rights.ts';
import { createRequests, silenceMs, workingEveryMs, type Reply, type Requests } from './nats-requests.ts';

export interface NatsBusOptions {
  nats: NatsSettings;
  /** Identifies the deployment: others on the same NATS neither receive its messages nor send any that it accepts. */
  deployment: string;
  fetchKeys: FetchKeys;
  /** The time of the store in seconds. */
  now(): number;
  onState?: OnConnectionState;
  onFailure?: OnBusFailure;
}

type Listener = (message: unknown) => void;

/**
 * The listeners of a subject, also while NATS is not connected. They share one subscription, because a message is opened
 * only once.
 */
interface Topic {
  readonly subject: string;
  readonly listeners: Set<Listener>;
  subscription?: Subscription;
}

interface State {
  readonly connection: BusConnection;
  readonly topics: Map<string, Topic>;
  readonly keys: KeyRing;
  readonly envelopes: Envelopes;
  readonly requests: Requests;
  /** The first parts of every subject of the deployment. */
  readonly prefix: string;
  /** Requests that are answered in this process do not need NATS or another node. */
  readonly local: Bus;
  readonly localAnswers: Map<string, Answer>;
  /** The time of the store in seconds. */
  now(): number;
  readonly onFailure: OnBusFailure;
}

type Answer = (message: unknown) => Promise<unknown>;

/**
 * Resolves without NATS too. Then it keeps trying to connect, and until it succeeds only this process is
 * reached.
 */
export async function openNatsBus(options: NatsBusOptions): Promise<Bus | BusRefusal> {
  const { deployment, fetchKeys, now, onState = () => {}, onFailure = () => {} } = options;
  const prefix = `drawbridge.${deployment}`;
  const keys = await openKeyRing(fetchKeys);
  const gapListeners: (() => void)[] = [];
  const part = {
    prefix,
    keys,
    envelopes: createEnvelopes({ ...keys, now }),
    requests: createRequests(prefix),
    topics: new Map<string, Topic>(),
    local: createMemoryBus(),
    localAnswers: new Map<string, Answer>(),
    now,
    onFailure,
  };
  const connection = await openNatsConnection(options.nats, {
    onState,
    onConnected: (nats) => subscribeAll(nats, part),
    onGap: () => gapListeners.forEach((listener) => listener()),
  });
  if ('refused' in connection) {
    keys.close();
    return connection;
  }
  const bus = toBus({ ...part, connection }, gapListeners);
  const refusal = await checkRights(connection, prefix);
  if (refusal) await bus.close();
  return refusal ?? bus;
}

const toBus = (state: State, gapListeners: (() => void)[]): Bus => ({
  publish: (subject, message) => publish(state, subject, message),
  subscribe: (subject, listener) => listen(state, subject, (message) => listener(message)),
  request: (subject, message, timeoutMs) => request(state, subject, message, timeoutMs),
  answer: (subject, answer) => addAnswer(state, subject, answer),
  onGap: (listener) => void gapListeners.push(listener),
  async close() {
    state.keys.close();
    await state.connection.close();
  },
});

type Receiving = Omit<State, 'connection'>;

function subscribeAll(nats: NatsConnection, state: Receiving): void {
  const { requests } = state;
  nats.subscribe(`${requests.inbox}.*`, {
    callback(error, received) {
      if (error) return;
      if (received.headers?.code === 503) return requests.settle(received.subject, noResponder);
      openMessage(state, received, (content) => requests.onReply(received.subject, content as Reply));
    },
  });
  state.topics.forEach((topic) => subscribeTo(nats, state, topic));
}

function subscribeTo(nats: NatsConnection, state: Receiving, topic: Topic): void {
  topic.subscription = nats.subscribe(`${state.prefix}.${topic.subject}`, {
    callback(error, received) {
      if (!error)
        openMessage(state, received, (message) =>
          topic.listeners.forEach((listener) => runAndReport(() => listener(message), state.onFailure)),
        );
    },
  });
}

/** Passes on what is authentic. If another node has a newer key, this node fetches it first. */
function openMessage(state: Receiving, received: Msg, onMessage: (message: unknown) => void): void {
  const { envelopes } = state;
  const opened = envelopes.open(received.subject, received.data);
  if (typeof opened === 'object') onMessage(opened.message);
  else if (opened === 'unknown key') void openWithNewKeys(state, received, onMessage);
}

async function openWithNewKeys(
  { envelopes, keys }: Receiving,
  received: Msg,
  onMessage: (message: unknown) => void,
): Promise<void> {
  await keys.refresh();
  const opened = envelopes.open(received.subject, received.data);
  if (typeof opened === 'object') onMessage(opened.message);
}

function publish({ connection, envelopes, prefix, onFailure }: State, name: string, message: unknown): void {
  const subject = `${prefix}.${name}`;
  if (connection.up)
    runAndReport(() => connection.nats?.publish(subject, envelopes.seal(subject, message)), onFailure);
}

function listen(state: State, subject: string, listener: Listener): () => void {
  const { connection, topics } = state;
  const topic = topics.get(subject) ?? { subject, listeners: new Set() };
  topic.listeners.add(listener);
  if (!topics.has(subject)) {
    topics.set(subject, topic);
    if (connection.nats) subscribeTo(connection.nats, state, topic);
  }
  return () => {
    topic.listeners.delete(listener);
    if (topic.listeners.size > 0 || topics.get(subject) !== topic) return;
    topics.delete(subject);
    topic.subscription?.unsubscribe();
  };
}

/** What a request carries: the reply subject is in the sealed part too, so that nobody can have the answer sent elsewhere. */
interface Asked {
  message?: unknown;
  reply: string;
  /** For how long the caller waits. Older nodes say neither this nor `beginBy`. */
  timeoutMs?: number;
  /** The time of the store until which the caller waits for a node that says nothing. */
  beginBy?: number;
}

async function request(state: State, name: string, message: unknown, timeoutMs: number): Promise<unknown> {
  const { connection, envelopes, local, localAnswers, prefix, requests } = state;
  const begun = performance.now();
  const nearby = localAnswers.has(name) ? await local.request(name, message, timeoutMs) : noResponder;
  if (nearby !== noResponder) return nearby;
  // The client of NATS would keep the request and send it after it has reconnected, when nothing waits for the answer.
  if (!connection.up || !connection.nats) return nodeUnreachable;
  const subject = `${prefix}.${name}`;
  const remainingMs = timeoutMs - (performance.now() - begun);
  const { reply, answered } = requests.begin(remainingMs);
  const beginBy = state.now() + Math.ceil(Math.min(remainingMs, silenceMs) / 1_000);
  const asked: Asked = { message, reply, timeoutMs: remainingMs, beginBy };
  const { nats } = connection;
  runAndReport(
    () => nats.publish(subject, envelopes.seal(subject, asked), { reply }),
    (error) => {
      requests.settle(reply, nodeUnreachable);
      state.onFailure(error);
    },
  );
  return answered;
}

function addAnswer(state: State, subject: string, answer: Answer): () => void {
  const { local, localAnswers } = state;
  localAnswers.set(subject, answer);
  const unsubscribers = [
    local.answer(subject, answer),
    listen(state, subject, (asked) => {
      // The newest of several in one process answers.
      if (localAnswers.get(subject) === answer) void sendReply(state, asked as Asked, answer);
    }),
  ];
  return () => {
    if (localAnswers.get(subject) === answer) localAnswers.delete(subject);
    unsubscribers.forEach((unsubscribe) => unsubscribe());
  };
}

/**
 * Replies at once when the answer fails, so that the caller does not wait for the timeout. What the caller has given up,
 * because the request was kept back or this node was frozen, is not begun.
 */
async function sendReply(
  { connection, envelopes, now }: State,
  { message, reply: subject, timeoutMs = workingEveryMs, beginBy = Infinity }: Asked,
  answer: Answer,
): Promise<void> {
  if (now() > beginBy + clockSlackSeconds) return;
  const send = (content: Reply): void => {
    if (connection.up) connection.nats?.publish(subject, envelopes.seal(subject, content));
  };
  const until = performance.now() + timeoutMs;
  const working = setInterval(() => {
    send({ working: true, repeats: true });
    if (performance.now() >= until) clearInterval(working);
  }, workingEveryMs);
  try {
    const value = await answer(message);
    if (value !== notMine) send({ answer: value });
  } catch {
    send({}); // the answer failed, or is too large for NATS
  } finally {
    clearInterval(working);
  }
}
