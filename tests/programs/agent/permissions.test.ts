/**
 * What an operator can do on a device over the real protocol, whatever they send: what the grant allows, and
 * nothing else.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeNumber, decodeNumber } from '@drawbridge/contract/session/binary-frames';
import {
  sessionPermissions,
  type FrameKindName,
  type SessionPermission,
} from '@drawbridge/contract/session/frame-kinds';
import { createInstallRequestFeature } from '@drawbridge/agent/join/install-request';
import { features } from '@drawbridge/agent/session/features/index';
import { createSeededRandom } from '../../fuzz/seeded-random.ts';
import { permissionOf, makePayload, operatorKinds } from '../../kit/session/operator-payloads.ts';
import { eventually } from '../../kit/eventually.ts';
import { openSessionFixture } from '../../kit/session/session-fixture.ts';
import { createPermissionProbe } from '../../kit/session/permission-probe.ts';

const perKind = 20;
const lastPing = 0xffff_ffff;
const noRight = 'This session does not have permission to do that.';

interface Outcome {
  sent: number;
  /** How often each kind was refused for a missing permission. */
  refused: Partial<Record<FrameKindName, number>>;
  touched: SessionPermission[];
}

/**
 * Sends messages of every kind in any order to a session with these permissions, at a relay that forwards
 * everything.
 */
async function throwAt(permissions: readonly SessionPermission[], seed: number): Promise<Outcome> {
  const random = createSeededRandom(seed);
  const { platform, touched } = createPermissionProbe();
  const install = createInstallRequestFeature('https://server.example', () =>
    touched.add('agent_app_install_request'),
  );
  await using fixture = await openSessionFixture({ platform, parts: [...features, install] });
  await using operator = fixture.meet({ permissions });
  await operator.until('people');
  const all = operatorKinds.flatMap((kind) => Array<FrameKindName>(perKind).fill(kind));
  const order = all.map((kind) => ({ kind, place: random.fraction() })).toSorted((a, b) => a.place - b.place);
  for (const { kind } of order) operator.send(kind, makePayload(kind, random));
  operator.send('ping', encodeNumber(lastPing));
  await eventually(
    () => [
      operator.received.some(({ kind, payload }) => kind === 'pong' && decodeNumber(payload) === lastPing),
      fixture.lines,
    ],
    ([isThere]) => isThere === true,
  );
  // What was permitted may still be in progress.
  await eventually(
    () => ({ found: [...touched].toSorted(), permissions, lines: fixture.lines }),
    ({ found }) => permissions.every((permission) => found.includes(permission)),
  );
  const refused: Outcome['refused'] = {};
  for (const { kind, message } of operator.messages('refused'))
    if (message === noRight) refused[kind as FrameKindName] = (refused[kind as FrameKindName] ?? 0) + 1;
  return { sent: order.length, refused, touched: [...touched].toSorted() };
}

/** A second implementation, from the table alone: every message of a kind whose permission is missing. */
const refusedUnder = (permissions: readonly SessionPermission[]): Outcome['refused'] =>
  Object.fromEntries(
    operatorKinds
      .filter((kind) => permissionOf(kind) !== null && !permissions.includes(permissionOf(kind)!))
      .map((kind) => [kind, perKind]),
  );

const cases: readonly (readonly SessionPermission[])[] = [
  [],
  ...sessionPermissions.map((permission) => [permission]),
  sessionPermissions,
];

test('thousands of messages of every kind under each permission alone: what belongs to it is done, everything else is refused', async () => {
  let sent = 0;
  for (const [index, permissions] of cases.entries()) {
    const name = permissions.join() || 'none';
    const outcome = await throwAt(permissions, 4_711 + index);
    sent += outcome.sent;
    assert.deepEqual(outcome.touched, [...permissions].toSorted(), `done under ${name}`);
    assert.deepEqual(outcome.refused, refusedUnder(permissions), `refused under ${name}`);
  }
  assert.ok(sent > 4_000, `${sent} messages`);
});
