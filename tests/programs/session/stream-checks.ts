/** The kinds of frames that carry streams: screen, terminal, files and calls, each used between a page and a device. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sound as soundFormat } from '@drawbridge/contract/session/sound';
import { voice as format } from '@drawbridge/contract/session/voice';
import { readPng } from '../../kit/display/png-reader.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { soon, untilDone, type ConnectedPair } from './connected-pair.ts';
import { monitors, plainColour, sizes } from './observed-device.ts';

const cursorShape = { width: 2, height: 2, hotX: 1, hotY: 0, rgba: new Uint8Array(16).fill(255) };

const pictureCount = ({ received }: ConnectedPair): number =>
  received.of('video').length + received.of('tiles').length;

/** Whether the tile is not a JPEG, as the first picture is, and has this width. */
const isExact = (image: Uint8Array, width: number): boolean =>
  image[0] === 0x89 && readPng(image).width === width;

/** Tells the device that every picture so far was shown; it waits for that. */
function acknowledge({ session, received }: ConnectedPair): void {
  const last = Math.max(0, ...[...received.of('video'), ...received.of('tiles')].map(({ number }) => number));
  if (last > 0) session.send('shown', last);
}

export const screenChecks = {
  async layout({ received }: ConnectedPair) {
    const codec = skipWithout('libvpx') ? 'tiles' : 'vp8';

    assert.deepEqual(await received.until('layout'), {
      width: 320,
      height: 240,
      current: 0,
      monitors,
      codec,
      sizes,
    });
  },
  async video(pair: ConnectedPair) {
    const { received, device } = pair;
    if (skipWithout('libvpx')) return;
    await soon(
      () => pictureCount(pair),
      (count) => count > 0,
    );
    // Since version 6 the first picture is a tile, and video begins with the first change.
    await soon(
      () => {
        acknowledge(pair);
        if (received.of('video').length === 0) device.events.draw();
        return received.of('video').length;
      },
      (count) => count > 0,
    );
    const { key, boxes, data } = await received.until('video');

    // The size stands in the header of a key frame of VP8, after three bytes and the start code.
    const header = Buffer.from(data).subarray(3, 10);
    assert.equal(header.toString('hex'), '9d012a4001f000');
    assert.deepEqual([key, boxes], [true, [{ x: 0, y: 0, width: 320, height: 240 }]]);
  },
  async tiles(pair: ConnectedPair) {
    const { session, received } = pair;
    session.send('view', { monitor: 1, video: false });
    const { tiles } = (await soon(
      () => {
        acknowledge(pair);
        return received.of('tiles').find((frame) => frame.tiles.some(({ image }) => isExact(image, 64)));
      },
      (frame) => frame !== undefined,
    ))!;

    const picture = readPng(tiles[0]!.image);
    assert.deepEqual([tiles.length, tiles[0]!.x, tiles[0]!.y], [1, 0, 0]);
    assert.deepEqual([picture.width, picture.height, picture.pixels[0]! & 0xff_ff_ff], [64, 64, plainColour]);
  },
  async cursor({ received, device }: ConnectedPair) {
    await received.until('layout');
    device.events.moveCursor({ x: 30, y: 40, shape: cursorShape });
    const { x, y, shape } = await received.until('cursor', (cursor) => (cursor.shape?.width ?? 0) > 0);

    const { width, height } = readPng(shape!.png);
    assert.deepEqual([x, y, shape!.hotX, shape!.hotY, width, height], [30, 40, 1, 0, 2, 2]);
  },
  async shown(pair: ConnectedPair) {
    const { session, device } = pair;
    await soon(
      () => pictureCount(pair),
      (count) => count >= 1,
    );
    device.events.draw();
    await soon(
      () => pictureCount(pair),
      (count) => count === 2,
    );
    device.events.draw();
    assert.equal(pictureCount(pair), 2, 'the device waits for the page');
    session.send('shown', 2);

    await soon(
      () => pictureCount(pair),
      (count) => count === 3,
    );
  },
  async view({ session, received }: ConnectedPair) {
    session.send('view', { monitor: 1, quality: 'sharp', fresh: true });

    const { width, height } = await received.until('layout', ({ current }) => current === 1);
    assert.deepEqual([width, height], [64, 64]);
  },
};

