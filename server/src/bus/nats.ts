/** The bus over NATS, for a service that runs in several processes. It carries questions and hints, never the truth. */
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import type { Bus } from './bus.ts';
import { memoryBus } from './memory.ts';

const encode = (message: unknown): string => JSON.stringify(message ?? null);
const decode = (message: Msg): unknown => message.json() ?? undefined;
/** What stands for no answer. */
const nothing = '';

/** How soon a connection that has died without a word is noticed. */
const pings = { pingInterval: 5_000, maxPingOut: 2 };
/** How long a server that starts waits for NATS before it goes on without. */
const patienceMs = 3_000;
const retryMs = 500;

/** What the operator should hear: that the line to NATS is broken, or that it stands. */
export type OnLine = (state: 'up' | 'down', reason: string) => void;

/** Somebody who listens, also while there is no NATS to listen to. */
interface Ear {
  subject: string;
  each(message: Msg): void;
  subscription?: Subscription;
}

/** Resolves without NATS too: then it is tried on and on, and until it is there nobody is reached outside this process. */
export async function natsBus(url: string, onLine: OnLine = () => {}): Promise<Bus> {
  const gapListeners: (() => void)[] = [];
  const ears = new Set<Ear>();
  const hear = (ear: Ear, nats: NatsConnection): void =>
    void (ear.subscription = nats.subscribe(ear.subject, {
      callback: (error, message) => void (error ?? ear.each(message)),
    }));
  const line = await openLine(url, {
    onLine,
    onFirst: (nats) => ears.forEach((ear) => hear(ear, nats)),
    onGap: () => gapListeners.forEach((listener) => listener()),
  });
  // Who answers in this process is asked directly, so that the work of one node needs no other and no NATS.
  const near = memoryBus();
  const here = new Map<string, unknown>();

  const listen = (subject: string, each: (message: Msg) => void): (() => void) => {
    const ear: Ear = { subject, each };
    ears.add(ear);
    if (line.nats) hear(ear, line.nats);
    return () => {
      ears.delete(ear);
      ear.subscription?.unsubscribe();
    };
  };

  return {
    publish: (subject, message) => void (line.up && line.nats?.publish(subject, encode(message))),
    subscribe: (subject, listener) => listen(subject, (message) => listener(decode(message))),
    async request(subject, message, timeout) {
      if (here.has(subject)) return near.request(subject, message, timeout);
      // What is sent into a broken line is kept and arrives when it is mended: too late, as nobody waits any more.
      if (!line.up) return undefined;
      const answered = line.nats?.request(subject, encode(message), { timeout });
      return answered?.then(decode).catch(() => undefined);
    },
    answer(subject, answer) {
      here.set(subject, answer);
      const deaf = [near.answer(subject, answer), listen(subject, (message) => void reply(message, answer))];
      return () => {
        if (here.get(subject) === answer) here.delete(subject);
        deaf.forEach((each) => each());
      };
    },
    onGap: (listener) => void gapListeners.push(listener),
    close: line.close,
  };
}

/** A failure to answer is told at once, so that nobody waits for it in vain. */
async function reply(message: Msg, answer: (message: unknown) => Promise<unknown>): Promise<void> {
  try {
    message.respond(encode(await answer(decode(message))));
  } catch {
    message.respond(nothing);
  }
}

interface Line {
  /** Undefined until it could be reached for the first time. */
  nats: NatsConnection | undefined;
  /** Whether the line stands now. */
  up: boolean;
  close(): Promise<void>;
}

interface Listeners {
  onLine: OnLine;
  onFirst(nats: NatsConnection): void;
  /** The line was broken, or not there yet, and stands now. */
  onGap(): void;
}

/** Tries once before it resolves, and in the background until it worked. */
async function openLine(url: string, { onLine, onFirst, onGap }: Listeners): Promise<Line> {
  const end = new AbortController();
  const line: Line = {
    nats: undefined,
    up: false,
    async close() {
      end.abort();
      // The line may be broken without anybody having noticed yet: then nothing can be drained.
      if (line.up) await line.nats?.drain().catch(() => {});
      await line.nats?.close();
    },
  };
  const attempt = async (): Promise<unknown> => {
    const nats = await dial(url).catch((error: unknown) => String(error));
    if (typeof nats === 'string') return nats;
    if (end.signal.aborted) return nats.close();
    Object.assign(line, { nats, up: true });
    onFirst(nats);
    void watchLine(nats, line, { onLine, onGap });
    return undefined;
  };
  const problem = await attempt();
  const tryOn = async (): Promise<void> => {
    onLine('down', String(problem));
    while (!line.nats && !end.signal.aborted) {
      await pause(retryMs, undefined, { signal: end.signal, ref: false }).catch(() => {});
      if (!end.signal.aborted) await attempt();
    }
    if (!line.nats) return;
    onLine('up', 'it answers now');
    onGap();
  };
  if (problem !== undefined) void tryOn();
  return line;
}

const dial = (url: string): Promise<NatsConnection> =>
  connect({
    servers: url,
    name: 'drawbridge',
    timeout: patienceMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: retryMs,
    waitOnFirstConnect: false,
    ...pings,
  });

/** Follows whether the line stands, and calls out when it was broken and stands again. */
async function watchLine(
  nats: NatsConnection,
  line: Line,
  { onLine, onGap }: Omit<Listeners, 'onFirst'>,
): Promise<void> {
  for await (const { type } of nats.status()) {
    if (type === 'disconnect' && line.up) {
      line.up = false;
      onLine('down', 'the connection was lost');
    }
    if (type !== 'reconnect') continue;
    line.up = true;
    onLine('up', 'it answers again');
    onGap();
  }
  line.up = false;
}
