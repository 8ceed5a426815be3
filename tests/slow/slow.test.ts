/**
 * Slow connections of every kind at once, a few of each: they are ended, lock out nobody, and leave no place
 * taken.
 */
import assert from 'node:assert/strict';
import { Agent } from 'node:https';
import { test } from 'node:test';
import { eventually } from '../kit/eventually.ts';
import { attacks } from './attacks.ts';
import { openAttackConnections } from './attack-connections.ts';
import { createHonestActions } from './honest-clients.ts';
import { openAttackFixture } from './fixture.ts';

const each = 20;
/** What has a longer timeout is tried with other limits beside the listener. */
const longest = 20;
/** Only guards against waiting for ever. */
const drainTimeoutMs = 120_000;
const chosen = Object.entries(attacks).filter(([, { endsWithin = 0 }]) => endsWithin <= longest);
/** Connections that the server allows to stay hold a descriptor, and some of them a file. */
const staying = chosen.filter(([, { endsWithin }]) => endsWithin === undefined).length * each * 2;

test(`${chosen.length} kinds of slow connections, ${each} of each, lock out no honest client and leave no place taken`, async () => {
  await using fixture = await openAttackFixture(each + 1);
  using agent = Object.assign(new Agent({ keepAlive: true, rejectUnauthorized: false }), {
    [Symbol.dispose]: () => agent.destroy(),
  });
  const acts = Object.entries(createHonestActions(fixture.secrets, agent));
  // Once before, so that what is opened on first use is already open.
  for (const [, act] of acts) await act();
  const before = fixture.openFiles();

  const allConnections = await Promise.all(
    chosen.map(([, attack]) => openAttackConnections(attack, each, fixture.secrets)),
  );
  const errors: string[] = [];
  for (let round = 0; round < 5; round += 1)
    for (const [name, act] of acts)
      await act().catch((error: unknown) => errors.push(`${name}: ${String(error)}`));

  assert.deepEqual(errors, []);
  await eventually(fixture.openFiles, (open) => open <= before + staying, drainTimeoutMs);
  for (const attackConnections of allConnections) attackConnections.leave();
  await eventually(fixture.openFiles, (open) => open <= before + 1, drainTimeoutMs);
});
