/** Who is let in at the relay, and who meets whom. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { closeCodes } from '@drawbridge/contract/session/close-codes';
import { frameKinds } from '@drawbridge/contract/session/frame-kinds';
import { encodeBody, toBase64url, type Ticket } from '@drawbridge/contract/session/signed';
import { eventually } from '../kit/eventually.ts';
import { createSigner, newPair, startRelay, type Scene } from './kit.ts';

const { refused } = closeCodes;

test('two sides with matching tickets meet, and frames pass both ways unchanged', async () => {
  await using scene = await startRelay();
  const { pair, operator, device } = await scene.meet();

  device.socket.send(Buffer.from([frameKinds.hello.byte, 7, 8, 9]));
  operator.socket.send(Buffer.from([frameKinds.confirm.byte, 1, 2]));

  assert.deepEqual(await operator.got(1), [Buffer.from([frameKinds.hello.byte, 7, 8, 9])]);
  assert.deepEqual(await device.got(1), [Buffer.from([frameKinds.confirm.byte, 1, 2])]);
  assert.deepEqual([operator.texts, device.texts], [['paired'], ['paired']]);
  assert.deepEqual(scene.paired, [pair]);
});

test('it does not matter which side comes first', async () => {
  await using scene = await startRelay();
  const pair = newPair();

  const device = await scene.come({ pair, side: 'device' });
  const operator = await scene.come({ pair, side: 'operator' });

  await Promise.all([operator.paired(), device.paired()]);
  assert.equal(scene.relay.stats().sessions, 1);
});

test('sides of different sessions do not meet', async () => {
  await using scene = await startRelay();
  const first = await scene.meet();
  const second = await scene.meet();

  first.device.send(frameKinds.state.byte, 1);
  second.device.send(frameKinds.state.byte, 2);

  assert.deepEqual(await first.operator.got(1), [Buffer.from([frameKinds.state.byte, 1])]);
  assert.deepEqual(await second.operator.got(1), [Buffer.from([frameKinds.state.byte, 2])]);
});

/** What is shown in the place of a ticket; each must be turned away in the same words. */
const wrong: Record<string, (scene: Scene) => string> = {
  'signed by somebody else': () => createSigner().sign(encodeBody('ticket', honest())),
  'with a changed body': (scene) => {
    const [, signature] = scene.ticket({}).split('.');
    return `${encodeBody('ticket', { ...honest(), side: 'device' })}.${signature}`;
  },
  'signed as a grant': (scene) => scene.signer.sign(encodeBody('ticket', honest()), 'grant'),
  'without a signature': () => encodeBody('ticket', honest()),
  'with an empty signature': () => `${encodeBody('ticket', honest())}.`,
  'with a short signature': () => `${encodeBody('ticket', honest())}.AAAA`,
  'expired a second ago': (scene) => scene.ticket({ exp: honest().exp - 61 }),
  'valid for years': (scene) => scene.ticket({ exp: honest().exp + 100_000_000 }),
  'for a side that does not exist': (scene) => scene.ticket({ side: 'server' as 'device' }),
  'for a pair that can not be one': (scene) => scene.ticket({ pair: 'short' }),
  'of another version': (scene) => scene.ticket({ v: 2 as 1 }),
  'without permissions': (scene) => scene.ticket({ permissions: undefined as unknown as string[] }),
  'that is no JSON': (scene) => scene.signer.sign(toBase64url(Buffer.from('{'))),
  'that is empty': () => '',
  'that is noise': () => randomBytes(300).toString('latin1'),
};

const honest = (): Ticket => ({
  v: 1,
  pair: newPair(),
  side: 'operator',
  permissions: [],
  exp: 1_800_000_060,
});

for (const [name, make] of Object.entries(wrong))
  test(`a ticket ${name} admits nobody`, async () => {
    await using scene = await startRelay();
    const caller = await scene.dial();

    caller.socket.send(make(scene));

    assert.deepEqual(await caller.closed, refused);
    assert.deepEqual(caller.texts, []);
    assert.deepEqual([scene.relay.stats().refused, scene.ended], [1, []]);
  });

test('a ticket is good until its last second, and not after', async () => {
  await using scene = await startRelay();
  const [inTime, late] = [scene.ticket({}), scene.ticket({})];
  const [first, second] = [await scene.dial(), await scene.dial()];

  scene.setWall(60);
  first.socket.send(inTime);
  await eventually(
    () => scene.relay.stats().waiting,
    (waiting) => waiting === 1,
  );
  scene.setWall(1);
  second.socket.send(late);

  assert.deepEqual(await second.closed, refused);
});