export const terminalChecks = {
  async terminal(pair: ConnectedPair) {
    const { session, received, device } = pair;
    session.send('terminal', { do: 'open', id: 1, columns: 80, rows: 24 });
    await untilDone(pair, 'shell 80 24');
    session.send('terminal', { do: 'resize', id: 1, columns: 100, rows: 30 });
    session.send('terminal', { do: 'close', id: 1 });
    await untilDone(pair, 'shell closed');
    device.events.exitShell('It exited.');

    assert.deepEqual(await received.until('terminal'), { do: 'closed', id: 1, message: 'It exited.' });
    assert.ok(device.done.includes('shell resized 100 30'));
  },
  async terminal_bytes(pair: ConnectedPair) {
    const { session, received, device } = pair;
    session.send('terminal', { do: 'open', id: 1, columns: 80, rows: 24 });
    session.send('terminal_bytes', { id: 1, at: 0, data: Buffer.from('ls') });
    await untilDone(pair, 'typed ls');
    const output = randomBytes(300 * 1_024);
    device.events.print(output);
    await untilDone(pair, 'shell paused');
    await soon(
      () => received.of('terminal_bytes').length,
      (count) => count === 2,
    );
    session.send('terminal', { do: 'read', id: 1, bytes: output.length });
    await untilDone(pair, 'shell resumed');

    const chunks = received.of('terminal_bytes');
    assert.deepEqual(Buffer.concat(chunks.map(({ data }) => data)), output);
    assert.deepEqual(
      chunks.map(({ id, at }) => [id, at]),
      [
        [1, 0],
        [1, 256 * 1_024],
      ],
    );
  },
};

const megabyte = (): Uint8Array<ArrayBuffer> => Uint8Array.from(randomBytes(1_024 * 1_024));

export const fileChecks = {
  async file({ files }: ConnectedPair) {
    await files.createFolder('/file');
    await files.createFolder('/file/old');
    await files.rename('/file/old', '/file/new');
    const before = await files.list('/file');
    await files.remove('/file/new');

    assert.deepEqual([before, await files.list('/file')], [['new'], []]);
  },
  async file_answer({ files }: ConnectedPair) {
    await assert.rejects(files.list('/missing'), (error: Error) => error.message.length > 0);
    assert.ok(Array.isArray(await files.list('/')));
  },
  async file_bytes({ files, device }: ConnectedPair) {
    const content = megabyte();
    await files.upload('/transferred', content);

    assert.deepEqual(readFileSync(join(device.folder, 'transferred')), Buffer.from(content));
    assert.deepEqual(Buffer.from(await files.download('/transferred')), Buffer.from(content));
    await files.remove('/transferred');
  },
};

async function startCall({ session, received }: ConnectedPair): Promise<void> {
  session.send('call', { do: 'ring' });
  assert.deepEqual(await received.until('call'), { do: 'accept' });
}

export const callChecks = {
  async call(pair: ConnectedPair) {
    const { session, received, device } = pair;
    await startCall(pair);
    session.send('call', { do: 'hang_up' });
    await untilDone(pair, 'call closed');
    device.person.accepts = false;
    session.send('call', { do: 'ring' });

    const declined = await received.until('call', (call) => call.do === 'decline');
    device.person.accepts = true;
    assert.notEqual(declined.message, '');
  },
  async voice(pair: ConnectedPair) {
    const { session, received, device } = pair;
    await startCall(pair);
    const samples = Uint8Array.from(randomBytes(format.packetBytes));
    session.send('voice', { id: 0, at: 0, data: samples });
    await untilDone(pair, `played ${samples.toHex()}`);
    device.events.speak(samples);

    assert.deepEqual(await received.until('voice'), { id: 0, at: 0, data: samples });
  },
  async sound(pair: ConnectedPair) {
    const { session, received } = pair;
    session.send('sound', { on: true });
    await received.until('sound', ({ on }) => on);
    session.send('sound', { on: false });

    await received.until('sound', ({ on }) => !on);
    await untilDone(pair, 'sound closed');
  },
  async sound_bytes({ session, received, device }: ConnectedPair) {
    session.send('sound', { on: true });
    await received.until('sound', ({ on }) => on);
    device.events.playSound(randomBytes(2 * soundFormat.channels * soundFormat.packetSamples));

    const { at, data } = await received.until('sound_bytes');
    assert.ok(at === 0 && data.length > 0 && data.length <= soundFormat.maxPacketBytes);
    session.send('sound', { on: false });
    await received.until('sound', ({ on }) => !on);
  },
};
