/**
 * The direct connection between an operator and a device: used when it is available, without losing a frame.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeMessage } from '@drawbridge/contract/session/messages';
import type { FeatureFactory } from '@drawbridge/agent/session/feature';
import { openDirectChannel } from '../../kit/session/direct-channel.ts';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import { startProgram } from '../../kit/process.ts';
import { eventually } from '../../kit/eventually.ts';
import { openSessionFixture } from '../../kit/session/session-fixture.ts';

/** Echoes everything, and sends a long text by itself. */
const echo: FeatureFactory = (featureContext) => ({
  handlers: { chat: (payload) => featureContext.send('chat', payload) },
  stop: () => {},
});

const platform = () =>
  createFakePlatform('direct', {
    desktop: async () => ({ onClose() {}, banner: async () => banner, close() {} }) as never,
  });
const banner = { onStop() {}, setText() {}, close() {} };

describe('the direct connection of a session', () => {
  test('frames of any size pass in both directions, in order, and the relay carries nothing more', async () => {
    await using fixture = await openSessionFixture({ platform: platform(), parts: [echo] });
    await using operator = fixture.meet({ grant: { ice: [] } });
    await operator.until('state', ({ phase }) => phase === 'live');
    using channel = await openDirectChannel(operator);
    const texts = Array.from({ length: 40 }, (_, index) => `${index} ${'x'.repeat(index * 100)}`);
    texts.slice(0, 10).forEach((text) => operator.sendMessage('chat', { text, name: 'Ann' }));
    channel.move();
    texts.slice(10).forEach((text) => operator.sendMessage('chat', { text, name: 'Ann' }));
    await eventually(
      () => operator.messages('chat').length,
      (count) => count === texts.length,
    );
    assert.deepEqual(
      operator.messages('chat').map(({ text }) => text),
      texts,
    );
    assert.equal(operator.rejection(), undefined);
    // What arrived before the device saw the open connection was answered over the relay.
    await eventually(
      () => fixture.lines.some((line) => line.includes('switched to the direct connection')),
      Boolean,
    );
  });

  test('if it is switched off the device says so, and the session stays on the relay', async () => {
    await using fixture = await openSessionFixture({ platform: platform(), parts: [echo] });
    await using operator = fixture.meet();
    await operator.until('state', ({ phase }) => phase === 'live');
    operator.sendMessage('direct', { offer: 'v=0' });
    const { failed } = await operator.until('direct');
    assert.equal(failed, 'Direct connections are turned off.');
    operator.sendMessage('chat', { text: 'still here', name: 'Ann' });
    await operator.until('chat', ({ text }) => text === 'still here');
  });

  test('losing the connection ends the session, so that it can be resumed from a known state', async () => {
    await using fixture = await openSessionFixture({ platform: platform(), parts: [echo] });
    await using operator = fixture.meet({ grant: { ice: [] } });
    await operator.until('state', ({ phase }) => phase === 'live');
    const channel = await openDirectChannel(operator);
    channel.move();
    operator.sendMessage('chat', { text: 'one', name: 'Ann' });
    await operator.until('chat');
    channel[Symbol.dispose]();
    await operator.gone;
  });

  test('the last frame of the device arrives before the connection is closed', async () => {
    let stop = (): void => {};
    const stoppable = { ...banner, onStop: (listener: () => void) => void (stop = listener) };
    const desktop = { onClose() {}, banner: async () => stoppable, close() {} };
    const talker: FeatureFactory = (featureContext) => ({
      handlers: {
        chat(payload) {
          for (let count = 0; count < 100; count += 1) featureContext.send('chat', payload);
          stop();
        },
      },
      stop: () => {},
    });
    const at = createFakePlatform('direct', { desktop: async () => desktop as never });
    await using fixture = await openSessionFixture({ platform: at, parts: [talker] });
    await using operator = fixture.meet({ grant: { ice: [] } });
    await operator.until('state', ({ phase }) => phase === 'live');
    using channel = await openDirectChannel(operator);
    channel.move();
    await operator.until('direct', ({ moved }) => moved === 'direct');

    operator.sendMessage('chat', { text: 'x'.repeat(4_000), name: 'Ann' });

    assert.equal((await operator.until('end')).by, 'device');
    assert.equal(operator.messages('chat').length, 100);
  });

  test('losing the connection while the device sends crashes nothing', async () => {
    let speak = (): void => {};
    const talker: FeatureFactory = (featureContext) => ({
      handlers: { chat: (payload) => void (speak = () => featureContext.send('chat', payload)) },
      stop: () => {},
    });
    await using fixture = await openSessionFixture({ platform: platform(), parts: [talker] });
    await using operator = fixture.meet({ grant: { ice: [] } });
    await operator.until('state', ({ phase }) => phase === 'live');
    const channel = await openDirectChannel(operator);
    channel.move();
    operator.sendMessage('chat', { text: 'go on', name: 'Ann' });
    await eventually(
      () => (speak(), operator.messages('chat').length),
      (count) => count > 0,
    );
    await operator.until('direct', ({ moved }) => moved === 'direct');

    channel[Symbol.dispose]();
    // The device is not notified: it still considers the connection open.
    for (const end = performance.now() + 200; performance.now() < end;) speak();

    await operator.gone;
  });

  test('claiming to have switched without a connection is a fault', async () => {
    await using fixture = await openSessionFixture({ platform: platform(), parts: [echo] });
    await using operator = fixture.meet({ grant: { ice: [] } });
    await operator.until('state', ({ phase }) => phase === 'live');
    operator.send('direct', encodeMessage('direct', { moved: 'direct' }));
    const { by, message } = await operator.until('end');
    assert.deepEqual(
      [by, message],
      ['fault', 'The other side switched to a direct connection that does not exist.'],
    );
  });

  test('a malformed offer has no effect', async () => {
    await using fixture = await openSessionFixture({ platform: platform(), parts: [echo] });
    await using operator = fixture.meet({ grant: { ice: [] } });
    await operator.until('state', ({ phase }) => phase === 'live');
    operator.sendMessage('direct', { offer: 'nonsense', candidate: '{"candidate":7}' });
    operator.sendMessage('chat', { text: 'fine', name: 'Ann' });
    await operator.until('chat', ({ text }) => text === 'fine');
  });
});

test('an operator who opens unexpected channels does not crash the agent when it ends', async () => {
  // Freed memory is overwritten, so that using it is detected.
  await using program = startProgram('tests/programs/session/direct-forget-program.ts', [], {
    MALLOC_PERTURB_: '165',
  });

  const code = await program.gone;

  assert.deepEqual([code, program.output()], [0, 'let go of 2 channels\n']);
});

test('the last frame arrives although the connection is closed right after it', async () => {
  await using program = startProgram('tests/programs/session/direct-goodbye-program.ts', [], {});

  const code = await program.gone;

  assert.deepEqual([code, program.output()], [0, 'lost 0 of 10\n']);
});