test('of a hundred that show one ticket at the same moment, one gets in', async () => {
  await using scene = await startRelay({ pendingSocketsPerAddress: 200 });
  const ticket = scene.ticket({});
  const callers = await Promise.all(Array.from({ length: 100 }, () => scene.dial()));

  for (const { socket } of callers) socket.send(ticket);

  await eventually(
    () => scene.relay.stats(),
    ({ waiting, refused: away }) => waiting === 1 && away === 99,
  );
});

test('a used ticket stays used after the session, and when the clock is put forward and back', async () => {
  await using scene = await startRelay();
  const ticket = scene.ticket({});
  const first = await scene.dial();
  first.socket.send(ticket);
  await eventually(
    () => scene.relay.stats().waiting,
    (waiting) => waiting === 1,
  );
  first.socket.close();
  await eventually(
    () => scene.ended.length,
    (count) => count === 1,
  );
  scene.setWall(3_600);
  const slow = await scene.dial();
  scene.advance(5);
  await slow.closed;
  scene.setWall(-3_600);

  const second = await scene.dial();
  second.socket.send(ticket);

  assert.deepEqual(await second.closed, refused);
});

test('two tickets for the same side of a pair do not both get in', async () => {
  await using scene = await startRelay();
  const { pair, operator } = await scene.meet();

  const third = await scene.come({ pair, side: 'operator' });

  assert.deepEqual(await third.closed, refused);
  assert.equal(operator.socket.readyState, operator.socket.OPEN);
});

test('a pair the server closed before anybody came admits nobody', async () => {
  await using scene = await startRelay();
  const pair = newPair();
  scene.relay.close(pair, 'Your right to connect was taken away.');

  const [operator, device] = [
    await scene.come({ pair, side: 'operator' }),
    await scene.come({ pair, side: 'device' }),
  ];

  assert.deepEqual([await operator.closed, await device.closed], [refused, refused]);
});

test('a socket that shows no ticket within five seconds is sent away', async () => {
  await using scene = await startRelay();
  const caller = await scene.dial();

  scene.advance(5);

  assert.deepEqual(await caller.closed, closeCodes.too_slow);
});

test('the first message must be text, and no longer than four kibibytes', async () => {
  await using scene = await startRelay();
  const [binary, long, endless] = [await scene.dial(), await scene.dial(), await scene.dial()];

  binary.socket.send(Buffer.from(scene.ticket({})));
  long.socket.send('x'.repeat(4_097));
  endless.socket.send('x'.repeat(100_000));

  assert.deepEqual(await binary.closed, closeCodes.not_understood);
  assert.deepEqual(await long.closed, closeCodes.not_understood);
  assert.equal((await endless.closed).code, 1_006);
});

test('an address has only so many sockets without a ticket, and so has the world', async () => {
  await using crowded = await startRelay({ pendingSocketsPerAddress: 2 });
  await using full = await startRelay({ pendingSockets: 2 });

  for (const scene of [crowded, full]) {
    const [first] = [await scene.dial(), await scene.dial()];
    await assert.rejects(scene.dial(), /503/);

    first.socket.send(scene.ticket({}));
    await eventually(
      () => scene.relay.stats().pendingSockets,
      (pendingSockets) => pendingSockets === 1,
    );
    await scene.dial();
  }
});

test('when all places of those without a ticket are taken, who comes from elsewhere gets one of who has most', async () => {
  await using scene = await startRelay({ pendingSockets: 3 });
  const [first, second, third] = [await scene.dial(), await scene.dial(), await scene.dial()];

  const other = await scene.dial({ localAddress: '127.0.7.7' });

  assert.equal((await third.closed).code, 1_006);
  assert.equal(scene.relay.stats().pendingSockets, 3);
  const pair = newPair();
  other.socket.send(scene.ticket({ pair }));
  first.socket.send(scene.ticket({ pair, side: 'device' }));
  await Promise.all([other.paired(), first.paired()]);
  assert.equal(second.socket.readyState, second.socket.OPEN);
});

test('one whose ticket was refused counts as a stranger until it is really gone', async () => {
  await using scene = await startRelay({ pendingSockets: 1 });
  const caller = await scene.dial();
  caller.socket.pause();
  caller.socket.send('no ticket');

  await eventually(
    () => scene.relay.stats().refused,
    (refusals) => refusals === 1,
  );

  await assert.rejects(scene.dial(), /503/);
});

test('sockets whose tickets were refused take up the places of their address for ten seconds', async () => {
  await using scene = await startRelay({ pendingSocketsPerAddress: 2 });
  for (const word of ['no ticket', 'x'.repeat(4_097)]) {
    const caller = await scene.dial();
    caller.socket.send(word);
    await caller.closed;
  }
  await eventually(
    () => scene.relay.stats().pendingSockets,
    (pendingSockets) => pendingSockets === 0,
  );

  await assert.rejects(scene.dial(), /503/);
  scene.advance(10);
  await eventually(
    () => scene.dial().catch(() => undefined),
    (caller) => caller !== undefined,
  );
});
