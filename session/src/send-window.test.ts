/** The window of file transfers, on routes that are simulated with a clock of their own: no timing decides. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSendWindow, type WindowShare } from './send-window.ts';

interface Route {
  /** Bytes that its slowest part handles in a millisecond. */
  rate: number;
  /** Milliseconds of an empty frame and its acknowledgement. */
  roundTrip: number;
  /** Other work of the receiver: for so many milliseconds of every fifty it handles nothing. */
  busyMs?: number;
  /** What each chunk costs the receiver, however small it is. */
  chunkMs?: number;
}

interface Transfer {
  share: WindowShare;
  end: number;
}

/** Moves files over the route for some seconds; `longest` is what an input frame would have waited behind chunks after a second. */
async function simulate(route: Route, seconds: number, transfers = 1) {
  const events: { at: number; run(): void }[] = [];
  let [time, freeAt, handled, longest] = [0, 0, 0, 0];
  const window = createSendWindow(() => time);
  const send = async (transfer: Transfer): Promise<void> => {
    for (let bytes = await transfer.share.reserve(); bytes > 0; bytes = await transfer.share.reserve()) {
      const start = notBusy(Math.max(freeAt, time + route.roundTrip / 2), route.busyMs);
      freeAt = start + (route.chunkMs ?? 0) + bytes / route.rate;
      const end = (transfer.end += bytes);
      transfer.share.sent(bytes, end);
      if (time > 1_000) longest = Math.max(longest, freeAt - time - route.roundTrip / 2);
      const run = (): void => {
        handled += bytes;
        transfer.share.acknowledge(end);
      };
      events.push({ at: freeAt + route.roundTrip / 2, run });
    }
  };
  const all = Array.from({ length: transfers }, () => ({ share: window.join(), end: 0 }));
  all.forEach((each) => void send(each));
  await settled();
  while (time < seconds * 1_000 && events.length > 0) {
    events.sort((a, b) => a.at - b.at);
    const { at, run } = events.shift()!;
    time = at;
    run();
    await settled();
  }
  return { rate: handled / time, longest, sent: all.map(({ end }) => end) };
}

const notBusy = (at: number, busyMs = 0): number => Math.max(at, Math.floor(at / 50) * 50 + busyMs);
/** Lets the senders that were admitted go on. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const routes: [string, Route, number][] = [
  ['a fast loopback connection', { rate: 60_000, roundTrip: 2 }, 15],
  ['a loopback connection', { rate: 20_000, roundTrip: 2 }, 15],
  ['a fast route across a continent', { rate: 10_000, roundTrip: 80 }, 60],
  ['a line of 8 Mbit/s', { rate: 1_000, roundTrip: 50 }, 60],
  ['a line of 1 Mbit/s', { rate: 125, roundTrip: 30 }, 60],
];

for (const [name, route, mostMs] of routes)
  test(`${name} is used well, and an input frame waits at most ${mostMs} ms behind file chunks`, async () => {
    const { rate, longest } = await simulate(route, 20);

    assert.ok(rate > 0.9 * route.rate, `${rate} of ${route.rate} bytes per ms`);
    assert.ok(longest < mostMs, `${longest} ms`);
  });

test('a receiver that is busy with other work half of the time still gets half of what it can handle', async () => {
  const route = { rate: 20_000, roundTrip: 2, busyMs: 25 };

  const { rate } = await simulate(route, 10);

  assert.ok(rate > 0.45 * route.rate, `${rate} of ${route.rate} bytes per ms`);
});

test('a busy receiver to which every chunk is expensive gets large ones', async () => {
  const { rate } = await simulate({ rate: 20_000, roundTrip: 2, busyMs: 25, chunkMs: 1 }, 10);

  assert.ok(rate > 5_000, `${rate} bytes per ms`);
});

test('a fast receiver to which every chunk is expensive gets chunks of more than 64 KB', async () => {
  const route = { rate: 100_000, roundTrip: 2, chunkMs: 1 };

  const { rate, longest } = await simulate(route, 10);

  assert.ok(rate > 55_000, `${rate} bytes per ms`);
  assert.ok(longest < 20, `${longest} ms`);
});

test('transfers share the window and take turns', async () => {
  const { sent, longest } = await simulate({ rate: 20_000, roundTrip: 2 }, 5, 4);

  assert.ok(longest < 20, `${longest} ms`);
  assert.ok(Math.max(...sent) < 1.1 * Math.min(...sent), sent.join(', '));
});

test('without acknowledgements only the first window is sent, and a stopped transfer makes room for the next', async () => {
  const window = createSendWindow(() => 0);
  const [stopped, next] = [window.join(), window.join()];
  for (let end = 2_048; end <= 16_384; end += 2_048) stopped.sent(await stopped.reserve(), end);
  const [refused, granted] = [stopped.reserve(), next.reserve()];
  assert.equal(window.inFlight(), 16_384);

  stopped.leave();

  assert.equal(await refused, 0);
  assert.equal(await granted, 2_048);
  assert.equal(await stopped.reserve(), 0);
  next.leave();
  assert.equal(window.inFlight(), 0);
});

test('an acknowledgement of more than was sent frees only what was sent', async () => {
  const window = createSendWindow(() => 0);
  const share = window.join();
  const bytes = await share.reserve();
  share.sent(bytes, bytes);

  share.acknowledge(1e9);
  share.acknowledge(1e9);

  assert.equal(window.inFlight(), 0);
});
