/** The direct way between an operator and a device: taken when it is there, never at the cost of a frame. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createJoiner, createOrder, directLabel, piecesOf } from '@drawbridge/contract/session/direct';
import { largestFrame } from '@drawbridge/contract/session/kinds';
import { wordBytes } from '@drawbridge/contract/session/words';
import type { PartOf } from '@drawbridge/agent/session/part';
import { PeerConnection, type DataChannel } from 'node-datachannel';
import { madeUpPlatform } from '../kit/made-up.ts';
import type { Operator } from '../kit/operator.ts';
import { seen } from '../kit/seen.ts';
import { openSessionStage } from '../kit/session-stage.ts';

/** Says everything back, and a long text on its own. */
const echo: PartOf = (leg) => ({
  hear: { chat: (payload) => leg.send('chat', payload) },
  stop: () => {},
});

interface Seeker {
  peer: PeerConnection;
  channel: DataChannel;
  /** Takes the way: the last word on the relay, then the rest on the direct way. */
  move(): void;
}

async function seek(operator: Operator): Promise<Seeker> {
  const peer = new PeerConnection('operator', { iceServers: [] });
  peer.onLocalDescription((sdp) => operator.say('direct', { offer: sdp }));
  peer.onLocalCandidate((candidate, mid) =>
    operator.say('direct', { candidate: JSON.stringify({ candidate, mid }) }),
  );
  const channel = peer.createDataChannel(directLabel);
  const { answer } = await operator.until('direct', (word) => word.answer !== undefined);
  peer.setRemoteDescription(answer!, 'answer');
  await seen(
    () => channel.isOpen(),
    (isOpen) => isOpen,
  );
  const join = createJoiner(largestFrame);
  const order = createOrder(operator.take, (why) => assert.fail(why));
  channel.onMessage((message) => {
    const frame = join(new Uint8Array(message as Buffer));
    assert.ok(frame !== 'wrong');
    if (frame) order.fromDirect(frame);
  });
  void operator.until('direct', (word) => word.moved === 'direct').then(() => order.moved());
  return {
    peer,
    channel,
    move() {
      operator.say('direct', { moved: 'direct' });
      operator.sendBy((frame) => piecesOf(frame).forEach((piece) => channel.sendMessageBinary(piece)));
    },
  };
}

const platform = () =>
  madeUpPlatform('direct', {
    desktop: async () => ({ onClose() {}, banner: async () => banner, close() {} }) as never,
  });
const banner = { onStop() {}, say() {}, close() {} };

describe('the direct way of a session', () => {
  test('frames of any size go over it both ways, in order, and the relay carries nothing more', async () => {
    await using stage = await openSessionStage({ platform: platform(), parts: [echo] });
    await using operator = stage.meet({ grant: { ice: [] } });
    await operator.until('state', ({ phase }) => phase === 'live');
    const { peer, move } = await seek(operator);
    const texts = Array.from({ length: 40 }, (_, index) => `${index} ${'x'.repeat(index * 100)}`);
    texts.slice(0, 10).forEach((text) => operator.say('chat', { text, name: 'Ann' }));
    move();
    texts.slice(10).forEach((text) => operator.say('chat', { text, name: 'Ann' }));
    await seen(
      () => operator.words('chat').length,
      (count) => count === texts.length,
    );
    assert.deepEqual(
      operator.words('chat').map(({ text }) => text),
      texts,
    );
    assert.equal(operator.doubt(), undefined);
    assert.ok(stage.lines.some((line) => line.includes('took the direct way')));
    peer.close();
  });

  test('where it is switched off the device says so, and the relay stays', async () => {
    await using stage = await openSessionStage({ platform: platform(), parts: [echo] });
    await using operator = stage.meet();
    await operator.until('state', ({ phase }) => phase === 'live');
    operator.say('direct', { offer: 'v=0' });
    const { failed } = await operator.until('direct');
    assert.equal(failed, 'Direct ways are switched off.');
    operator.say('chat', { text: 'still here', name: 'Ann' });
    await operator.until('chat', ({ text }) => text === 'still here');
  });

  test('a way that is lost ends the session, so that it can be resumed from a known place', async () => {
    await using stage = await openSessionStage({ platform: platform(), parts: [echo] });
    await using operator = stage.meet({ grant: { ice: [] } });
    await operator.until('state', ({ phase }) => phase === 'live');
    const { peer, move } = await seek(operator);
    move();
    operator.say('chat', { text: 'one', name: 'Ann' });
    await operator.until('chat');
    peer.close();
    await operator.gone;
  });

  test('to say that one has moved without a way is a fault', async () => {
    await using stage = await openSessionStage({ platform: platform(), parts: [echo] });
    await using operator = stage.meet({ grant: { ice: [] } });
    await operator.until('state', ({ phase }) => phase === 'live');
    operator.send('direct', wordBytes('direct', { moved: 'direct' }));
    const { by, message } = await operator.until('end');
    assert.deepEqual([by, message], ['fault', 'The operator took a way that is not there.']);
  });

  test('an offer that makes no sense harms nobody', async () => {
    await using stage = await openSessionStage({ platform: platform(), parts: [echo] });
    await using operator = stage.meet({ grant: { ice: [] } });
    await operator.until('state', ({ phase }) => phase === 'live');
    operator.say('direct', { offer: 'nonsense', candidate: '{"candidate":7}' });
    operator.say('chat', { text: 'fine', name: 'Ann' });
    await operator.until('chat', ({ text }) => text === 'fine');
  });
});
