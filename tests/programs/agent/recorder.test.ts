/**
 * What the device does with the frames of a recording: it collects, encrypts and uploads them in order, or
 * reports that it cannot.
 */
import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { encodeCursor, decodeCursor } from '@drawbridge/contract/session/screen-frames';
import { chunkHeaders, type RecordedFrame } from '@drawbridge/contract/session/recording';
import { createRecorder, type Recorder } from '@drawbridge/agent/session/recording/recorder';
import { createRecordingKeys, deriveRecordingKey } from '@drawbridge/server/sessions/recording-keys';
import { openChunkReader } from '@drawbridge/web/player/chunk-reader';
import { toTimeline } from '@drawbridge/web/player/timeline';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import { makeKeyPair } from '../../kit/server/proxies.ts';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import { eventually } from '../../kit/eventually.ts';
import { openSessionFixture } from '../../kit/session/session-fixture.ts';

interface Posted {
  path: string;
  token: string;
  key: string;
  from: number;
  to: number;
  whole: boolean;
  last: boolean;
  bytes: Buffer;
}

interface RecorderFixture extends AsyncDisposable {
  url: string;
  posted: Posted[];
  /** The status codes of the first answers. */
  answers: number[];
  failures: string[];
  refreshed(): number;
  recorder: Recorder;
  /** Advances the clock, for the recorder too. */
  pass(ms: number): void;
  /** What a player shows of the uploaded chunks. */
  played(): Promise<RecordedFrame[][]>;
}

