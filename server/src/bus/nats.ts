/** The bus over NATS, for a service that runs in several processes. It carries requests and hints; the data itself is in the store. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Bus } from './bus.ts';
import { createMemoryBus } from './memory.ts';

const encode = (message: unknown): string => JSON.stringify(message ?? null);
const decode = (message: Msg): unknown => message.json() ?? undefined;
/** Stands for no answer. */
const emptyReply = '';

/** How soon a connection that was lost without notice is detected. */
const pingOptions = { pingInterval: 5_000, maxPingOut: 2 };
/** How long a server waits for NATS when it starts, before it continues without NATS. */
const connectTimeoutMs = 3_000;
const retryMs = 500;

/** Reports to the administrator that the connection to NATS was lost or established. */
export type OnConnectionState = (state: 'up' | 'down', reason: string) => void;

/** A subscription that also exists while NATS is not connected. */
interface Subscriber {
  subject: string;
  onMessage(message: Msg): void;
  subscription?: Subscription;
}

interface State {
  readonly connection: BusConnection;
  readonly subscribers: Set<Subscriber>;
  /** Requests that are answered in this process do not need NATS or another node. */
  readonly local: Bus;
  readonly localAnswers: Map<string, Answer>;
}

type Answer = (message: unknown) => Promise<unknown>;

/** Resolves without NATS too. Then it keeps trying to connect, and until it succeeds only this process is reached. */
export async function openNatsBus(url: string, onState: OnConnectionState = () => {}): Promise<Bus> {
  const gapListeners: (() => void)[] = [];
  const subscribers = new Set<Subscriber>();
  const connection = await openConnection(url, {
    onState,
    onConnected: (nats) => subscribers.forEach((subscriber) => subscribeTo(nats, subscriber)),
    onGap: () => gapListeners.forEach((listener) => listener()),
  });
  const state: State = { connection, subscribers, local: createMemoryBus(), localAnswers: new Map() };
  return {
    publish: (subject, message) => void (connection.up && connection.nats?.publish(subject, encode(message))),
    subscribe: (subject, listener) => listen(state, subject, (message) => listener(decode(message))),
    request: (subject, message, timeoutMs) => request(state, subject, message, timeoutMs),
    answer: (subject, answer) => addAnswer(state, subject, answer),
    onGap: (listener) => void gapListeners.push(listener),
    close: connection.close,
  };
}

function subscribeTo(nats: NatsConnection, subscriber: Subscriber): void {
  subscriber.subscription = nats.subscribe(subscriber.subject, {
    callback: (error, message) => void (error ?? subscriber.onMessage(message)),
  });
}

function listen(
  { connection, subscribers }: State,
  subject: string,
  onMessage: (message: Msg) => void,
): () => void {
  const subscriber: Subscriber = { subject, onMessage };
  subscribers.add(subscriber);
  if (connection.nats) subscribeTo(connection.nats, subscriber);
  return () => {
    subscribers.delete(subscriber);
    subscriber.subscription?.unsubscribe();
  };
}

async function request(
  { connection, local, localAnswers }: State,
  subject: string,
  message: unknown,
  timeout: number,
): Promise<unknown> {
  if (localAnswers.has(subject)) return local.request(subject, message, timeout);
  // The client of NATS would keep the request and send it after it has reconnected, when nothing waits for the answer.
  if (!connection.up) return undefined;
  const answered = connection.nats?.request(subject, encode(message), { timeout });
  return answered?.then(decode).catch(() => undefined);
}

function addAnswer(state: State, subject: string, answer: Answer): () => void {
  const { local, localAnswers } = state;
  localAnswers.set(subject, answer);
  const unsubscribers = [
    local.answer(subject, answer),
    listen(state, subject, (message) => void reply(message, answer)),
  ];
  return () => {
    if (localAnswers.get(subject) === answer) localAnswers.delete(subject);
    unsubscribers.forEach((unsubscribe) => unsubscribe());
  };
}

/** Answers at once when the answer fails, so that the caller does not wait for the timeout. */
async function reply(message: Msg, answer: Answer): Promise<void> {
  try {
    message.respond(encode(await answer(decode(message))));
  } catch {
    message.respond(emptyReply);
  }
}

interface BusConnection {
  /** Undefined until the first connection. */
  nats: NatsConnection | undefined;
  /** Whether NATS is connected now. */
  up: boolean;
  close(): Promise<void>;
}

interface Listeners {
  onState: OnConnectionState;
  onConnected(nats: NatsConnection): void;
  /** Called when NATS is connected after it was not. */
  onGap(): void;
}

/** Tries once before it resolves, and then in the background until it succeeds. */
async function openConnection(
  url: string,
  { onState, onConnected, onGap }: Listeners,
): Promise<BusConnection> {
  const end = new AbortController();
  const connection: BusConnection = {
    nats: undefined,
    up: false,
    async close() {
      end.abort();
      // The connection may be lost without notice: then draining fails.
      if (connection.up) await connection.nats?.drain().catch(() => {});
      await connection.nats?.close();
    },
  };
  const attempt = async (): Promise<unknown> => {
    const nats = await connectOnce(url).catch((error: unknown) => String(error));
    if (typeof nats === 'string') return nats;
    if (end.signal.aborted) return nats.close();
    Object.assign(connection, { nats, up: true });
    onConnected(nats);
    void watchConnection(nats, connection, { onState, onGap });
    return undefined;
  };
  const problem = await attempt();
  const retryUntilConnected = async (): Promise<void> => {
    onState('down', String(problem));
    while (!connection.nats && !end.signal.aborted) {
      await pause(retryMs, undefined, { signal: end.signal, ref: false }).catch(() => {});
      if (!end.signal.aborted) await attempt();
    }
    if (!connection.nats) return;
    onState('up', 'it answers now');
    onGap();
  };
  if (problem !== undefined) void retryUntilConnected();
  return connection;
}

async function connectOnce(url: string): Promise<NatsConnection> {
  const { connect } = await import('@nats-io/transport-node'); // loaded here, because most servers have no bus
  return connect({
    servers: url,
    name: 'drawbridge',
    timeout: connectTimeoutMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: retryMs,
    waitOnFirstConnect: false,
    ...pingOptions,
  });
}

/** Follows the state of the connection and reports when it is lost and when it is back. */
async function watchConnection(
  nats: NatsConnection,
  connection: BusConnection,
  { onState, onGap }: Omit<Listeners, 'onConnected'>,
): Promise<void> {
  for await (const { type } of nats.status()) {
    if (type === 'disconnect' && connection.up) {
      connection.up = false;
      onState('down', 'the connection was lost');
    }
    if (type !== 'reconnect') continue;
    connection.up = true;
    onState('up', 'it answers again');
    onGap();
  }
  connection.up = false;
}
