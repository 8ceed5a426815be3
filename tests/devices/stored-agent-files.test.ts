/** Agent files in an object storage: servers offer them like those of a folder, and they can be copied both ways. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runAdmin } from '@drawbridge/server/admin/run';
import { toObjectStorage } from '@drawbridge/server/domain/object-storage';
import { openBucket } from '@drawbridge/server/store/blobs/object-bucket';
import { startObjectStorage, type TestObjectStorage } from '../kit/storage/object-storage.ts';
import { startService, type TestService } from '../kit/server/service.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('agent files in an object storage', () => {
  const outer = mkdtempSync(join(tmpdir(), 'drawbridge-stored-'));
  const folderOf = (name: string): string => mkdtempSync(join(outer, `${name}-`));
  const [offer, own, back] = [folderOf('offer'), folderOf('own'), folderOf('back')];
  /** Larger than one part of an upload. */
  const linux = randomBytes(6_000_000);
  const windows = randomBytes(70_000);
  let storage: TestObjectStorage;
  let service: TestService;
  before(async () => {
    storage = await startObjectStorage();
    const env = { DRAWBRIDGE_OBJECT_STORAGE: storage.urlOf('release'), DRAWBRIDGE_DOWNLOADS: own };
    service = await startService({ env, cluster: false });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await storage[Symbol.asyncDispose]();
    rmSync(outer, { recursive: true });
  });

  const files = { 'drawbridge-agent-linux-x64': linux, 'drawbridge-agent-windows-x64.exe': windows };
  const manifestOf = (version: string, content: Record<string, Buffer>): string =>
    JSON.stringify({
      version,
      sequence: 7,
      files: Object.entries(content).map(([name, bytes]) => ({
        name,
        os: name.includes('linux') ? 'linux' : 'windows',
        arch: 'x64',
        size: bytes.length,
        sha256: sha256(bytes),
      })),
    });
  function fill(folder: string, version: string, content: Record<string, Buffer>): void {
    for (const [name, bytes] of Object.entries(content)) writeFileSync(join(folder, name), bytes);
    writeFileSync(join(folder, 'release.json'), `{"signed":"${version}"}`);
    writeFileSync(join(folder, 'manifest.json'), manifestOf(version, content));
  }

  async function copy(to: string, downloads: string) {
    let printed = '';
    const settings = { DRAWBRIDGE_OBJECT_STORAGE: storage.urlOf('release'), DRAWBRIDGE_DOWNLOADS: downloads };
    const exit = await runAdmin(['storage', 'copy', '--to', to, '--json'], {
      env: { DRAWBRIDGE_DATA: service.folder, ...settings },
      folder: service.folder,
      out: (text) => void (printed += text),
      err: (text) => void (printed += text),
    });
    return { exit, printed };
  }
  const get = (path: string, headers = {}) => service.testClient.send({ path: `/download/${path}`, headers });
  const offered = async (): Promise<string> => (await get('release.json')).text;

  test('nothing is offered before all files are stored; the copy goes on where it stopped', async () => {
    fill(offer, '9.0.0', files);
    writeFileSync(join(offer, 'drawbridge-agent-windows-x64.exe'), randomBytes(windows.length));

    const stopped = await copy('object-storage', offer);
    await service.restart();
    const between = await get('release.json');
    fill(offer, '9.0.0', files);
    const whole = await copy('object-storage', offer);
    const again = await copy('object-storage', offer);

    assert.equal(stopped.exit, 1);
    assert.match(
      stopped.printed,
      /windows-x64\.exe is missing, or is not the one that its manifest describes/,
    );
    assert.equal(between.http, 404);
    assert.deepEqual(JSON.parse(whole.printed), { copied: 1, present: 1, bytes: windows.length });
    assert.deepEqual(JSON.parse(again.printed), { copied: 0, present: 2, bytes: 0 });
  });

  test('a server without agent files offers them, with ranges and ETags, and says 503 while the storage is away', async () => {
    await service.restart();
    const name = 'drawbridge-agent-linux-x64';
    const tag = `"${sha256(linux)}"`;

    const whole = await get(name);
    const part = await get(name, { Range: 'bytes=5242870-5242890', 'If-Range': tag });
    const beyond = await get(name, { Range: `bytes=${linux.length}-` });
    const known = await get(name, { 'If-None-Match': tag });
    await storage.stop();
    const away = [await get(name), await get('SHA256SUMS')];
    await storage.start();

    assert.equal(await offered(), '{"signed":"9.0.0"}');
    assert.deepEqual([whole.http, sha256(whole.bytes)], [200, sha256(linux)]);
    assert.deepEqual(
      ['etag', 'content-length', 'accept-ranges', 'content-type', 'cache-control'].map(
        (header) => whole.headers[header],
      ),
      [tag, String(linux.length), 'bytes', 'application/octet-stream', 'no-cache'],
    );
    assert.deepEqual([part.http, part.bytes], [206, linux.subarray(5_242_870, 5_242_891)]);
    assert.equal(part.headers['content-range'], `bytes 5242870-5242890/${linux.length}`);
    assert.deepEqual([beyond.http, known.http], [416, 304]);
    assert.deepEqual(
      away.map(({ http }) => http),
      [503, 200],
    );
  });

  test('the newer release is offered: that of the storage, or that of the server', async () => {
    const versions: string[] = [];
    for (const version of ['8.9.9', '9.0.0', '10.0.0']) {
      fill(own, version, { 'drawbridge-agent-linux-x64': windows });
      versions.push(JSON.parse((await get('install.json')).text).files.length, await offered());
    }

    assert.deepEqual(versions, [2, '{"signed":"9.0.0"}', 2, '{"signed":"9.0.0"}', 1, '{"signed":"10.0.0"}']);
  });

  test('they are copied back, and files of releases before the last two are removed', async () => {
    const fetched = await copy('folders', back);
    const repeated = await copy('folders', back);
    const keys = async (): Promise<number> => {
      const bucket = openBucket(toObjectStorage(storage.urlOf('release'))!);
      return (await bucket.list('release/agent-files/0/', '', 100)).length;
    };
    for (const version of ['9.1.0', '9.2.0']) {
      fill(offer, version, { 'drawbridge-agent-linux-x64': randomBytes(50) });
      await copy('object-storage', offer);
    }

    assert.deepEqual(JSON.parse(fetched.printed), {
      copied: 2,
      present: 0,
      bytes: linux.length + windows.length,
    });
    assert.deepEqual(JSON.parse(repeated.printed), { copied: 0, present: 2, bytes: 0 });
    assert.deepEqual(readdirSync(back).toSorted(), [
      'SHA256SUMS',
      ...Object.keys(files),
      'manifest.json',
      'release.json',
    ]);
    assert.equal(readFileSync(join(back, 'manifest.json'), 'utf8'), manifestOf('9.0.0', files));
    assert.ok(readFileSync(join(back, 'drawbridge-agent-linux-x64')).equals(linux));
    assert.equal(await keys(), 2);
  });
});
