/** An operator of a later version at a relay and a device of this one: frames of kinds that they do not know. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeNumber, encodeNumber } from '@drawbridge/contract/session/binary-frames';
import { frameKindOf } from '@drawbridge/contract/session/frame-kinds';
import { eventually } from '../../kit/eventually.ts';
import { createPermissionProbe } from '../../kit/session/permission-probe.ts';
import { openSessionFixture } from '../../kit/session/session-fixture.ts';

test('sealed frames of unknown kinds pass the relay, the device skips them, and the session goes on', async () => {
  const unknown = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !frameKindOf(byte));
  await using fixture = await openSessionFixture({ platform: createPermissionProbe().platform });
  await using operator = fixture.meet();
  await operator.until('people');

  for (const byte of unknown) operator.send(byte, Buffer.from('{"of":"a later version"}'));
  operator.send('ping', encodeNumber(7));
  const pongs = await eventually(
    () => operator.received.filter(({ kind }) => kind === 'pong'),
    ({ length }) => length > 0,
  );

  assert.deepEqual(
    pongs.map(({ payload }) => decodeNumber(payload)),
    [7],
  );
  assert.deepEqual([operator.messages('end'), operator.messages('refused')], [[], []]);
});
