/** A node that works on an answer, and one that is frozen. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { busTimeout, nodeUnreachable } from './bus.ts';
import { createRequests } from './nats-requests.ts';

test('a node that says nothing is unreachable long before the time for an answer is over', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { answered } = createRequests('x').begin(10_000);

  t.mock.timers.tick(3_000);

  assert.equal(await answered, nodeUnreachable);
});

test('a node that goes on saying that it is working has the whole time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const requests = createRequests('x');
  const [answering, silent] = [requests.begin(10_000), requests.begin(10_000)];
  for (let second = 1; second < 10; second++) {
    t.mock.timers.tick(1_000);
    await nextTurn();
    for (const { reply } of [answering, silent]) requests.onReply(reply, { working: true, repeats: true });
  }
  requests.onReply(answering.reply, { answer: 'here' });
  t.mock.timers.tick(1_000);

  assert.equal(await answering.answered, 'here');
  assert.equal(await silent.answered, busTimeout);
});

test('a node that freezes while it is working is not waited for, and may have done what it was asked', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const requests = createRequests('x');
  const { reply, answered } = requests.begin(10_000);
  t.mock.timers.tick(1_000);
  requests.onReply(reply, { working: true, repeats: true });
  t.mock.timers.tick(3_000);

  assert.equal(await answered, busTimeout);
});

test('an older node, which says only once that it is working, has the whole time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const requests = createRequests('x');
  const [answering, silent] = [requests.begin(10_000), requests.begin(10_000)];
  t.mock.timers.tick(1_000);
  for (const { reply } of [answering, silent]) requests.onReply(reply, { working: true });
  t.mock.timers.tick(8_000);
  requests.onReply(answering.reply, { answer: 'here' });
  t.mock.timers.tick(1_000);

  assert.equal(await answering.answered, 'here');
  assert.equal(await silent.answered, busTimeout);
});

test('a reply counts for its own request only', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const requests = createRequests('x');
  const [first, second] = [requests.begin(10_000), requests.begin(10_000)];
  requests.onReply(second.reply, { answer: 2 });
  requests.onReply(first.reply, { answer: 1 });
  requests.onReply(first.reply, { answer: 'late' });

  assert.deepEqual(await Promise.all([first.answered, second.answered]), [1, 2]);
});

/** Keeps this process busy while a reply arrives, which is read afterwards. */
function stayBusy(onRead: () => void, tick: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port2.once('message', () => (onRead(), port2.close()));
  port1.postMessage('');
  tick();
}

test('a reply that arrived while this process was busy counts, though its time is over', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const requests = createRequests('x');
  const [late, working] = [requests.begin(1_000), requests.begin(10_000)];
  stayBusy(
    () => {
      requests.onReply(late.reply, { answer: 'read late' });
      requests.onReply(working.reply, { working: true });
    },
    () => t.mock.timers.tick(5_000),
  );

  assert.equal(await late.answered, 'read late');
  requests.onReply(working.reply, { answer: 'here' });
  assert.equal(await working.answered, 'here');
});
