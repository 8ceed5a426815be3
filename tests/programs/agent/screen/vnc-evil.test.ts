/** A hostile or broken VNC server: the agent disconnects with a sentence and keeps running. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { openCapture } from '@drawbridge/agent/platform/linux/vnc/capture';
import { openClipboard } from '@drawbridge/agent/platform/linux/vnc/clipboard';
import { layoutOf, resizeScreen } from '@drawbridge/agent/platform/linux/vnc/layout';
import { connectToVnc, type VncConnection } from '@drawbridge/agent/platform/linux/vnc/connection';
import { NotPossible } from '@drawbridge/agent/platform/platform';
import { eventually } from '../../../kit/eventually.ts';
import {
  greeting,
  noSecurity,
  solidRectangle,
  startScriptedVnc,
  updateOf,
  serverInit,
  type ScriptedVnc,
} from '../../../kit/display/scripted-vnc.ts';

const refusedWith =
  (pattern: RegExp) =>
  (error: unknown): true => {
    assert.ok(error instanceof NotPossible, String(error));
    assert.match(error.message, pattern);
    return true;
  };

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const copyFrom = (x: number, y: number): Buffer => Buffer.of(x >> 8, x & 255, y >> 8, y & 255);

for (const [what, sent, pattern] of [
  ['another protocol', [Buffer.from('SSH-2.0-Open\n')], /is not a VNC server/],
  ['an unknown version', [Buffer.from('RFB 002.000\n')], /too old/],
  [
    'only unsupported authentication',
    [greeting, Buffer.of(2, 19, 30)],
    /no authentication that the agent supports/,
  ],
  ['a refusal', [greeting, Buffer.of(0), number(5), Buffer.from('Full.')], /rejected the agent: Full\.$/],
  [
    'an endless refusal',
    [greeting, Buffer.of(0), number(0xffff_ffff)],
    /an error message of 4294967295 bytes/,
  ],
  ['a screen without pixels', [greeting, noSecurity, serverInit(0, 480)], /a screen of 0×480 pixels/],
  ['a screen too wide', [greeting, noSecurity, serverInit(16_385, 1)], /a screen of 16385×1 pixels/],
  [
    'a screen too large',
    [greeting, noSecurity, serverInit(16_384, 16_384)],
    /a screen of 16384×16384 pixels/,
  ],
  ['an endless name', [greeting, noSecurity, serverInit(64, 48, 0x8000_0000)], /a name of 2147483648 bytes/],
] as const)
  test(`a server that begins with ${what} is refused`, async () => {
    await using server = await startScriptedVnc(...sent);

    await assert.rejects(connectToVnc(server.place, undefined), refusedWith(pattern));
  });

test('a server that disconnects during the handshake is refused', async () => {
  await using server = await startScriptedVnc(greeting.subarray(0, 7));
  const opening = connectToVnc(server.place, undefined);
  opening.catch(() => undefined);

  await eventually(
    () => server.connections(),
    (count) => count === 1,
  );
  server.hangUp();

  await assert.rejects(opening, NotPossible);
});

const [width, height] = [64, 48];
const ready = [greeting, noSecurity, serverInit(width, height)];
const firstPicture = updateOf(solidRectangle({ x: 0, y: 0, width, height }, 0x112233));

interface OpenViewer extends AsyncDisposable {
  server: ScriptedVnc;
  line: VncConnection;
  capture: Awaited<ReturnType<typeof openCapture>>;
}

async function openViewer(): Promise<OpenViewer> {
  const server = await startScriptedVnc(...ready, firstPicture);
  const line = await connectToVnc(server.place, undefined);
  const capture = await openCapture(line);
  return {
    server,
    line,
    capture,
    async [Symbol.asyncDispose]() {
      capture.close();
      line.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** A text in the extended encoding, compressed. */
const cutTextOf = (data: Buffer): Buffer =>
  Buffer.concat([Buffer.of(3, 0, 0, 0), number(2 ** 32 - 4 - data.length), number(0x1000_0001), data]);

const wholeCopy = { width, height, encoding: 1, data: copyFrom(0, 0) };

