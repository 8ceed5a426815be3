/** The bus over NATS, for a service that runs in several processes. It carries questions and hints, never the truth. */
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import type { Bus } from './bus.ts';
import { createMemoryBus } from './memory.ts';

const encode = (message: unknown): string => JSON.stringify(message ?? null);
const decode = (message: Msg): unknown => message.json() ?? undefined;
/** What stands for no answer. */
const emptyReply = '';

/** How soon a connection that has died without a word is noticed. */
const pingOptions = { pingInterval: 5_000, maxPingOut: 2 };
/** How long a server that starts waits for NATS before it goes on without. */
const connectTimeoutMs = 3_000;
const retryMs = 500;

/** What the operator should hear: that the line to NATS is broken, or that it stands. */
export type OnConnectionState = (state: 'up' | 'down', reason: string) => void;

/** Somebody who listens, also while there is no NATS to listen to. */
interface Subscriber {
  subject: string;
  onMessage(message: Msg): void;
  subscription?: Subscription;
}

/** Resolves without NATS too: then it is tried on and on, and until it is there nobody is reached outside this process. */
export async function openNatsBus(url: string, onState: OnConnectionState = () => {}): Promise<Bus> {
  const gapListeners: (() => void)[] = [];
  const subscribers = new Set<Subscriber>();
  const subscribeTo = (subscriber: Subscriber, nats: NatsConnection): void =>
    void (subscriber.subscription = nats.subscribe(subscriber.subject, {
      callback: (error, message) => void (error ?? subscriber.onMessage(message)),
    }));
  const connection = await openConnection(url, {
    onState,
    onConnected: (nats) => subscribers.forEach((subscriber) => subscribeTo(subscriber, nats)),
    onGap: () => gapListeners.forEach((listener) => listener()),
  });
  // Who answers in this process is asked directly, so that the work of one node needs no other and no NATS.
  const local = createMemoryBus();
  const localAnswers = new Map<string, unknown>();

  const listen = (subject: string, each: (message: Msg) => void): (() => void) => {
    const subscriber: Subscriber = { subject, onMessage: each };
    subscribers.add(subscriber);
    if (connection.nats) subscribeTo(subscriber, connection.nats);
    return () => {
      subscribers.delete(subscriber);
      subscriber.subscription?.unsubscribe();
    };
  };

  return {
    publish: (subject, message) => void (connection.up && connection.nats?.publish(subject, encode(message))),
    subscribe: (subject, listener) => listen(subject, (message) => listener(decode(message))),
    async request(subject, message, timeout) {
      if (localAnswers.has(subject)) return local.request(subject, message, timeout);
      // What is sent into a broken line is kept and arrives when it is mended: too late, as nobody waits any more.
      if (!connection.up) return undefined;
      const answered = connection.nats?.request(subject, encode(message), { timeout });
      return answered?.then(decode).catch(() => undefined);
    },
    answer(subject, answer) {
      localAnswers.set(subject, answer);
      const unsubscribers = [
        local.answer(subject, answer),
        listen(subject, (message) => void reply(message, answer)),
      ];
      return () => {
        if (localAnswers.get(subject) === answer) localAnswers.delete(subject);
        unsubscribers.forEach((each) => each());
      };
    },
    onGap: (listener) => void gapListeners.push(listener),
    close: connection.close,
  };
}

/** A failure to answer is told at once, so that nobody waits for it in vain. */
async function reply(message: Msg, answer: (message: unknown) => Promise<unknown>): Promise<void> {
  try {
    message.respond(encode(await answer(decode(message))));
  } catch {
    message.respond(emptyReply);
  }
}

interface BusConnection {
  /** Undefined until it could be reached for the first time. */
  nats: NatsConnection | undefined;
  /** Whether the line stands now. */
  up: boolean;
  close(): Promise<void>;
}

interface Listeners {
  onState: OnConnectionState;
  onConnected(nats: NatsConnection): void;
  /** The line was broken, or not there yet, and stands now. */
  onGap(): void;
}

/** Tries once before it resolves, and in the background until it worked. */
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
      // The line may be broken without anybody having noticed yet: then nothing can be drained.
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

const connectOnce = (url: string): Promise<NatsConnection> =>
  connect({
    servers: url,
    name: 'drawbridge',
    timeout: connectTimeoutMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: retryMs,
    waitOnFirstConnect: false,
    ...pingOptions,
  });

/** Follows whether the line stands, and calls out when it was broken and stands again. */
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
