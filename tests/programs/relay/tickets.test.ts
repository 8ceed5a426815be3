/** Who is admitted at the relay, and which sides are paired. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { relayCloseCodes } from '@drawbridge/contract/close-codes';
import { frameKinds } from '@drawbridge/contract/session/frame-kinds';
import { encodeBody, toBase64url, type Ticket } from '@drawbridge/contract/session/signed';
import { eventually } from '../../kit/eventually.ts';
import { createTicketSigner, newPair, startRelay, type RelayFixture } from './fixture.ts';

const { refused } = relayCloseCodes;

test('two sides with matching tickets are paired, and frames pass both ways unchanged', async () => {
  await using fixture = await startRelay();
  const { pair, operator, device } = await fixture.meet();

  device.socket.send(Buffer.from([frameKinds.hello.byte, 7, 8, 9]));
  operator.socket.send(Buffer.from([frameKinds.confirm.byte, 1, 2]));

  assert.deepEqual(await operator.got(1), [Buffer.from([frameKinds.hello.byte, 7, 8, 9])]);
  assert.deepEqual(await device.got(1), [Buffer.from([frameKinds.confirm.byte, 1, 2])]);
  assert.deepEqual([operator.texts, device.texts], [['paired'], ['paired']]);
  assert.deepEqual(fixture.paired, [pair]);
});

test('it does not matter which side comes first', async () => {
  await using fixture = await startRelay();
  const pair = newPair();

  const device = await fixture.come({ pair, side: 'device' });
  const operator = await fixture.come({ pair, side: 'operator' });

  await Promise.all([operator.paired(), device.paired()]);
  assert.equal(fixture.relay.stats().sessions, 1);
});

test('sides of different sessions are not paired', async () => {
  await using fixture = await startRelay();
  const first = await fixture.meet();
  const second = await fixture.meet();

  first.device.send(frameKinds.state.byte, 1);
  second.device.send(frameKinds.state.byte, 2);

  assert.deepEqual(await first.operator.got(1), [Buffer.from([frameKinds.state.byte, 1])]);
  assert.deepEqual(await second.operator.got(1), [Buffer.from([frameKinds.state.byte, 2])]);
});

/** Values presented in place of a ticket; each must be refused with the same message. */
const wrong: Record<string, (fixture: RelayFixture) => string> = {
  'signed by someone else': () => createTicketSigner().sign(encodeBody('ticket', honest())),
  'with a changed body': (fixture) => {
    const [, signature] = fixture.ticket({}).split('.');
    return `${encodeBody('ticket', { ...honest(), side: 'device' })}.${signature}`;
  },
  'signed as a grant': (fixture) => fixture.signer.sign(encodeBody('ticket', honest()), 'grant'),
  'without a signature': () => encodeBody('ticket', honest()),
  'with an empty signature': () => `${encodeBody('ticket', honest())}.`,
  'with a short signature': () => `${encodeBody('ticket', honest())}.AAAA`,
  'expired a second ago': (fixture) => fixture.ticket({ exp: honest().exp - 61 }),
  'valid for years': (fixture) => fixture.ticket({ exp: honest().exp + 100_000_000 }),
  'for a side that does not exist': (fixture) => fixture.ticket({ side: 'server' as 'device' }),
  'for a malformed pair': (fixture) => fixture.ticket({ pair: 'short' }),
  'of another version': (fixture) => fixture.ticket({ v: 2 as 1 }),
  'without permissions': (fixture) => fixture.ticket({ permissions: undefined as unknown as string[] }),
  'that is no JSON': (fixture) => fixture.signer.sign(toBase64url(Buffer.from('{'))),
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
    await using fixture = await startRelay();
    const peer = await fixture.dial();

    peer.socket.send(make(fixture));

    assert.deepEqual(await peer.closed, refused);
    assert.deepEqual(peer.texts, []);
    assert.deepEqual([fixture.relay.stats().refused, fixture.ended], [1, []]);
  });

test('a ticket is valid until its last second, and not after', async () => {
  await using fixture = await startRelay();
  const [inTime, late] = [fixture.ticket({}), fixture.ticket({})];
  const [first, second] = [await fixture.dial(), await fixture.dial()];

  fixture.setWall(60);
  first.socket.send(inTime);
  await eventually(
    () => fixture.relay.stats().waiting,
    (waiting) => waiting === 1,
  );
  fixture.setWall(1);
  second.socket.send(late);

  assert.deepEqual(await second.closed, refused);
});

test('of a hundred sockets that present one ticket at the same moment, one gets in', async () => {
  await using fixture = await startRelay({ pendingSocketsPerAddress: 200 });
  const ticket = fixture.ticket({});
  const peers = await Promise.all(Array.from({ length: 100 }, () => fixture.dial()));

  for (const { socket } of peers) socket.send(ticket);

  await eventually(
    () => fixture.relay.stats(),
    ({ waiting, refused: away }) => waiting === 1 && away === 99,
  );
});

