/** Tests of which address the agent connects to after the server asked it to move. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServerAddress } from './server-address.ts';

const [home, there] = ['https://old.example.com', 'https://new.example.com'];
const move = { kind: 'move', after_seconds: 0, server: there } as const;

test('the agent tries a new address once; if no trusted server answers, it stays at the known one', () => {
  const address = createServerAddress(() => home);
  assert.deepEqual([address.server(), address.mayMove(there)], [home, true]);

  address.connectionEnded({ welcomed: true, move });
  assert.deepEqual([address.server(), address.isKnown()], [there, false]);
  address.connectionEnded({ welcomed: false });

  assert.deepEqual([address.server(), address.isKnown(), address.mayMove(there)], [home, true, false]);
});

test('an address that accepted the agent becomes the known one', () => {
  let known = home;
  const address = createServerAddress(() => known);
  address.connectionEnded({ welcomed: true, move });
  known = there;
  address.connectionEnded({ welcomed: true });

  assert.deepEqual([address.server(), address.isKnown(), address.mayMove(there)], [there, true, false]);
});

test('the agent moves only to https origins, and not to its current address', () => {
  const address = createServerAddress(() => home);
  const bad = [home, 'http://new.example.com', 'https://new.example.com/path', 'wss://x.example', 'x', ''];

  assert.deepEqual(
    bad.filter((to) => address.mayMove(to)),
    [],
  );
});

test('a server that did not accept the device cannot move it', () => {
  const address = createServerAddress(() => home);
  address.connectionEnded({ welcomed: false, move });

  assert.equal(address.server(), home);
});
