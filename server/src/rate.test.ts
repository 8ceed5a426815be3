/** How often somebody may do something, and who is forgotten when more come than are remembered. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRate } from './rate.ts';

/** More than are remembered. */
const many = 60_000;

function open() {
  const clock = { ms: 0 };
  const rate = createRate({ perSecond: 0.1, burst: 5 }, () => clock.ms);
  const flood = (name: string, count = many): void => {
    for (let at = 0; at < count; at++) rate.allow(`${name} ${at}`);
  };
  const useUp = (who: string): void => {
    while (rate.allow(who));
  };
  return { clock, rate, flood, useUp };
}

test('so many at once, then so many a second, and what is given back is there again', () => {
  const { clock, rate, useUp } = open();
  useUp('anna');

  assert.deepEqual([rate.wouldAllow('anna'), rate.wouldAllow('bert')], [false, true]);
  clock.ms += 10_000;
  assert.deepEqual([rate.allow('anna'), rate.allow('anna')], [true, false]);
  rate.giveBack('anna');
  assert.deepEqual([rate.allow('anna', 2), rate.allow('anna')], [false, true]);
});

test('names in masses do not make anybody forgotten who has used up more than they', () => {
  const { rate, flood, useUp } = open();
  const people = Array.from({ length: 100 }, (_, at) => `person ${at}`);
  people.forEach(useUp);

  for (let round = 0; round < 3; round++) flood(`round ${round}`);

  assert.deepEqual(
    people.filter((who) => rate.wouldAllow(who)),
    [],
  );
});

test('those who are full again are forgotten first', () => {
  const { clock, rate, flood, useUp } = open();
  useUp('anna');
  flood('passer-by', 49_999);
  clock.ms += 10_000; // all but the first are full again
  flood('twice', 40_000);
  flood('twice', 40_000);

  assert.deepEqual([rate.allow('anna'), rate.allow('anna')], [true, false]);
});

test('what was given back in full takes no place in memory from anybody', () => {
  const { rate, flood } = open();
  rate.allow('anna', 4);
  flood('once', 49_999);
  for (let at = 0; at < many; at++) {
    rate.allow(`back ${at}`);
    rate.giveBack(`back ${at}`);
  }

  assert.deepEqual([rate.allow('anna'), rate.allow('anna')], [true, false]);
});
