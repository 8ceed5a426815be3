/** Uploads in parts that did not finish leave nothing behind in the object storage. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { toObjectStorage } from '@drawbridge/server/domain/object-storage';
import { sweepFiles } from '@drawbridge/server/jobs/sweep-files';
import { openBucket } from '@drawbridge/server/store/blobs/object-bucket';
import { openObjectBlobStore } from '@drawbridge/server/store/blobs/object-blob-store';
import { openMultipartFront, type MultipartFront } from '../kit/storage/multipart-front.ts';
import { startObjectStorage, type TestObjectStorage } from '../kit/storage/object-storage.ts';

const partBytes = 5 * 1_048_576;
const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
const noRows = { files: { referencedKeys: async () => [] } } as unknown as Parameters<typeof sweepFiles>[0];

let storage: TestObjectStorage;
let front: MultipartFront;
before(async () => {
  storage = await startObjectStorage();
  front = await openMultipartFront(storage.urlOf(''));
});
after(async () => {
  await front[Symbol.asyncDispose]();
  await storage[Symbol.asyncDispose]();
});

const openThrough = async (url: string, prefix: string) =>
  (await openObjectBlobStore({
    bucket: openBucket(toObjectStorage(url)!),
    prefix,
    largest: 2 * partBytes,
    owner: 'us',
    now: () => Date.now() / 1_000,
  }))!;

async function* pieces(count: number, fails: boolean): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < count; at += 1) yield randomBytes(partBytes);
  if (fails) throw new Error('the connection was lost');
}

test('an upload that breaks off or is too large removes its parts at once', async () => {
  const blobs = await openThrough(front.through(storage.urlOf('a')), 'a/');

  const outcomes = [await blobs.put(1, pieces(1, true)), await blobs.put(1, pieces(3, false))];
  const stored = await blobs.put(1, pieces(2, false));

  assert.deepEqual(outcomes, ['broken', 'too_large']);
  assert.equal(typeof stored, 'object');
  assert.deepEqual([...front.uploads], []);
});

test('what a killed server left is removed after two hours, and nothing of others', async () => {
  const blobs = await openThrough(front.through(storage.urlOf('b')), 'b/files/');
  front.uploads.set('old', { name: 'b/files/1/x', initiated: hoursAgo(3) });
  front.uploads.set('older', { name: 'b/files/2/y', initiated: hoursAgo(30) });
  front.uploads.set('running', { name: 'b/files/1/z', initiated: hoursAgo(1) });
  front.uploads.set('foreign', { name: 'c/files/1/x', initiated: hoursAgo(30) });

  const removed = await sweepFiles(noRows, blobs);

  assert.equal(removed, 2);
  assert.deepEqual([...front.uploads.keys()], ['running', 'foreign']);
});

test('a storage that cannot list unfinished uploads does not stop the rest of the cleaning', async () => {
  const blobs = await openThrough(storage.urlOf('d'), 'd/files/');

  assert.equal(await sweepFiles(noRows, blobs), 0);
});