for (const [what, sent, pattern] of [
  [
    'pixels beyond its screen',
    updateOf(solidRectangle({ x: 60, y: 0, width: 5, height: 1 })),
    /a rectangle beyond its screen \(5×1 at 60, 0\)/,
  ],
  [
    'pixels below its screen',
    updateOf(solidRectangle({ x: 0, y: 48, width: 1, height: 1 })),
    /beyond its screen/,
  ],
  [
    'a copy to beyond its screen',
    updateOf({ x: 1, width, height, encoding: 1, data: copyFrom(0, 0) }),
    /beyond its screen/,
  ],
  [
    'a copy from beyond its screen',
    updateOf({ width: 10, height: 10, encoding: 1, data: copyFrom(60, 40) }),
    /beyond its screen \(10×10 at 60, 40\)/,
  ],
  ['too many copies', updateOf(...Array.from({ length: 17 }, () => wholeCopy)), /more copied pixels/],
  ['an encoding that was not requested', updateOf({ width: 1, height: 1, encoding: 7 }), /the encoding 7/],
  ['an absurd new size', updateOf({ width: 65_535, height: 65_535, encoding: -223 }), /65535×65535/],
  ['an absurd pointer', updateOf({ width: 60_000, height: 60_000, encoding: -239 }), /a pointer of/],
  ['an absurd text', Buffer.concat([Buffer.of(3, 0, 0, 0), number(0x7fff_ffff)]), /a text of 2147483647/],
  [
    'a clipboard that decompresses to too much',
    cutTextOf(deflateSync(Buffer.alloc(64 * 1_024 * 1_024))),
    /cannot be decompressed/,
  ],
  ['a malformed clipboard', cutTextOf(Buffer.from('nonsense')), /cannot be decompressed/],
  ['a clipboard shorter than announced', cutTextOf(deflateSync(number(99))), /shorter than announced/],
  [
    'a clipboard without its flags',
    Buffer.concat([Buffer.of(3, 0, 0, 0), number(0xffff_fffd), Buffer.alloc(3)]),
    /incomplete clipboard message/,
  ],
  ['an unknown message', Buffer.of(200), /of the unknown kind 200/],
] as const)
  test(`a server that sends ${what} is disconnected`, async () => {
    await using viewer = await openViewer();
    const { server, line, capture } = viewer;

    server.send(sent);
    await eventually(line.isOpen, (isOpen) => !isOpen);

    await assert.rejects(capture.damage(), refusedWith(pattern));
    await assert.rejects(openCapture(line), refusedWith(pattern));
  });

test('a server that stalls within a rectangle is disconnected', async () => {
  await using viewer = await openViewer();
  const { server, line, capture } = viewer;

  server.send(updateOf(solidRectangle({ x: 0, y: 0, width: 10, height: 10 })).subarray(0, 100));
  await eventually(line.isOpen, (isOpen) => !isOpen);

  await assert.rejects(capture.damage(), refusedWith(/stopped in the middle of a message/));
});

test('a server that disconnects within a rectangle is dropped, and the viewer is notified', async () => {
  await using viewer = await openViewer();
  const { server, line, capture } = viewer;
  const called = Promise.withResolvers<void>();
  capture.onDamage(called.resolve);

  server.send(updateOf(solidRectangle({ x: 0, y: 0, width: 10, height: 10 })).subarray(0, 100));
  server.hangUp();
  await called.promise;

  await assert.rejects(capture.damage(), NotPossible);
  assert.equal(line.isOpen(), false);
});

/** The update requests among the bytes that came after the encodings. */
const questions = (server: ScriptedVnc): Buffer => server.received().subarray(12 + 1 + 1 + 20 + 4 + 8 * 4);

test('nothing is requested while nobody consumes the changes', async () => {
  await using viewer = await openViewer();
  const { server, capture } = viewer;
  const [whole, changes] = [0, 1].map((kind) => Buffer.of(3, kind, 0, 0, 0, 0, 0, width, 0, height));
  const asked = (...expected: Buffer[]) =>
    eventually(
      () => questions(server).toString('hex'),
      (received) => received === Buffer.concat(expected).toString('hex'),
    );
  await asked(whole!);

  await capture.damage();
  await capture.damage();
  await asked(whole!, changes!);
  const called = Promise.withResolvers<void>();
  capture.onDamage(called.resolve);
  server.send(updateOf(solidRectangle({ x: 3, y: 4, width: 5, height: 6 }, 0x445566)));
  await called.promise;
  const untouched = questions(server).length;
  const boxes = await capture.damage();
  const [pixels] = await capture.grab(boxes);
  await asked(whole!, changes!, changes!);

  assert.equal(untouched, 20);
  assert.deepEqual(boxes, [{ x: 3, y: 4, width: 5, height: 6 }]);
  const { words, offset, stride } = pixels!;
  assert.deepEqual([words[offset - 1], words[offset]], [0x112233, 0x445566]);
  assert.deepEqual([words[offset + 5 * stride + 4], words[offset + 6 * stride]], [0x445566, 0x112233]);
});

