/** Tests the versions of the uplink: a change of its messages needs a new version. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import * as z from 'zod';
import { commands } from './commands.ts';
import { downMessages, upMessages } from './messages.ts';
import { currentVersion, oldestVersion, versions } from './versions.ts';

const shapeOf = (schema: z.ZodType): unknown =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

const shapesOf = (schemas: Record<string, z.ZodType>): unknown =>
  Object.entries(schemas).map(([name, schema]) => [name, shapeOf(schema)]);

/** Descriptions may change without a new version. */
const withoutDescriptions = (key: string, value: unknown): unknown =>
  key === 'description' ? undefined : value;

/** Hash of all messages and commands of the uplink. */
function fingerprint(): string {
  const commandShapes = Object.entries(commands).map(([name, { since, input, output }]) => [
    name,
    since,
    shapeOf(input),
    shapeOf(output),
  ]);
  const all = JSON.stringify(
    // The keys are part of the fingerprints of published versions.
    { up: shapesOf(upMessages), down: shapesOf(downMessages), told: commandShapes },
    withoutDescriptions,
  );
  return createHash('sha256').update(all).digest('hex').slice(0, 16);
}

test('the messages and commands match the fingerprint of the newest version', () => {
  const { version, fingerprint: known } = versions.at(-1)!;

  assert.equal(
    fingerprint(),
    known,
    `the uplink is not what version ${version} says: append version ${version + 1} to versions.ts with this fingerprint, and let new commands be known since then`,
  );
});

test('versions are numbered from 1 without gaps, each with a date and its own fingerprint', () => {
  assert.deepEqual(
    versions.map(({ version }) => version),
    versions.map((_, index) => index + 1),
  );
  assert.equal(new Set(versions.map((each) => each.fingerprint)).size, versions.length);
  for (const each of versions) {
    assert.match(each.fingerprint, /^[0-9a-f]{16}$/);
    assert.match(each.date, /^\d{4}-\d\d-\d\d$/);
  }
});

test('the `since` of every command and the oldest supported version are existing versions', () => {
  for (const [name, { since }] of Object.entries(commands))
    assert.ok(since >= 1 && since <= currentVersion, name);
  assert.ok(oldestVersion >= 1 && oldestVersion <= currentVersion);
});
