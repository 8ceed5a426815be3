/** Passwords: what is stored, what is accepted, and that a rush of guesses waits or is turned away. */
import { isFault } from '@drawbridge/contract/faults';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { burnPassword, createTurns, hashPassword, unlessCrowded, verifyPassword } from './passwords.ts';

test('a stored password names its algorithm and cost and never the password', async () => {
  const stored = await hashPassword('correct horse 1');

  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
});

test('the right password is accepted and a wrong one is not', async () => {
  const stored = await hashPassword('correct horse 1');

  assert.equal(await verifyPassword('correct horse 1', stored), true);
  assert.equal(await verifyPassword('correct horse 2', stored), false);
  assert.equal(await verifyPassword('', stored), false);
});

test('the same password is stored differently each time', async () => {
  assert.notEqual(await hashPassword('correct horse 1'), await hashPassword('correct horse 1'));
});

test('a password typed with composed or with separate accents is the same password', async () => {
  assert.equal(await verifyPassword('cafe\u0301 2026', await hashPassword('caf\u00e9 2026')), true);
});

test('hashes made by another argon2 program are understood, also with other costs', async () => {
  // From the reference implementation: echo -n password | argon2 somesalt -id -t 2 -k 256 -p 1 -l 32 -e
  const reference = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';

  assert.equal(await verifyPassword('password', reference), true);
  assert.equal(await verifyPassword('differentpassword', reference), false);
});

test('a damaged or dangerous stored password is an error, never a match', async () => {
  const tag = 'nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  const bad = [
    '',
    'password',
    `$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$${tag}`,
    '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$',
    `$argon2id$v=19$m=999999999,t=2,p=1$c29tZXNhbHQ$${tag}`,
    `$argon2id$v=19$m=256,t=999,p=1$c29tZXNhbHQ$${tag}`,
  ];

  for (const phc of bad) await assert.rejects(verifyPassword('password', phc), /stored password/, phc);
});

test('an unknown link costs the same work as a known one and is never accepted', async () => {
  const stored = await hashPassword('correct horse 1');
  const timed = async (work: () => Promise<boolean>): Promise<number> => {
    const before = process.cpuUsage();
    assert.equal(await work(), false);
    const used = process.cpuUsage(before);
    return used.user + used.system;
  };
  const known: number[] = [];
  const unknown: number[] = [];

  for (let round = 0; round < 7; round += 1) {
    known.push(await timed(() => verifyPassword('wrong horse 1', stored)));
    unknown.push(await timed(burnPassword));
  }

  const ratio = Math.min(...unknown) / Math.min(...known);
  assert.ok(ratio > 0.6 && ratio < 1.7, `the unknown took ${ratio.toFixed(2)} of the known`);
});

test('only two passwords are worked on at once, the others wait in order', async () => {
  const inTurn = createTurns({ atOnce: 2, waiting: 10 });
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const all = gates.map((gate, n) => inTurn(() => (begun.push(n), gate.promise)));
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  await settled();
  assert.deepEqual(begun, [0, 1]);
  gates[1]!.resolve();
  await settled();
  assert.deepEqual(begun, [0, 1, 2]);
  for (const gate of gates) gate.resolve();
  await Promise.all(all);

  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
});

test('a place is given back when the work fails', async () => {
  const inTurn = createTurns({ atOnce: 1, waiting: 1 });

  await assert.rejects(
    inTurn(() => Promise.reject(new Error('no memory'))),
    /no memory/,
  );

  assert.equal(await inTurn(async () => 'done'), 'done');
});

test('past the limit of those waiting the next one is asked at once to come back later', async () => {
  const inTurn = createTurns({ atOnce: 1, waiting: 2 });
  const gate = Promise.withResolvers<void>();
  const admitted = [1, 2, 3].map(() => inTurn(() => gate.promise));

  const answer = await unlessCrowded(() => inTurn(async () => true));

  assert.equal(isFault(answer) && answer.fault, 'busy');
  gate.resolve();
  await Promise.all(admitted);
});

test('other failures of a check stay failures', async () => {
  await assert.rejects(
    unlessCrowded(() => verifyPassword('anything', 'no hash')),
    /no argon2id PHC string/,
  );
});
