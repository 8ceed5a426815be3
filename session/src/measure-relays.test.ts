/** Measuring relays: the shortest of a few round trips, and nothing from a relay that does not answer as one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureRelays, type OpenEcho } from './measure-relays.ts';
import type { Clock } from './ports.ts';

/** A clock that stands still until something moves it. */
function createFakeClock() {
  const timers: { at: number; call(): void }[] = [];
  let now = 0;
  const clock: Clock = {
    now: () => now,
    every: () => () => {},
    after(ms, call) {
      const timer = { at: now + ms, call };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  };
  const advance = (ms: number): void => {
    now += ms;
    for (const { at, call } of timers.slice()) if (at <= now) call();
  };
  return { clock, advance };
}

/** Relays by URL: the milliseconds of each answer, or what they say instead of `pong`. */
const echoOf =
  (relays: Record<string, { ms?: number[]; says?: string }>, advance: (ms: number) => void): OpenEcho =>
  (url, listener) => {
    const { ms, says = 'pong' } = relays[url] ?? {};
    const times = [...(ms ?? [])];
    if (ms) queueMicrotask(listener.onOpen);
    const send = (): void => {
      const next = times.shift();
      if (next === undefined) return;
      queueMicrotask(() => {
        advance(next);
        listener.onText(says);
      });
    };
    return { send, close: () => queueMicrotask(listener.onClose) };
  };

const offer = (name: string) => ({ name, url: `wss://${name}.example.com/relay` });

test('the shortest of four round trips counts', async () => {
  const { clock, advance } = createFakeClock();
  const relays = { 'wss://a.example.com/relay': { ms: [90, 31, 30.6, 45] } };

  assert.deepEqual(await measureRelays([offer('a')], echoOf(relays, advance), clock), [
    { name: 'a', ms: 31 },
  ]);
});

test('a relay that is silent, or answers something else, is left out', async () => {
  const { clock, advance } = createFakeClock();
  const relays = { 'wss://a.example.com/relay': { ms: [5], says: 'paired' } };

  const measured = measureRelays([offer('a'), offer('b')], echoOf(relays, advance), clock);
  await Promise.resolve();
  advance(1_500);

  assert.deepEqual(await measured, []);
});

test('a relay that answers once before the time is over counts', async () => {
  const { clock, advance } = createFakeClock();
  const relays = { 'wss://a.example.com/relay': { ms: [7] } };

  const measured = measureRelays([offer('a')], echoOf(relays, advance), clock);
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  advance(1_500);

  assert.deepEqual(await measured, [{ name: 'a', ms: 7 }]);
});

test('a relay whose WebSocket cannot be created is left out', async () => {
  const { clock, advance } = createFakeClock();
  const relays = { 'wss://a.example.com/relay': { ms: [7, 7, 7, 7] } };
  const open = echoOf(relays, advance);
  const openSome: OpenEcho = (url, listener) => {
    if (url === offer('b').url) throw new SyntaxError('The URL is invalid.');
    return open(url, listener);
  };

  const measured = await measureRelays([offer('b'), offer('a')], openSome, clock);
  advance(1_500);

  assert.deepEqual(measured, [{ name: 'a', ms: 7 }]);
});