test('a used ticket stays used after the session, and when the clock is set forward and back', async () => {
  await using fixture = await startRelay();
  const ticket = fixture.ticket({});
  const first = await fixture.dial();
  first.socket.send(ticket);
  await eventually(
    () => fixture.relay.stats().waiting,
    (waiting) => waiting === 1,
  );
  first.socket.close();
  await eventually(
    () => fixture.ended.length,
    (count) => count === 1,
  );
  fixture.setWall(3_600);
  const slow = await fixture.dial();
  fixture.advance(5);
  await slow.closed;
  fixture.setWall(-3_600);

  const second = await fixture.dial();
  second.socket.send(ticket);

  assert.deepEqual(await second.closed, refused);
});

test('two tickets for the same side of a pair do not both get in', async () => {
  await using fixture = await startRelay();
  const { pair, operator } = await fixture.meet();

  const third = await fixture.come({ pair, side: 'operator' });

  assert.deepEqual(await third.closed, refused);
  assert.equal(operator.socket.readyState, operator.socket.OPEN);
});

test('a pair that the server closed before anyone connected admits nobody', async () => {
  await using fixture = await startRelay();
  const pair = newPair();
  fixture.relay.close(pair, 'Your right to connect was taken away.');

  const [operator, device] = [
    await fixture.come({ pair, side: 'operator' }),
    await fixture.come({ pair, side: 'device' }),
  ];

  assert.deepEqual([await operator.closed, await device.closed], [refused, refused]);
});

test('a socket that presents no ticket within five seconds is closed', async () => {
  await using fixture = await startRelay();
  const peer = await fixture.dial();

  fixture.advance(5);

  assert.deepEqual(await peer.closed, relayCloseCodes.too_slow);
});

test('the first message must be text, and no longer than four kibibytes', async () => {
  await using fixture = await startRelay();
  const [binary, long, endless] = [await fixture.dial(), await fixture.dial(), await fixture.dial()];

  binary.socket.send(Buffer.from(fixture.ticket({})));
  long.socket.send('x'.repeat(4_097));
  endless.socket.send('x'.repeat(100_000));

  assert.deepEqual(await binary.closed, relayCloseCodes.not_understood);
  assert.deepEqual(await long.closed, relayCloseCodes.not_understood);
  assert.equal((await endless.closed).code, 1_006);
});

test('sockets without a ticket are limited per address and in total', async () => {
  await using crowded = await startRelay({ pendingSocketsPerAddress: 2 });
  await using full = await startRelay({ pendingSockets: 2 });

  for (const fixture of [crowded, full]) {
    const [first] = [await fixture.dial(), await fixture.dial()];
    await assert.rejects(fixture.dial(), /503/);

    first.socket.send(fixture.ticket({}));
    await eventually(
      () => fixture.relay.stats().pendingSockets,
      (pendingSockets) => pendingSockets === 1,
    );
    await fixture.dial();
  }
});

test('when all places for sockets without a ticket are taken, a new address replaces a socket of the address with the most', async () => {
  await using fixture = await startRelay({ pendingSockets: 3 });
  const [first, second, third] = [await fixture.dial(), await fixture.dial(), await fixture.dial()];

  const other = await fixture.dial({ localAddress: '127.0.7.7' });

  assert.equal((await third.closed).code, 1_006);
  assert.equal(fixture.relay.stats().pendingSockets, 3);
  const pair = newPair();
  other.socket.send(fixture.ticket({ pair }));
  first.socket.send(fixture.ticket({ pair, side: 'device' }));
  await Promise.all([other.paired(), first.paired()]);
  assert.equal(second.socket.readyState, second.socket.OPEN);
});

test('a socket whose ticket was refused counts as unauthenticated until it is really closed', async () => {
  await using fixture = await startRelay({ pendingSockets: 1 });
  const peer = await fixture.dial();
  peer.socket.pause();
  peer.socket.send('no ticket');

  await eventually(
    () => fixture.relay.stats().refused,
    (refusals) => refusals === 1,
  );

  await assert.rejects(fixture.dial(), /503/);
});

test('sockets whose tickets were refused occupy the places of their address for ten seconds', async () => {
  await using fixture = await startRelay({ pendingSocketsPerAddress: 2 });
  for (const text of ['no ticket', 'x'.repeat(4_097)]) {
    const peer = await fixture.dial();
    peer.socket.send(text);
    await peer.closed;
  }
  await eventually(
    () => fixture.relay.stats().pendingSockets,
    (pendingSockets) => pendingSockets === 0,
  );

  await assert.rejects(fixture.dial(), /503/);
  fixture.advance(10);
  await eventually(
    () => fixture.dial().catch(() => undefined),
    (peer) => peer !== undefined,
  );
});
