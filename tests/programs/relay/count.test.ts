/**
 * Bytes that bypass the relay, as the device reports them: the last plausible total counts, whichever side
 * ends the session and however.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relayCloseCodes } from '@drawbridge/contract/close-codes';
import {
  countRequest,
  countingProtocol,
  formatCount,
  maxCountBytes,
  parseCount,
} from '@drawbridge/contract/session/direct-count';
import { frameKinds } from '@drawbridge/contract/session/frame-kinds';
import { relayProtocol } from '@drawbridge/contract/session/open';
import { defaultRelayLimits } from '@drawbridge/relay/limits';
import { eventually } from '../../kit/eventually.ts';
import { newPair, startRelay, type TestPeer, type RelayFixture } from './fixture.ts';

const counting = [countingProtocol, relayProtocol];

/** A session whose device has switched to a direct connection, and reports this much whenever it is asked. */
async function direct(fixture: RelayFixture) {
  const pair = newPair();
  const operator = await fixture.come({ pair, side: 'operator' });
  const device = await fixture.come({ pair, side: 'device' }, counting);
  await Promise.all([operator.paired(), device.paired()]);
  const reported = { bytes: 0 };
  device.socket.on('message', (data, isBinary) => {
    if (!isBinary && String(data) === countRequest) device.socket.send(formatCount(reported.bytes));
  });
  device.socket.send(formatCount(0));
  // It is asked at once; then the clock is stopped, and it is asked no more.
  await eventually(
    () => device.texts,
    ([, question]) => question === countRequest,
  );
  await received(device);
  return { operator, device, reported };
}

/** Resolves when the relay has received everything that was sent to it before. */
async function received({ socket }: TestPeer): Promise<void> {
  const answered = new Promise((resolve) => void socket.once('pong', resolve));
  socket.ping();
  await answered;
}

const ended = async (fixture: RelayFixture) =>
  (
    await eventually(
      () => fixture.ended,
      ({ length }) => length === 1,
    )
  )[0]!;

test('when the operator leaves, the device is asked once more, and its last total counts', async () => {
  await using fixture = await startRelay();
  const { operator, device, reported } = await direct(fixture);
  device.send(frameKinds.pong.byte, 1, 2);
  await operator.got(1);
  reported.bytes = 5_000_000;

  operator.socket.close(1_000);

  const { directBytes, bytesToOperator, by, code } = await ended(fixture);
  assert.deepEqual([directBytes, bytesToOperator, by, code], [5_000_000, 3, 'operator', 1_000]);
  assert.deepEqual(await device.closed, relayCloseCodes.gone);
  assert.equal(fixture.relay.stats().sessions, 0);
});

test('bytes that bypassed the relay are not counted as its own', async () => {
  await using fixture = await startRelay();
  const { operator, reported } = await direct(fixture);
  reported.bytes = 5_000_000;

  operator.socket.close(1_000);
  await ended(fixture);

  assert.equal(fixture.relay.stats().bytes, 0);
});

test('totals that are reported repeatedly are counted once', async () => {
  await using fixture = await startRelay();
  const { device } = await direct(fixture);

  for (const bytes of [1_000, 1_000, 2_000, 2_000, 2_000]) device.socket.send(formatCount(bytes));
  device.socket.close(1_000);

  const { directBytes, by } = await ended(fixture);
  assert.deepEqual([directBytes, by], [2_000, 'device']);
});

test('a device is asked every ten seconds, and the last report of a lost one counts', async () => {
  await using fixture = await startRelay();
  const { device, reported } = await direct(fixture);
  const asked = (): number => device.texts.filter((text) => text === countRequest).length;

  reported.bytes = 700;
  fixture.advance(9);
  await received(device);
  assert.equal(asked(), 1);
  fixture.advance(1);
  await eventually(asked, (times) => times === 2);
  await received(device);
  reported.bytes = 900;
  device.socket.terminate();

  const { directBytes, by, code } = await ended(fixture);
  assert.deepEqual([directBytes, by, code], [700, 'device', 1_006]);
});

test('a device that no longer answers keeps nobody waiting', async () => {
  await using fixture = await startRelay();
  const { operator, device } = await direct(fixture);
  device.socket.send(formatCount(300));
  await received(device);
  device.socket.pause();

  operator.socket.close(1_000);

  const { directBytes, by } = await ended(fixture);
  assert.deepEqual([directBytes, by], [300, 'operator']);
});

