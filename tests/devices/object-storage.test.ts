/** Attached files and recordings in folders and in a real object storage: both behave alike, and can be copied into each other. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openBlobStores } from '@drawbridge/server/compose/blob-stores';
import { runAdmin } from '@drawbridge/server/admin/run';
import { toObjectStorage } from '@drawbridge/server/domain/object-storage';
import { openBlobStore } from '@drawbridge/server/store/blobs/blob-store';
import { openBucket } from '@drawbridge/server/store/blobs/object-bucket';
import { openObjectBlobStore } from '@drawbridge/server/store/blobs/object-blob-store';
import type { CopyableBlobStore } from '@drawbridge/server/store/blobs/blob-bytes';
import { startObjectStorage, type TestObjectStorage } from '../kit/storage/object-storage.ts';
import { eventually } from '../kit/eventually.ts';
import { startProgram } from '../kit/process.ts';
import { startService } from '../kit/server/service.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const mebibyte = 1_048_576;
const largest = 12 * mebibyte;

async function* piecesOf(bytes: Uint8Array, failAfter = Infinity): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 100_000) {
    if (at >= failAfter) throw new Error('the connection was lost');
    yield bytes.subarray(at, at + 100_000);
  }
}

let storage: TestObjectStorage;
before(async () => void (storage = await startObjectStorage()));
after(() => storage[Symbol.asyncDispose]());

let prefixes = 0;
/** By how many hours the time of the database is ahead of the clock of this machine, as it is now. */
let hoursAhead = 0;
const machineNow = Date.now;
const now = (): number => Math.floor(machineNow() / 1_000) + hoursAhead * 3_600;
const openers: Record<string, () => (owner: string) => Promise<CopyableBlobStore | undefined>> = {
  folder() {
    const folder = mkdtempSync(join(tmpdir(), 'drawbridge-blobs-'));
    after(() => rmSync(folder, { recursive: true }));
    return (owner) => openBlobStore({ folder, largest, owner, now });
  },
  bucket() {
    const bucket = openBucket(toObjectStorage(storage.urlOf('suite'))!);
    const prefix = `suite/${(prefixes += 1)}/`;
    return (owner) => openObjectBlobStore({ bucket, prefix, largest, owner, now });
  },
};