test('a request that was answered without pixels is sent again', async () => {
  await using viewer = await openViewer();
  const { server, capture } = viewer;
  await capture.damage();

  server.send(updateOf({ x: 7, y: 8, encoding: -232 }));

  await eventually(
    () => questions(server).length,
    (length) => length === 30,
  );
});

test('a server that changes its size is asked for the whole picture, and viewers of the old size are notified', async () => {
  await using viewer = await openViewer();
  const { server, line, capture } = viewer;
  await capture.damage();
  const changed = once(line.events, 'layout');

  server.send(
    updateOf(solidRectangle({ x: 0, y: 0, width: 1, height: 1 }), { width: 32, height: 24, encoding: -223 }),
  );
  await changed;
  await eventually(
    () => questions(server).subarray(20).toString('hex'),
    (received) => received === '03000000000000200018',
  );
  const opening = openCapture(line);
  server.send(updateOf(solidRectangle({ x: 0, y: 0, width: 32, height: 24 }, 0x99)));
  const next = await opening;
  const [pixels] = await next.grab([{ x: 31, y: 23, width: 1, height: 1 }]);

  assert.deepEqual(await capture.damage(), []);
  assert.equal(pixels!.words[pixels!.offset], 0x99);
  await assert.rejects(next.grab([{ x: 32, y: 0, width: 1, height: 1 }]), refusedWith(/another size/));
});

test('a server that supports only Latin-1 gets no other characters', async () => {
  await using viewer = await openViewer();
  const { server, line } = viewer;
  const [clipboard, texts] = [openClipboard(line), [] as string[]];
  clipboard.onChange((text) => texts.push(text));

  assert.throws(() => clipboard.write('снег'), refusedWith(/only Latin characters/));
  clipboard.write('Grüße');
  server.send(Buffer.concat([Buffer.of(3, 0, 0, 0), number(2), Buffer.from('né', 'latin1')]));
  server.send(
    Buffer.concat([Buffer.of(3, 0, 0, 0), number(4), Buffer.from('né✓'.slice(0, 2), 'utf8'), Buffer.of(33)]),
  );
  await eventually(
    () => texts,
    (received) => received.length === 2,
  );

  assert.deepEqual(texts, ['né', 'né!']);
  assert.equal(questions(server).subarray(10).toString('latin1'), '\x06\0\0\0\0\0\0\x05Grüße');
});

const screensOf = (...screens: [x: number, y: number, width: number, height: number][]): Buffer =>
  Buffer.concat([
    Buffer.of(screens.length, 0, 0, 0),
    ...screens.map((places, index) => {
      const bytes = Buffer.alloc(16);
      bytes.writeUInt32BE(index + 40, 0);
      places.forEach((place, at) => bytes.writeUInt16BE(place, 4 + 2 * at));
      return bytes;
    }),
  ]);

test('the monitors of a server are those it reports, without those that are not on its screen', async () => {
  await using viewer = await openViewer();
  const { server, line } = viewer;
  const before = layoutOf(line);
  await assert.rejects(resizeScreen(line, 32, 24), refusedWith(/cannot change the size/));

  const data = screensOf([0, 0, 40, 48], [40, 0, 24, 48], [60, 0, 40, 40], [0, 0, 0, 0]);
  server.send(updateOf({ width, height, encoding: -308, data }));
  await eventually(
    () => layoutOf(line).monitors,
    (monitors) => monitors.length === 2,
  );

  assert.deepEqual(before.monitors, [{ name: 'screen', x: 0, y: 0, width, height, primary: true }]);
  assert.deepEqual(layoutOf(line).monitors, [
    { name: 'screen-1', x: 0, y: 0, width: 40, height: 48, primary: true },
    { name: 'screen-2', x: 40, y: 0, width: 24, height: 48, primary: false },
  ]);
  await assert.rejects(resizeScreen(line, 32, 24), refusedWith(/one monitor/));
});

test('a server that refuses another size keeps its own, and the request fails', async () => {
  await using viewer = await openViewer();
  const { server, line } = viewer;
  const data = screensOf([0, 0, width, height]);
  server.send(updateOf({ width, height, encoding: -308, data }));
  await eventually(line.screens, (screens) => screens?.length === 1);

  const resizing = resizeScreen(line, 32, 24);
  server.send(updateOf({ x: 1, y: 1, width: 32, height: 24, encoding: -308, data }));

  await assert.rejects(resizing, refusedWith(/did not change the size of the screen to 32×24 pixels/));
  assert.equal(line.framebuffer().width, width);
});
