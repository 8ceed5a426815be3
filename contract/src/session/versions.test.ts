/** The versions of the session protocol: what both sides agreed on is never changed without a new one. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { z } from 'zod';
import { frameKinds } from './frame-kinds.ts';
import { sessionMessages } from './messages.ts';
import { currentSessionVersion, sessionVersions } from './versions.ts';

const shapeOf = (schema: z.ZodType): unknown =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

/** Of every kind of frame and every message. */
function fingerprint(): string {
  const messages = Object.entries(sessionMessages).map(([name, schema]) => [name, shapeOf(schema)]);
  const all = JSON.stringify({ kinds: frameKinds, messages });
  return createHash('sha256').update(all).digest('hex').slice(0, 16);
}

test('the frames are those of the newest version: a change adds a version', () => {
  const { version, fingerprint: known } = sessionVersions.at(-1)!;

  assert.equal(
    fingerprint(),
    known,
    `the session protocol is not what version ${version} says: append version ${version + 1} to versions.ts with this fingerprint, and let new kinds be known since then`,
  );
});

test('versions are numbered from 1 without a gap, each with a date and a fingerprint of its own', () => {
  assert.deepEqual(
    sessionVersions.map(({ version }) => version),
    sessionVersions.map((_, index) => index + 1),
  );
  assert.equal(new Set(sessionVersions.map((each) => each.fingerprint)).size, sessionVersions.length);
  for (const each of sessionVersions) {
    assert.match(each.fingerprint, /^[0-9a-f]{16}$/);
    assert.match(each.date, /^\d{4}-\d\d-\d\d$/);
  }
});

test('every kind of frame is known since a version that exists', () => {
  for (const [name, { since }] of Object.entries(frameKinds))
    assert.ok(since >= 1 && since <= currentSessionVersion, name);
});
