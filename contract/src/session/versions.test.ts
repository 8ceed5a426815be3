/** The versions of the session protocol: what both sides agreed on is never changed without a new one. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { z } from 'zod';
import { approval } from './approval.ts';
import * as binary from './binary-frames.ts';
import { frameKinds } from './frame-kinds.ts';
import { hkdfLabels, rekeyFrames, rekeySeconds, transcript } from './handshake.ts';
import { sessionMessages } from './messages.ts';
import * as screen from './screen-frames.ts';
import { grant, signedBytes, ticket } from './signed.ts';
import { currentSessionVersion, sessionVersions } from './versions.ts';

const shapeOf = (schema: z.ZodType): unknown =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

const box = { x: 1, y: 2, width: 3, height: 4 };
const data = Uint8Array.of(5, 6);
/** One sample of everything that is bytes: the binary frames, and what keys and signatures are made from. */
const samples = (): Uint8Array[] => [
  binary.encodeNumber(1),
  binary.encodePointer({ x: 1, y: 2, buttons: 3 }),
  binary.encodeWheel({ x: 1, y: 2, deltaX: 3, deltaY: -4 }),
  binary.encodeKey({ down: true, code: 'KeyA', key: 'a' }),
  binary.encodeDataChunk({ id: 1, at: 2, data }),
  screen.encodeVideo({ number: 1, key: true, boxes: [box], data }),
  screen.encodeVideo({ number: 1, key: false, boxes: [box], half: true, data }),
  screen.encodeVideo({ number: 1, key: true, boxes: [box], h264: true, data }),
  screen.encodeTiles({
    number: 1,
    copies: [{ ...box, toX: 5, toY: 6 }],
    tiles: [{ x: 1, y: 2, image: data }],
  }),
  screen.encodeCursor({ x: 1, y: 2, shape: { width: 3, height: 4, hotX: 5, hotY: 6, png: data } }),
  ...Object.values(hkdfLabels),
  transcript({ grantHash: 'grant', operatorKey: 'operator', deviceKey: 'device' }),
  signedBytes('ticket', 'body'),
  signedBytes('grant', 'body'),
  signedBytes('approval', 'body'),
];

/** Of every kind of frame and every message, what is signed, and the keys. */
function fingerprint(): string {
  const messages = Object.entries(sessionMessages).map(([name, schema]) => [name, shapeOf(schema)]);
  const signed = [ticket, grant, approval].map(shapeOf);
  const bytes = samples().map((sample) => sample.toHex());
  const rekey = { frames: rekeyFrames, seconds: rekeySeconds };
  const all = JSON.stringify({ kinds: frameKinds, messages, signed, bytes, rekey });
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