async function openRecorderFixture(context?: TestContext, trusted = true): Promise<RecorderFixture> {
  context?.mock.timers.enable({ apis: ['setInterval'] });
  const pair = await makeKeyPair();
  const posted: Posted[] = [];
  const answers: number[] = [];
  const server = createServer({ cert: pair.cert, key: pair.key }, (request, response) => {
    const answer = async (): Promise<void> => {
      const bytes = await buffer(request);
      const code = answers.shift() ?? 204;
      const header = (name: keyof typeof chunkHeaders): string => String(request.headers[chunkHeaders[name]]);
      if (code === 204)
        posted.push({
          path: request.url!,
          token: String(request.headers.authorization),
          key: header('key'),
          from: Number(header('from')),
          to: Number(header('to')),
          whole: header('whole') === '1',
          last: header('last') === '1',
          bytes,
        });
      response.writeHead(code).end();
    };
    void answer();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const keys = createRecordingKeys();
  const certificate = createHash('sha256').update(new X509Certificate(pair.cert).raw).digest('base64url');
  const [failures, clock] = [[] as string[], { now: 1_000, refreshed: 0 }];
  const url = `https://localhost:${(server.address() as AddressInfo).port}/recording-upload/3`;
  const recorder = createRecorder({
    session: 7,
    accountKey: keys.publicKey,
    destination: {
      url,
      token: 'the-token',
      certificates: trusted ? [certificate] : [],
    },
    now: () => clock.now,
    refresh: () => void (clock.refreshed += 1),
    onFailure: (message) => void failures.push(message),
  });
  return {
    url,
    posted,
    answers,
    failures,
    recorder,
    refreshed: () => clock.refreshed,
    pass(ms) {
      clock.now += ms;
      context?.mock.timers.tick(ms);
    },
    async played() {
      const index = {
        session: 7,
        name: '',
        operator: '',
        start: 0,
        takes: [
          {
            id: 3,
            key: deriveRecordingKey(keys, posted[0]!.key)!,
            complete: posted.at(-1)!.last,
            chunks: posted.map(({ from, to, whole, bytes }) => ({
              from,
              to,
              whole,
              size: bytes.length,
              digest: createHash('sha256').update(bytes).digest('base64url'),
            })),
          },
        ],
      };
      const chunks = openChunkReader(
        toTimeline(index),
        async ({ number }) => Uint8Array.from(posted[number]!.bytes).buffer,
      );
      return Promise.all(posted.map(async (_, number) => [...(await chunks.frames(number))]));
    },
    async [Symbol.asyncDispose]() {
      await recorder.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const summaryOf = (frames: readonly RecordedFrame[]): string[] =>
  frames.map(({ at, kind, payload }) => `${at} ${kind} ${new TextDecoder().decode(payload)}`);

test('frames keep their times, in chunks that begin with a whole picture, and the last chunk is marked', async (context) => {
  await using fixture = await openRecorderFixture(context);
  const { recorder, posted, pass } = fixture;

  recorder.record('layout', bytesOf('small'));
  recorder.record('tiles', bytesOf('a'));
  recorder.record('terminal_bytes', bytesOf('nobody records this'));
  pass(1_000);
  recorder.record('video', bytesOf('b'));
  pass(4_000);
  recorder.record('tiles', bytesOf('c'));
  recorder.record('layout', bytesOf('large'));
  recorder.record('tiles', bytesOf('d'));
  await recorder.close();

  assert.deepEqual((await fixture.played()).map(summaryOf), [
    ['0 layout small', '0 tiles a', '1000 video b'],
    ['5000 tiles c'],
    ['5000 layout large', '5000 tiles d'],
  ]);
  assert.deepEqual(
    posted.map(({ path, from, to, whole, last }) => [path, from, to, whole, last]),
    [
      ['/recording-upload/3/0', 0, 5_000, true, false],
      ['/recording-upload/3/1', 5_000, 5_000, false, false],
      ['/recording-upload/3/2', 5_000, 5_000, true, true],
    ],
  );
  assert.ok(posted.every(({ token }) => token === 'Bearer the-token'));
});

test('a large chunk is closed early', async (context) => {
  await using fixture = await openRecorderFixture(context);

  for (let count = 0; count < 3; count++) fixture.recorder.record('tiles', new Uint8Array(300_000));
  await fixture.recorder.close();

  assert.deepEqual(
    fixture.posted.map((chunk) => chunk.bytes.length > 512 * 1_024),
    [true, false],
  );
});

test('every minute the recording repeats the whole picture with size and pointer, but not while nothing changes', async (context) => {
  await using fixture = await openRecorderFixture(context);
  const { recorder, pass } = fixture;
  const shape = { width: 1, height: 1, hotX: 0, hotY: 0, png: Uint8Array.of(9) };
  recorder.record('layout', bytesOf('small'));
  recorder.record('cursor', encodeCursor({ x: 1, y: 1, shape }));
  recorder.record('tiles', bytesOf('a'));
  pass(1_000);
  recorder.record('cursor', encodeCursor({ x: 5, y: 6 }));
  for (let count = 0; count < 40; count++) pass(5_000);
  assert.equal(fixture.refreshed(), 0);

  recorder.record('tiles', bytesOf('b'));
  pass(5_000);
  assert.equal(fixture.refreshed(), 1);
  for (let count = 0; count < 20; count++) pass(5_000);
  assert.equal(fixture.refreshed(), 1);
  recorder.record('tiles', bytesOf('whole again'));
  for (let count = 0; count < 20; count++) pass(5_000);
  await recorder.close();

  assert.equal(fixture.refreshed(), 1);
  const refreshFrames = (await fixture.played()).find((frames) =>
    summaryOf(frames).some((line) => /whole again/.test(line)),
  )!;
  assert.deepEqual(
    refreshFrames.map(({ kind }) => kind),
    ['layout', 'cursor', 'tiles'],
  );
  assert.deepEqual(decodeCursor(Uint8Array.from(refreshFrames[1]!.payload)), { x: 5, y: 6, shape });
});

test('chunks that the server could not accept at once are uploaded again, in order', async (context) => {
  await using fixture = await openRecorderFixture(context);
  fixture.answers.push(503);

  fixture.recorder.record('tiles', bytesOf('a'));
  fixture.pass(5_000);
  fixture.recorder.record('tiles', bytesOf('b'));
  await fixture.recorder.close();

  assert.deepEqual((await fixture.played()).map(summaryOf), [['0 tiles a'], ['5000 tiles b']]);
  assert.deepEqual(fixture.failures, []);
});

test('after a server rejects the recording, nothing more is sent', async (context) => {
  await using fixture = await openRecorderFixture(context);
  fixture.answers.push(402);

  fixture.recorder.record('tiles', bytesOf('a'));
  fixture.pass(5_000);
  await eventually(
    () => fixture.failures.length,
    (count) => count === 1,
  );
  fixture.recorder.record('tiles', bytesOf('b'));
  fixture.pass(5_000);
  await fixture.recorder.close();

  assert.match(fixture.failures.join(), /storage of the account is full/);
  assert.deepEqual(fixture.posted, []);
});

test('a server whose certificate is not trusted gets neither token nor recording', async (context) => {
  await using fixture = await openRecorderFixture(context, false);

  fixture.recorder.record('tiles', bytesOf('a'));
  await fixture.recorder.close();

  assert.match(fixture.failures.join(), /certificate of the server is not trusted/);
  assert.deepEqual(fixture.posted, []);
});

test('the question and the banner tell the person at the device that the session is recorded', async () => {
  const shown: string[] = [];
  const desktop: Partial<Desktop> = {
    onClose: () => {},
    ask: async (question) => (shown.push(question), true),
    banner: async (text) => (shown.push(text), { onStop: () => {}, setText: () => {}, close: () => {} }),
    close: () => {},
  };
  const platform = createFakePlatform('desk', { desktop: async () => desktop as Desktop });
  await using place = await openRecorderFixture();
  const record = { url: place.url, token: 'token', key: createRecordingKeys().publicKey };
  await using fixture = await openSessionFixture({ platform, parts: [] });
  await using ann = fixture.meet({ confirm: true, name: 'Ann', grant: { record } });

  const { recording } = await ann.until('state', ({ phase }) => phase === 'live');

  assert.equal(recording, true);
  assert.match(shown[0]!, /^Ann \(192\.0\.2\.1\) wants to .*The session is recorded/);
  assert.match(shown[1]!, /^Ann is connected .*this session is recorded/);
});