test('when the relay stops, it still receives the totals', async () => {
  await using fixture = await startRelay();
  const { reported } = await direct(fixture);
  reported.bytes = 4_000;

  await fixture.relay.closeAll();

  assert.deepEqual(
    fixture.ended.map(({ directBytes, by }) => [directBytes, by]),
    [[4_000, 'server']],
  );
});

test('a device without a direct connection is never asked, nor is one that does not count', async () => {
  await using fixture = await startRelay();
  const pair = newPair();
  const operator = await fixture.come({ pair, side: 'operator' });
  const quiet = await fixture.come({ pair, side: 'device' }, counting);
  const older = await fixture.meet();
  await Promise.all([operator.paired(), quiet.paired()]);

  fixture.advance(11);
  await received(quiet);
  operator.socket.close(1_000);
  older.operator.socket.close(1_000);
  await Promise.all([quiet.closed, older.device.closed]);

  assert.equal(older.device.socket.protocol, relayProtocol);
  assert.deepEqual([quiet.texts, older.device.texts], [['paired'], ['paired']]);
});

const second = defaultRelayLimits.directBytesPerSecond;
const implausible = [
  ['less than before', 'direct 999'],
  ['more than any network carries', `direct ${second + 1}`],
  ['more than exact integers hold', 'direct 9007199254740993'],
  ['a negative number', 'direct -1'],
  ['a fraction', 'direct 1000.5'],
  ['a number in exponent notation', 'direct 1e3'],
  ['a number with leading zeros', 'direct 01000'],
  ['no number', 'direct NaN'],
  ['two numbers', 'direct 1000 1000'],
  ['an extra line end', 'direct 1000\n'],
  ['a very long number', `direct ${'9'.repeat(400)}`],
  ['an empty message', ''],
  ['the request itself', countRequest],
] as const;

for (const [what, message] of implausible)
  test(`an implausible total ends the session, and the last plausible one counts: ${what}`, async () => {
    await using fixture = await startRelay();
    const { operator, device } = await direct(fixture);
    device.socket.send(formatCount(1_000));

    device.socket.send(message);

    assert.deepEqual(await device.closed, relayCloseCodes.not_understood);
    assert.deepEqual(await operator.closed, relayCloseCodes.gone);
    const { directBytes, by } = await ended(fixture);
    assert.deepEqual([directBytes, by], [1_000, 'fault']);
  });

test('an implausible last total changes nothing', async () => {
  await using fixture = await startRelay();
  const { operator, device, reported } = await direct(fixture);
  device.socket.send(formatCount(1_000));
  await received(device);
  reported.bytes = second + 1;

  operator.socket.close(1_000);

  assert.equal((await ended(fixture)).directBytes, 1_000);
});

test('the longer a session lasts, the larger a plausible total is', async () => {
  await using fixture = await startRelay();
  const { operator, reported } = await direct(fixture);
  fixture.advance(9);
  reported.bytes = 10 * second;

  operator.socket.close(1_000);

  assert.equal((await ended(fixture)).directBytes, 10 * second);
});

test('only the device can report: not the operator, nor a device before both are connected', async () => {
  await using fixture = await startRelay();
  const { operator, device } = await direct(fixture);
  const early = await fixture.come({ side: 'device' }, counting);
  const pair = newPair();
  const bold = await fixture.come({ pair, side: 'operator' }, counting);
  const other = await fixture.come({ pair, side: 'device' }, counting);
  await Promise.all([bold.paired(), other.paired()]);

  operator.socket.send(formatCount(5));
  early.socket.send(formatCount(5));
  bold.socket.send(formatCount(5));

  for (const { closed } of [operator, early, bold])
    assert.deepEqual(await closed, relayCloseCodes.not_understood);
  assert.deepEqual([await device.closed, await other.closed], [relayCloseCodes.gone, relayCloseCodes.gone]);
  await eventually(
    () => fixture.ended,
    ({ length }) => length === 3,
  );
  assert.deepEqual(
    fixture.ended.map(({ directBytes }) => directBytes),
    [0, 0, 0],
  );
});

test('every total up to the largest is read as it was written, and fits the longest message', () => {
  for (const bytes of [0, 1, 10, 4_294_967_296, Number.MAX_SAFE_INTEGER]) {
    assert.equal(parseCount(formatCount(bytes)), bytes);
    assert.ok(formatCount(bytes).length <= maxCountBytes);
  }
});
