/** Where the agent looks for its server after it was asked to move. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServerAddress } from './server-address.ts';

const [home, there] = ['https://old.example.com', 'https://new.example.com'];
const move = { kind: 'move', after_seconds: 0, server: there } as const;

test('asked to move it looks there once; if nobody it believes is there, it stays at home for good', () => {
  const where = createServerAddress(() => home);
  assert.deepEqual([where.server(), where.mayMove(there)], [home, true]);

  where.connectionEnded({ welcomed: true, move });
  assert.deepEqual([where.server(), where.isKnown()], [there, false]);
  where.connectionEnded({ welcomed: false });

  assert.deepEqual([where.server(), where.isKnown(), where.mayMove(there)], [home, true, false]);
});

test('where it was welcomed it is at home', () => {
  let known = home;
  const where = createServerAddress(() => known);
  where.connectionEnded({ welcomed: true, move });
  known = there;
  where.connectionEnded({ welcomed: true });

  assert.deepEqual([where.server(), where.isKnown(), where.mayMove(there)], [there, true, false]);
});

test('it goes only to whole addresses of https, and not where it is', () => {
  const where = createServerAddress(() => home);
  const bad = [home, 'http://new.example.com', 'https://new.example.com/path', 'wss://x.example', 'x', ''];

  assert.deepEqual(
    bad.filter((to) => where.mayMove(to)),
    [],
  );
});

test('whoever did not welcome the device does not move it', () => {
  const where = createServerAddress(() => home);
  where.connectionEnded({ welcomed: false, move });

  assert.equal(where.server(), home);
});
