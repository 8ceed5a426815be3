/** Guess limits: what counts for whom, and who is not limited by the guesses of others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGuessLimiter, type GuessLimits } from './guess-limiter.ts';

const limits: GuessLimits = {
  perNetwork: { perSecond: 1, burst: 20 },
  perPair: { perSecond: 0.1, burst: 5 },
  total: { perSecond: 0.1, burst: 8 },
  reserve: { perNetwork: { perSecond: 0.01, burst: 2 } },
  trustsNetworks: true,
};
const [link, home] = ['desk', '192.0.2.1'];
const network = (number: number): string => `2001:db8:${number.toString(16)}::1`;

function open(some: Partial<GuessLimits> = {}) {
  const clock = { ms: 0 };
  const limiter = createGuessLimiter({ ...limits, ...some }, () => clock.ms);
  const isOpen = (address: string, secret = link): boolean =>
    limiter.guess([secret], address).allowed.length > 0;
  const allowed = (count: number, address: (at: number) => string): number =>
    Array.from({ length: count }, (_, at) => isOpen(address(at))).filter(Boolean).length;
  return { limiter, clock, isOpen, allowed };
}

test('one network can guess a secret a few times, then slowly; other secrets and networks are not affected', () => {
  const { clock, isOpen, allowed } = open();

  assert.equal(
    allowed(100, () => home),
    5,
  );
  assert.deepEqual([isOpen(home), isOpen(home, 'other'), isOpen('192.0.2.2')], [false, true, true]);
  clock.ms += 10_000;
  assert.deepEqual([isOpen(home), isOpen(home)], [true, false]);
});

test('addresses of one network count together, and so do its guesses at all secrets', () => {
  const { limiter, allowed } = open();

  assert.equal(
    allowed(100, (at) => `2001:db8::${at.toString(16)}`),
    5,
  );
  const all = Array.from({ length: 100 }, (_, at) => limiter.guess([`secret ${at}`], home).allowed.length);
  assert.equal(all.filter((count) => count > 0).length, 20);
});

test('when the total is used up, a network that has not guessed yet still has guesses of its own', () => {
  const { allowed, isOpen } = open();

  assert.equal(
    allowed(8, (at) => `198.51.100.${at}`),
    8,
  );
  assert.equal(
    allowed(100, (at) => `203.0.113.${at % 10}`),
    20,
  );
  assert.deepEqual([isOpen(home), isOpen(home), isOpen(home)], [true, true, false]);
});

test('networks within one /48 share the guesses of the reserve', () => {
  const { allowed } = open();
  allowed(8, (at) => `198.51.100.${at}`);

  assert.equal(
    allowed(100, (at) => `2001:db8:ffff:${at.toString(16)}::1`),
    2,
  );
  assert.equal(allowed(10, network), 10);
});

test('a right guess does not count, whichever budget it was taken from', () => {
  const { limiter, allowed } = open();
  for (let count = 0; count < 100; count++) limiter.guess([link], home).confirm([link]);
  allowed(8, (at) => `198.51.100.${at}`);
  for (let count = 0; count < 100; count++) {
    const guess = limiter.guess([link], '192.0.2.9');
    assert.deepEqual(guess.allowed, [link]);
    guess.confirm([link]);
  }
});

test('once a network has guessed right, the guesses of others no longer limit it', () => {
  const [{ limiter, allowed }, wary] = [
    open({ reserve: { perNetwork: { perSecond: 0, burst: 0 } } }),
    open({ trustsNetworks: false }),
  ];
  limiter.guess([link], home).confirm([link]);
  wary.limiter.guess([link], home).confirm([link]);
  allowed(100, network);
  wary.allowed(100, network);

  assert.equal(
    allowed(100, () => home),
    5,
  );
  assert.equal(
    wary.allowed(100, () => home),
    2,
  );
});

test('a network that is known to have guessed a secret right before is not limited by others at that secret', () => {
  const { limiter, allowed } = open({ trustsNetworks: false });
  allowed(100, network);

  const mine = limiter.guess(['desk', 'other'], '192.0.2.7', { trusted: ['desk'] });
  assert.deepEqual(mine.allowed, ['desk', 'other']);
  for (let count = 0; count < 4; count++)
    assert.equal(limiter.guess([link], '192.0.2.7', { trusted: [link] }).allowed.length, 1);
  assert.deepEqual(limiter.guess([link], '192.0.2.7', { trusted: [link] }).allowed, []);
});

test('the reserve has a total limit, and a guess that it refuses does not count for its network', () => {
  const reserve = { perNetwork: { perSecond: 0, burst: 2 }, total: { perSecond: 0.1, burst: 6 } };
  const { clock, allowed, isOpen } = open({ reserve, total: { perSecond: 0, burst: 0 } });

  assert.deepEqual([allowed(4, () => home), allowed(100, network)], [2, 4]);
  assert.equal(isOpen('192.0.2.8'), false);
  clock.ms += 20_000;
  assert.deepEqual([isOpen('192.0.2.8'), isOpen('192.0.2.8'), isOpen('192.0.2.8')], [true, true, false]);
});

test('of guesses at several secrets, only the wrong ones count', () => {
  const { limiter } = open();
  for (let count = 0; count < 5; count++) limiter.guess(['mine', 'yours'], home).confirm(['mine']);

  assert.deepEqual(limiter.guess(['mine', 'yours'], home).allowed, ['mine']);
});

test('a guess that was undone does not count', () => {
  const { limiter, isOpen } = open();
  for (let count = 0; count < 100; count++) limiter.guess([link], home).undo();

  assert.equal(isOpen(home), true);
});

test('of several secrets, those that were not compared do not count, and the others and the network do', () => {
  const { limiter } = open();
  for (let count = 0; count < 5; count++) limiter.guess(['compared', 'not'], home).undo(['not']);
  const { allowed } = limiter.guess(['compared', 'not'], home);
  const others = Array.from({ length: 100 }, (_, at) => limiter.guess([`other ${at}`], home)).filter(
    (guess) => guess.allowed.length > 0,
  ).length;

  assert.deepEqual(allowed, ['not']);
  assert.ok(others < 100 - 5, `${others} more guesses`);
});

test('all networks within an IPv6 /48 together have five times the guesses of one, and others are not affected', () => {
  const { limiter, clock } = open();
  const guesses = (): number =>
    Array.from({ length: 1_000 }, (_, at) =>
      limiter.guess([`secret ${at}`], `2001:db8:5:${at.toString(16)}::1`),
    ).filter((guess) => guess.allowed.length > 0).length;

  assert.equal(guesses(), 100);
  clock.ms += 10_000;
  assert.equal(guesses(), 50);
  assert.deepEqual(limiter.guess([link], '2001:db8:6::1').allowed, [link]);
});

test('unknown names are refused after as many guesses as real ones, and do not evict the counts of real ones', () => {
  const { limiter, clock } = open();
  const at = (secret: string, areUnknown: boolean, address = home): boolean =>
    limiter.guess([secret], address, { areUnknown }).allowed.length > 0;
  const moments = [true, false].map((areUnknown) =>
    Array.from({ length: 9 }, () => at(`name ${areUnknown}`, areUnknown, areUnknown ? home : '192.0.2.2')),
  );
  assert.deepEqual(moments[0], moments[1]);

  // More names than are remembered, each used up later, as far as one network can do that.
  clock.ms += 1_000;
  for (let name = 0; name < 52_000; name++)
    for (let count = 0; count < 6; count++) at(`made up ${name}`, true, network(name % 60_000));

  assert.equal(at('name false', false, '192.0.2.2'), false);
});