for (const [name, opener] of Object.entries(openers))
  describe(`a blob store in a ${name}`, () => {
    let reopen: ReturnType<typeof opener>;
    let blobs: CopyableBlobStore;
    before(async () => {
      reopen = opener();
      blobs = (await reopen('us'))!;
    });
    const stored = async (account: number, bytes: Uint8Array): Promise<string> => {
      const put = await blobs.put(account, piecesOf(bytes));
      assert.ok(typeof put === 'object');
      return put.blobKey;
    };
    const keysOf = async (account: number): Promise<string[]> =>
      (await Array.fromAsync(blobs.keys(account))).flat();

    test('returns the bytes it was given, whole and in ranges, to their account only', async () => {
      const bytes = randomBytes(11 * mebibyte + 7);

      const put = await blobs.put(1, piecesOf(bytes));

      assert.ok(typeof put === 'object');
      assert.deepEqual([put.size, put.digest], [bytes.length, sha256(bytes)]);
      const opened = (await blobs.open(1, put.blobKey, bytes.length))!;
      const read = async (first: number, last: number) =>
        Buffer.concat(await Array.fromAsync(opened.read(first, last) as AsyncIterable<Buffer>));
      const middle = (await blobs.open(1, put.blobKey, bytes.length))!;
      assert.equal(sha256(await read(0, bytes.length - 1)), sha256(bytes));
      assert.deepEqual(
        Buffer.concat(await Array.fromAsync(middle.read(5_242_870, 5_242_890) as AsyncIterable<Buffer>)),
        bytes.subarray(5_242_870, 5_242_891),
      );
      assert.equal(await blobs.open(2, put.blobKey, bytes.length), undefined);
      assert.equal(await blobs.open(1, put.blobKey, bytes.length - 1), undefined);
      assert.equal(await blobs.open(1, `../1/${put.blobKey}`, bytes.length), undefined);
    });

    test('stores nothing of what is too large or breaks off', async () => {
      const kept = await keysOf(3);

      assert.equal(await blobs.put(3, piecesOf(randomBytes(largest + 1))), 'too_large');
      assert.equal(await blobs.put(3, piecesOf(randomBytes(6 * mebibyte), 5.5 * mebibyte)), 'broken');
      assert.equal(await blobs.put(3, piecesOf(randomBytes(300_000), 200_000)), 'broken');

      assert.deepEqual(await keysOf(3), kept);
    });

    test('lists accounts and keys, and names as settled only what is old', async () => {
      const bytes = randomBytes(10);
      const keys = [await stored(12, bytes), await stored(12, bytes), await stored(101, Buffer.alloc(0))];

      assert.deepEqual(
        (await blobs.accounts()).filter((account) => account > 10).toSorted((a, b) => a - b),
        [12, 101],
      );
      assert.deepEqual((await keysOf(12)).toSorted(), keys.slice(0, 2).toSorted());
      assert.equal(await blobs.sizeOf(101, keys[2]!), 0);
      assert.deepEqual(await Array.fromAsync(blobs.settled(12)), []);
      await blobs.remove(12, keys[0]!);
      await blobs.remove(12, keys[0]!);
      assert.deepEqual(await keysOf(12), [keys[1]]);
      assert.equal(await blobs.sizeOf(12, keys[0]!), undefined);
    });

    test('names as settled what is old for the database, whatever the clock of the machine says', async (t) => {
      t.after(() => void (hoursAhead = 0));
      const settled = async () => (await Array.fromAsync(blobs.settled(30))).flat();
      const key = await stored(30, randomBytes(10));
      t.mock.method(Date, 'now', () => machineNow() + 30 * 3_600_000);
      const [byMachine, ended] = [await settled(), await blobs.endUploads?.()];
      hoursAhead = 3;

      assert.deepEqual([byMachine, ended ?? 0], [[], 0]);
      assert.deepEqual(await settled(), [key]);
    });

    test('is refused to another database, and keeps copies under their key', async () => {
      const key = await stored(1, randomBytes(5));
      const bytes = randomBytes(6 * mebibyte);

      await blobs.putCopy(7, key, piecesOf(bytes));

      assert.equal(await blobs.sizeOf(7, key), bytes.length);
      assert.equal(await reopen('somebody else'), undefined);
      assert.ok(await reopen('us'));
      await assert.rejects(blobs.putCopy(7, 'a/b', piecesOf(bytes)));
      await assert.rejects(blobs.putCopy(8, key, piecesOf(bytes, 5.5 * mebibyte)));
      assert.equal(await blobs.sizeOf(8, key), undefined);
    });
  });

test('a file that was stored on a machine whose clock is behind is not settled', async (t) => {
  t.after(() => void (hoursAhead = 0));
  hoursAhead = 3;
  const blobs = (await openers['folder']!()('us'))!;

  await blobs.put(1, piecesOf(randomBytes(10)));

  assert.deepEqual(await Array.fromAsync(blobs.settled(1)), []);
  hoursAhead = 6;
  assert.equal((await Array.fromAsync(blobs.settled(1))).flat().length, 1);
});

