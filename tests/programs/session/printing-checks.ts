/** The kinds of frames about printing, each used between a page and a device. */
import assert from 'node:assert/strict';
import { untilDone, type ConnectedPair } from './connected-pair.ts';

const pdf = Buffer.from('%PDF-1.7\nsome pages\n%%EOF\n');

async function turnOn({ session, received }: ConnectedPair): Promise<void> {
  session.send('printing', { on: true });
  await received.until('printing', ({ on }) => on);
}

/** A document that takes two chunks: the second is sent only when the first was acknowledged. */
async function print({ device }: ConnectedPair): Promise<void> {
  const content = async function* (): AsyncGenerator<Uint8Array> {
    yield pdf.subarray(0, 10);
    yield pdf.subarray(10);
  };
  await device.events.printDocument({ title: 'Letter', content: content() });
}

export const printingChecks = {
  async printing(pair: ConnectedPair) {
    const { session, received } = pair;
    await turnOn(pair);
    session.send('printing', { on: false });

    await received.until('printing', ({ on }) => !on);
    await untilDone(pair, 'printer removed');
  },
  async document(pair: ConnectedPair) {
    const { session, received } = pair;
    await turnOn(pair);
    const printed = print(pair);
    const begun = await received.until('document', ({ is }) => is === 'begin');
    session.send('document', { is: 'taken', id: begun.id, bytes: pdf.length });
    const ended = await received.until('document', ({ is }) => is === 'end');
    await printed;

    assert.deepEqual(begun, { is: 'begin', id: begun.id, name: 'Letter' });
    assert.deepEqual(ended, { is: 'end', id: begun.id, size: pdf.length });
  },
  async document_bytes(pair: ConnectedPair) {
    const { session, received } = pair;
    await turnOn(pair);
    const printed = print(pair);
    const { id } = await received.until('document_bytes', ({ at }) => at === 0);
    session.send('document', { is: 'taken', id, bytes: 10 });
    await received.until('document', ({ is }) => is === 'end');
    await printed;

    assert.deepEqual(Buffer.concat(received.of('document_bytes').map(({ data }) => data)), pdf);
  },
};
