/** Input and screen go before file bytes: how much of a file can be ahead of them. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { decodeDataChunk, encodeNumber } from '@drawbridge/contract/session/binary-frames';
import { openFiles } from '@drawbridge/agent/platform/linux/files/session-files';
import { filesFeature } from '@drawbridge/agent/session/features/files';
import { createFakeFeatureContext } from '../../../kit/agent/fake-feature-context.ts';
import { createFakePlatform } from '../../../kit/agent/fake-platform.ts';
import { eventually } from '../../../kit/eventually.ts';
import type { Operator } from '../../../kit/session/operator.ts';
import { openSessionFixture } from '../../../kit/session/session-fixture.ts';

let root = '';
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'drawbridge-priority-'));
  await writeFile(join(root, 'large'), '');
  await truncate(join(root, 'large'), 50_000_000);
});
after(() => rm(root, { recursive: true }));

const files = () => openFiles({ DRAWBRIDGE_AGENT_FILES: root });
const firstWindowBytes = 16 * 1_024;

const fileBytes = ({ received }: Operator): number =>
  received
    .filter(({ kind }) => kind === 'file_bytes')
    .reduce((sum, { payload }) => sum + decodeDataChunk(payload)!.data.length, 0);

test('an answer overtakes the rest of a download: only what is in flight can be ahead of it', async () => {
  await using fixture = await openSessionFixture({
    platform: createFakePlatform('desk', { files }),
    parts: [filesFeature],
  });
  await using operator = fixture.meet();
  await operator.until('state', ({ phase }) => phase === 'live');

  // Three downloads at once share one window, and nothing is acknowledged.
  for (const id of [1, 2, 3]) operator.sendMessage('file', { do: 'get', id, path: '/large', from: 0 });
  await eventually(
    () => fileBytes(operator),
    (bytes) => bytes >= firstWindowBytes,
  );
  operator.send('ping', encodeNumber(7));
  await eventually(() => operator.received.some(({ kind }) => kind === 'pong'), Boolean);

  assert.equal(fileBytes(operator), firstWindowBytes);
});

test('while other frames wait to be sent, no file bytes are added behind them', async () => {
  const context = createFakeFeatureContext({ files });
  const pictureSent = Promise.withResolvers<void>();
  const part = filesFeature({ ...context, drained: () => pictureSent.promise });
  await part.handlers.file!({ do: 'get', id: 1, path: '/large', from: 0 });
  await new Promise((resolve) => void setImmediate(resolve));
  assert.equal(context.messages('file_answer')[0]?.is, 'get');
  assert.equal(context.pieces('file_bytes').length, 0);

  pictureSent.resolve();

  await eventually(
    () => context.pieces('file_bytes').length,
    (count) => count > 0,
  );
  await part.stop();
});
