/** Messages between the agent and a helper: what arrives, and what ends the channel. */
import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { test } from 'node:test';
import { createMessageChannel, maxChannelMessageBytes, type Message } from './message-channel.ts';

/** The receiving end of a channel, with what it has received. */
function openReceiver() {
  const input = new PassThrough();
  const channel = createMessageChannel(input, new PassThrough());
  const received: Message[] = [];
  let closed = 0;
  channel.onMessage((message) => received.push(message));
  channel.onClose(() => (closed += 1));
  return { input, channel, received, closed: () => closed };
}

/** What a channel writes for these messages. */
function encoded(...messages: Message[]): Buffer {
  const written: Buffer[] = [];
  const output = new Writable({ write: (part: Buffer, _, done) => (written.push(part), done()) });
  const channel = createMessageChannel(new PassThrough(), output);
  for (const message of messages) channel.send(message);
  return Buffer.concat(written);
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('messages arrive in order with their bytes, however the stream is cut', async () => {
  const bytes = Buffer.from([0, 1, 2, 255]);
  const stream = encoded({ id: 1, text: 'ä€' }, { id: 2, bytes }, { id: 3 });

  for (const length of [1, 3, 7, stream.length]) {
    const { input, received } = openReceiver();
    for (let at = 0; at < stream.length; at += length) input.write(stream.subarray(at, at + length));
    await settle();

    assert.deepEqual(
      received.map((message) => ({ ...message, bytes: message.bytes && [...message.bytes] })),
      [
        { id: 1, text: 'ä€', bytes: undefined },
        { id: 2, bytes: [0, 1, 2, 255] },
        { id: 3, bytes: undefined },
      ],
    );
  }
});

const head = (textLength: number, bytesLength: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(textLength, 0);
  bytes.writeUInt32LE(bytesLength, 4);
  return bytes;
};

test('a length above the limit ends the channel before anything of that message is kept', async () => {
  for (const bad of [
    head(maxChannelMessageBytes + 1, 0),
    head(2, maxChannelMessageBytes + 1),
    head(0xffff_ffff, 0),
  ]) {
    const { input, received, closed } = openReceiver();
    input.write(bad);
    await settle();

    assert.deepEqual([closed(), received, input.destroyed], [1, [], true]);
  }
});

test('what is not a JSON object ends the channel, and later messages are not delivered', async () => {
  for (const text of ['{', '1', 'null', '"text"']) {
    const { input, received, closed } = openReceiver();
    input.write(Buffer.concat([head(text.length, 0), Buffer.from(text), encoded({ id: 1 })]));
    await settle();

    assert.deepEqual([closed(), received], [1, []]);
  }
});

test('bytes that are claimed in the JSON are not taken for bytes', async () => {
  const { input, received } = openReceiver();
  const text = '{"bytes":"x"}';
  input.write(Buffer.concat([head(text.length, 0), Buffer.from(text)]));
  await settle();

  assert.deepEqual(received, [{ bytes: undefined }]);
});

test('the channel ends once if the other side ends, or does not read for too long', async () => {
  const ended = openReceiver();
  ended.input.end();
  await settle();
  ended.channel.close();
  const full = openReceiver();
  for (let count = 0; count < 6; count += 1)
    full.channel.send({ bytes: new Uint8Array(maxChannelMessageBytes) });

  assert.deepEqual([ended.closed(), full.closed()], [1, 1]);
});
