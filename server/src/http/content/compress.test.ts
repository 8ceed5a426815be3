/** Compression: which encoding is chosen, and that only the size changes. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { chooseEncoding, compress } from './compress.ts';

const answer = Buffer.from(
  JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id, name: `desk ${id}` }))),
);
const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };

for (const encoding of ['gzip', 'br', 'zstd'] as const) {
  test(`${encoding} makes the body smaller and decodes to the same bytes`, async () => {
    const sent = await compress(answer, encoding);

    assert.equal(sent.encoding, encoding);
    assert.ok(sent.body.length < answer.length / 2);
    assert.deepEqual(decoders[encoding](sent.body), answer);
  });
}

test('small bodies and those that would not shrink are sent uncompressed', async () => {
  const [small, noise] = [answer.subarray(0, 1_023), randomBytes(4_096)];

  assert.deepEqual(await compress(small, 'gzip'), { body: small });
  assert.deepEqual(await compress(noise, 'gzip'), { body: noise });
  assert.equal((await compress(answer.subarray(0, 1_024), 'gzip')).encoding, 'gzip');
});

test('a constant body is compressed once per encoding, and others every time', async () => {
  const [first, again, zstd] = await Promise.all([
    compress(answer, 'gzip', 'cached'),
    compress(answer, 'gzip', 'cached'),
    compress(answer, 'zstd', 'cached'),
  ]);
  const [uncached, uncachedAgain] = await Promise.all([compress(answer, 'gzip'), compress(answer, 'gzip')]);

  assert.equal(first.body, again.body);
  assert.deepEqual([gunzipSync(first.body), zstdDecompressSync(zstd.body)], [answer, answer]);
  assert.notEqual(uncached.body, uncachedAgain.body);
  assert.notEqual(uncached.body, first.body);
});

test('a client that does not request compression gets none', async () => {
  assert.deepEqual(await compress(answer, undefined), { body: answer });
  for (const header of ['', 'identity', 'deflate, compress', 'gzip;q=0', '*;q=0', 'gzip;q=0.000, *;q=0']) {
    assert.equal(chooseEncoding(header), undefined, header);
  }
});

test('gzip is chosen if the client prefers no other encoding to it', () => {
  for (const header of [
    'gzip',
    'zstd, br, gzip',
    'gzip, deflate, br, zstd',
    '*',
    'GZIP',
    'x-gzip',
    'br;q=0.5, gzip;q=0.5',
  ]) {
    assert.equal(chooseEncoding(header), 'gzip', header);
  }
});

test('another encoding is chosen if the client does not accept gzip or prefers the other', () => {
  assert.equal(chooseEncoding('br'), 'br');
  assert.equal(chooseEncoding('zstd'), 'zstd');
  assert.equal(chooseEncoding('zstd, br'), 'br');
  assert.equal(chooseEncoding('gzip;q=0, *'), 'br');
  assert.equal(chooseEncoding('br, gzip;q=0.8'), 'br');
  assert.equal(chooseEncoding('gzip; q=0.1 , zstd ;q=0.2'), 'zstd');
});

test('a large body for one request has the encoding that costs least among those that the client likes equally', async () => {
  const large = Buffer.concat(Array.from({ length: 8 }, () => answer));
  const encodingOf = async (header: string, caching?: 'cached'): Promise<string | undefined> =>
    (await compress(large, header, caching)).encoding;

  assert.ok(large.length > 65_536 && answer.length < 65_536);
  assert.equal(await encodingOf('gzip, deflate, br, zstd'), 'zstd');
  assert.equal(await encodingOf('gzip, deflate, br'), 'br');
  assert.equal(await encodingOf('gzip, deflate'), 'gzip');
  assert.equal(await encodingOf('gzip, zstd;q=0.9'), 'gzip');
  assert.equal(await encodingOf('gzip, deflate, br, zstd', 'cached'), 'gzip');
  assert.equal((await compress(answer, 'gzip, deflate, br, zstd')).encoding, 'gzip');
});

test('a client that prefers the uncompressed form gets it', () => {
  assert.equal(chooseEncoding('identity, gzip;q=0.5'), undefined);
  assert.equal(chooseEncoding('identity;q=0.5, gzip'), 'gzip');
  assert.equal(chooseEncoding('identity, gzip'), 'gzip');
});

test('an encoding with a malformed weight is not used', () => {
  for (const header of [
    'gzip;q=2',
    'gzip;q=-1',
    'gzip;q=abc',
    'gzip;q=',
    'gzip;q=1.5',
    'gzip;q=0.1234',
    ';;,,;q=1',
  ]) {
    assert.equal(chooseEncoding(header), undefined, header);
  }
});

test('compression of a large body does not block the event loop', async () => {
  const large = Buffer.from(
    JSON.stringify(Array.from({ length: 200_000 }, (_, id) => ({ id, name: `desk ${id}` }))),
  );
  let turns = 0;
  let done = false;
  const turn = (): void => {
    turns += 1;
    if (!done) setImmediate(turn);
  };

  setImmediate(turn);
  const sent = await compress(large, 'gzip');
  done = true;

  assert.deepEqual(gunzipSync(sent.body), large);
  assert.ok(turns > 100, `the loop turned ${turns} times`);
});
