/** Passwords: what is stored, what is accepted, and that too many guesses at once are refused. */
import { isFault } from '@drawbridge/contract/faults';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeVerify, hashPassword, verifyPassword, type PasswordMatch } from './passwords.ts';

const queueKey = '192.0.2.1';

async function hash(password: string): Promise<string> {
  const stored = await hashPassword(password, queueKey);
  assert.ok(!isFault(stored));
  return stored;
}

test('a stored password contains its algorithm and cost and not the password', async () => {
  const stored = await hash('correct horse 1');

  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
});

test('the right password is accepted and a wrong one is not', async () => {
  const stored = await hash('correct horse 1');

  assert.equal(await verifyPassword('correct horse 1', stored, queueKey), 'right');
  assert.equal(await verifyPassword('correct horse 2', stored, queueKey), 'wrong');
  assert.equal(await verifyPassword('', stored, queueKey), 'wrong');
});

test('the same password is stored differently each time', async () => {
  assert.notEqual(await hash('correct horse 1'), await hash('correct horse 1'));
});

test('a password with composed or separate accents is the same password', async () => {
  assert.equal(await verifyPassword('cafe\u0301 2026', await hash('caf\u00e9 2026'), queueKey), 'right');
});

test('hashes of another argon2 program are accepted, also with other costs', async () => {
  // From the reference implementation: echo -n password | argon2 somesalt -id -t 2 -k 256 -p 1 -l 32 -e
  const reference = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';

  assert.equal(await verifyPassword('password', reference, queueKey), 'right');
  assert.equal(await verifyPassword('differentpassword', reference, queueKey), 'wrong');
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

  for (const phc of bad)
    await assert.rejects(verifyPassword('password', phc, queueKey), /stored password/, phc);
});

test('a fake check costs the same work as a real one and is never accepted', async () => {
  const stored = await hash('correct horse 1');
  const timed = async (work: () => Promise<PasswordMatch>): Promise<number> => {
    const before = process.cpuUsage();
    assert.equal(await work(), 'wrong');
    const used = process.cpuUsage(before);
    return used.user + used.system;
  };
  const known: number[] = [];
  const unknown: number[] = [];

  for (let round = 0; round < 7; round += 1) {
    known.push(await timed(() => verifyPassword('wrong horse 1', stored, queueKey)));
    unknown.push(await timed(() => fakeVerify(queueKey)));
  }

  const ratio = Math.min(...unknown) / Math.min(...known);
  assert.ok(ratio > 0.6 && ratio < 1.7, `the unknown took ${ratio.toFixed(2)} of the known`);
});

test('when too many checks of one network wait, the next is told to retry in a few seconds', async () => {
  const all = Array.from({ length: 60 }, () => fakeVerify('flood'));

  const elsewhere = await fakeVerify(queueKey);

  assert.equal(elsewhere, 'wrong');
  const refused = (await Promise.all(all)).filter((answer) => isFault(answer));
  // Two run and thirty-two wait.
  assert.deepEqual([refused.length, refused[0]?.fault, refused[0]?.retryAfter], [26, 'busy', 5]);
});