describe('a server with an object storage', () => {
  test('stores files there, and says 503 while it does not respond', async () => {
    await using service = await startService({ env: { DRAWBRIDGE_OBJECT_STORAGE: storage.urlOf('server') } });
    const { owner, ...account } = await service.account();
    const { id: agent_id } = await account.agent();
    const bytes = randomBytes(6 * mebibyte);
    const get = (id: number) =>
      service.testClient.send({
        path: `/v1/agents/files/get?id=${id}`,
        headers: { 'X-Api-Key': owner.apiKey, Range: 'bytes=5242000-5243999' },
      });

    const added = await owner.call('agents/files/add', { agent_id, name: 'a' }, bytes);
    const part = await get(added.body['id']);
    await storage.stop();
    const refused = [
      await owner.call('agents/files/add', { agent_id, name: 'b' }, bytes),
      await get(added.body['id']),
    ];
    await storage.start();
    const again = await owner.call('agents/files/add', { agent_id, name: 'b' }, bytes);

    assert.equal(added.body['sha256'], sha256(bytes));
    assert.deepEqual([part.http, part.bytes], [206, bytes.subarray(5_242_000, 5_244_000)]);
    assert.deepEqual(
      refused.map(({ http }) => http),
      [503, 503],
    );
    assert.equal(again.http, 200);
    assert.deepEqual(
      readdirSync(service.folder).filter((name) => ['files', 'recordings'].includes(name)),
      [],
    );
  });

  test('does not start with a wrong key, and says why', async () => {
    const env = { DRAWBRIDGE_OBJECT_STORAGE: storage.urlOf('server', 'wrong') };

    await assert.rejects(
      startService({ env }),
      /object storage failed: 403.*Check DRAWBRIDGE_OBJECT_STORAGE/s,
    );
  });

  test('takes over files that were copied from the folders, and gives them back', async () => {
    const url = storage.urlOf('moved');
    await using service = await startService({});
    const { owner, ...account } = await service.account();
    const { id: agent_id } = await account.agent();
    for (const name of ['a', 'b', 'c'])
      await owner.call('agents/files/add', { agent_id, name }, randomBytes(1_000));
    const copy = async (to: string) => {
      let printed = '';
      const exit = await runAdmin(['storage', 'copy', '--to', to, '--json'], {
        env: { DRAWBRIDGE_DATA: service.folder, DRAWBRIDGE_OBJECT_STORAGE: url },
        folder: service.folder,
        out: (text) => void (printed += text),
        err: () => {},
      });
      return [exit, JSON.parse(printed)] as const;
    };

    const first = await copy('object-storage');
    const second = await copy('object-storage');
    rmSync(join(service.folder, 'files'), { recursive: true });
    const back = await copy('folders');

    assert.deepEqual(first, [0, { copied: 3, present: 0, bytes: 3_000 }]);
    assert.deepEqual(second, [0, { copied: 0, present: 3, bytes: 0 }]);
    assert.deepEqual(back, [0, { copied: 3, present: 0, bytes: 3_000 }]);
    assert.equal((await copy('nowhere'))[0], 2);
  });

  test('takes over recordings although the copy is interrupted', async () => {
    const env = { DRAWBRIDGE_OBJECT_STORAGE: storage.urlOf('interrupted') };
    await using service = await startService({});
    const { server, folder } = service;
    const { id: account } = await service.account();
    const { recordings: source } = await openBlobStores(server.config, server.store);
    const [bytes, count] = [randomBytes(100_000), 60];
    const keys: string[] = [];
    while (keys.length < count) {
      const put = await source.put(account, piecesOf(bytes));
      keys.push((put as { blobKey: string }).blobKey);
    }
    const args = ['storage', 'copy', '--to', 'object-storage', '--json'];
    const copy = () => startProgram('server/src/admin/main.ts', args, { ...env, DRAWBRIDGE_DATA: folder });
    const objectStorage = toObjectStorage(env.DRAWBRIDGE_OBJECT_STORAGE)!;
    const { recordings: target } = await openBlobStores({ ...server.config, objectStorage }, server.store);
    const copied = async () => (await Array.fromAsync(target.keys(account))).flat();

    await using killed = copy();
    await eventually(copied, (some) => some.length > 0);
    await killed.end('SIGKILL');
    const copiedFirst = (await copied()).length;
    await using repeated = copy();
    const exit = await repeated.gone;

    assert.ok(copiedFirst < count, `${copiedFirst} were copied before it was killed`);
    assert.deepEqual([exit, (await copied()).toSorted()], [0, keys.toSorted()]);
    const report = JSON.parse(/\{.*\}/s.exec(repeated.output())![0]) as { copied: number; present: number };
    assert.equal(report.copied + report.present, count);
    assert.ok(report.present >= copiedFirst, JSON.stringify(report));
    for (const key of keys) assert.equal(await target.sizeOf(account, key), bytes.length);
  });
});
