/** The bus over NATS, for a service that runs in several processes. It carries questions and hints, never the truth. */
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { Bus } from './bus.ts';
import { memoryBus } from './memory.ts';

const encode = (message: unknown): string => JSON.stringify(message ?? null);
const decode = (message: Msg): unknown => message.json() ?? undefined;
/** What stands for no answer. */
const nothing = '';

/** How soon a connection that has died without a word is noticed. */
const pings = { pingInterval: 5_000, maxPingOut: 2 };

export async function natsBus(url: string): Promise<Bus> {
  const nats = await connect({
    servers: url,
    name: 'drawbridge',
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    waitOnFirstConnect: false,
    ...pings,
  });
  const gapListeners: (() => void)[] = [];
  const line = watchLine(nats, () => gapListeners.forEach((listener) => listener()));
  // Who answers in this process is asked directly, so that the work of one node needs no other and no NATS.
  const near = memoryBus();
  const here = new Map<string, unknown>();

  const listen = (subject: string, each: (message: Msg) => void): (() => void) => {
    const subscription = nats.subscribe(subject, {
      callback: (error, message) => void (error ?? each(message)),
    });
    return () => subscription.unsubscribe();
  };

  return {
    publish(subject, message) {
      if (line.up) nats.publish(subject, encode(message));
    },
    subscribe: (subject, listener) => listen(subject, (message) => listener(decode(message))),
    async request(subject, message, timeout) {
      if (here.has(subject)) return near.request(subject, message, timeout);
      // What is sent into a broken line is kept and arrives when it is mended: too late, as nobody waits any more.
      if (!line.up) return undefined;
      return nats
        .request(subject, encode(message), { timeout })
        .then(decode)
        .catch(() => undefined);
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
    // The line may have broken without having been noticed yet; a connection that is not closed would try again for ever.
    close: () => (line.up ? nats.drain().catch(() => nats.close()) : nats.close()),
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

/** Whether the line stands; calls out when it was broken and stands again. */
function watchLine(nats: NatsConnection, onGap: () => void): { up: boolean } {
  const line = { up: true };
  const watch = async (): Promise<void> => {
    for await (const { type } of nats.status()) {
      if (type === 'disconnect') line.up = false;
      if (type !== 'reconnect') continue;
      line.up = true;
      onGap();
    }
    line.up = false;
  };
  void watch();
  return line;
}
