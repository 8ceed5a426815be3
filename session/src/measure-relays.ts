/** Measures the round trips to relays: a few small messages to each, all relays at the same time, within a short time. */
import {
  echoReply,
  echoRequest,
  maxEchoes,
  type RelayOffer,
  type RoundTrip,
} from '@drawbridge/contract/session/round-trips';
import type { Clock } from './ports.ts';

interface EchoListener {
  onOpen(): void;
  onText(text: string): void;
  onClose(): void;
}

/** Opens a WebSocket to a relay for text messages. */
export type OpenEcho = (url: string, listener: EchoListener) => { send(text: string): void; close(): void };

const timeoutMs = 1_500;
/** One that is slower is not near. */
const maxMs = 60_000;

/** Resolves to the shortest round trip of each relay that answered; the others are left out. */
export async function measureRelays(
  offers: readonly RelayOffer[],
  openEcho: OpenEcho,
  clock: Clock,
): Promise<RoundTrip[]> {
  const measured = await Promise.all(
    offers.map((offer) => measure(offer, openEcho, clock).catch(() => undefined)),
  );
  return measured.flatMap((each) => each ?? []);
}

/** Rejects if the WebSocket cannot even be created. */
async function measure(
  { name, url }: RelayOffer,
  openEcho: OpenEcho,
  clock: Clock,
): Promise<RoundTrip | undefined> {
  const { promise, resolve } = Promise.withResolvers<RoundTrip | undefined>();
  const times: number[] = [];
  let sentAt = 0;
  const ask = (): void => {
    sentAt = clock.now();
    socket.send(echoRequest);
  };
  let isOver = false;
  const finish = (): void => {
    if (isOver) return;
    isOver = true;
    stopTimer();
    socket.close();
    const ms = Math.round(Math.min(...times));
    resolve(times.length === 0 || ms > maxMs ? undefined : { name, ms });
  };
  const socket = openEcho(url, {
    onOpen: ask,
    onText(text) {
      if (isOver) return;
      if (text !== echoReply) return finish();
      times.push(clock.now() - sentAt);
      if (times.length < maxEchoes) ask();
      else finish();
    },
    onClose: finish,
  });
  const stopTimer = clock.after(timeoutMs, finish);
  return await promise;
}
