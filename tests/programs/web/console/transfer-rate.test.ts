/** The rate of a transfer and the time that is left, with a clock of their own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateMeter, secondsLeft } from '@drawbridge/web/console/panels/files/transfer-rate';
import { shortDuration } from '@drawbridge/web/ui/readable';

test('the rate counts from where the transfer started, follows changes, and falls while nothing arrives', () => {
  let time = 0;
  const meter = createRateMeter(() => time);
  const run = (ms: number, from: number, bytesPerMs: number): number => {
    for (let at = 0; at < ms; at += 10) {
      time += 10;
      meter.record(from + (at + 10) * bytesPerMs);
    }
    return from + ms * bytesPerMs;
  };
  assert.equal(meter.bytesPerSecond(), undefined);
  meter.record(1_000_000);
  assert.equal(meter.bytesPerSecond(), undefined, 'what an earlier attempt left is not progress');

  const first = run(2_000, 1_000_000, 100);
  assert.equal(meter.bytesPerSecond(), 100_000);
  run(20_000, first, 10);
  const slow = meter.bytesPerSecond()!;
  time += 60_000;

  assert.ok(slow > 9_000 && slow < 11_000, `${slow}`);
  assert.ok(meter.bytesPerSecond()! < 1_000);
});

test('the time left needs a size and movement', () => {
  assert.equal(secondsLeft({ bytes: 10, size: 110 }, 25), 4);
  assert.equal(secondsLeft({ bytes: 10, size: undefined }, 25), undefined);
  assert.equal(secondsLeft({ bytes: 10, size: 110 }, 0), undefined);
  assert.deepEqual([5, 65, 3_725].map(shortDuration), ['5 s', '1 min 5 s', '1 h 2 min']);
});
