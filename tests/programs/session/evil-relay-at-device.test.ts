/**
 * A hostile relay between an operator and a device: whatever it does to a frame, both sides end, and nothing
 * is done.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeNumber } from '@drawbridge/contract/session/binary-frames';
import { frameKinds } from '@drawbridge/contract/session/frame-kinds';
import type { Ticket } from '@drawbridge/contract/session/signed';
import { decodeMessage, encodeMessage } from '@drawbridge/contract/session/messages';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import { createKeyPair } from '@drawbridge/session/node/crypto';
import type { FeatureFactory } from '@drawbridge/agent/session/feature';
import type { Tamper } from '../../kit/hostile/evil-relay.ts';
import { tamperAt, frameTamperings } from '../../kit/hostile/frame-tampering.ts';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import { eventually } from '../../kit/eventually.ts';
import { openSessionFixture } from '../../kit/session/session-fixture.ts';

const desktop = {
  onClose: () => {},
  banner: async () => ({ onStop: () => {}, setText: () => {}, close: () => {} }),
  close: () => {},
} as unknown as Desktop;

type Side = Ticket['side'];

const lines = ['one', 'two', 'three', 'four'];

/** Runs a session over such a relay; resolves with the outcome of each side. */
async function runUnder(tamper: Tamper): Promise<{ done: string[]; rejection: string; device: string }> {
  const done: string[] = [];
  const part: FeatureFactory = (featureContext) => ({
    handlers: {
      chat(payload) {
        done.push(payload.text);
        featureContext.send('chat', payload);
      },
    },
    stop: () => {},
  });
  const platform = createFakePlatform('desk', { desktop: async () => desktop });
  await using fixture = await openSessionFixture({ platform, parts: [part], tamper });
  await using ann = fixture.meet();
  const isOver = (): boolean => fixture.lines.some((line) => line.includes('ended:'));
  const talk = async (): Promise<void> => {
    await eventually(() => ann.messages('state').length > 0 || isOver(), Boolean);
    for (const [index, text] of lines.entries()) {
      if (ann.code() === '') return;
      ann.sendMessage('chat', { text, name: '' });
      // As operators do all the time: so that the last of the other frames has a successor too.
      ann.send('ping', encodeNumber(index));
      await eventually(() => ann.messages('chat').length > index || isOver(), Boolean);
      if (isOver()) return;
    }
  };
  await talk();
  if (isOver()) await ann.gone;
  return { done, rejection: ann.rejection() ?? '', device: fixture.lines.join('\n') };
}

test('without any change the same relay carries the session', async () => {
  const { done, rejection } = await runUnder((frame) => [frame]);

  assert.deepEqual([done, rejection], [lines, '']);
});

/**
 * The frames in order: from the device hello, state, people, then an echo and a pong for each line; from the
 * operator confirm, then a line and a ping.
 */
for (const [tampering, change] of Object.entries(frameTamperings))
  test(`a frame that is ${tampering} ends the session on both sides, whichever it is`, async () => {
    for (const side of ['operator', 'device'] as const)
      for (const number of [0, 1, 2, 3]) {
        // The session does not proceed without the first ones: a timeout detects the silent side.
        if (tampering === 'dropped' && (number === 0 || (side === 'device' && number === 1))) continue;
        const { done, device } = await runUnder(tamperAt(side, number, change));
        assert.match(device, /ended:/, `${side} ${number}`);
        assert.ok(done.length < 4, `${side} ${number}: ${done.join()}`);
        assert.deepEqual(done, lines.slice(0, done.length));
      }
  });

test('reordered frames end the session', async () => {
  let kept: Buffer | undefined;
  const { done, device } = await runUnder((frame, from, number) => {
    if (from !== 'operator' || number === 0) return [frame];
    if (number === 1) {
      kept = frame;
      return [];
    }
    return number === 2 ? [frame, kept!] : [frame];
  });

  assert.match(device, /A frame was lost, changed or not meant for this session/);
  assert.deepEqual(done, []);
});

test('a hello under another key, or an operator redirected from its device, is rejected', async () => {
  const swap = (frame: Buffer): Buffer[] => {
    const hello = decodeMessage('hello', frame.subarray(1))!;
    const other = encodeMessage('hello', { ...hello, key: createKeyPair().publicKey });
    return [Buffer.concat([Buffer.of(frameKinds.hello.byte), other])];
  };
  const { done, rejection } = await runUnder(tamperAt('device', 0, swap));

  assert.deepEqual([done, rejection], [[], 'it is not the device that answered']);
});

test('an old frame, or a frame reflected to its sender, ends the session', async () => {
  const kept: Record<Side, Buffer[]> = { operator: [], device: [] };
  const keepAnd =
    (replace: (frame: Buffer) => Buffer): Tamper =>
    (frame, from, number) => {
      kept[from].push(frame);
      return from === 'operator' && number === 3 ? [replace(frame)] : [frame];
    };
  const old = await runUnder(keepAnd(() => kept.operator[1]!));
  const reflected = await runUnder(keepAnd(() => kept.device.at(-1)!));

  for (const { done, device } of [old, reflected]) {
    assert.match(device, /ended:/);
    assert.deepEqual(done, ['one']);
  }
});

test('a plain frame instead of an encrypted one, or a second hello, ends the session', async () => {
  const plain = Buffer.concat([
    Buffer.of(frameKinds.chat.byte),
    encodeMessage('chat', { text: 'evil', name: '' }),
  ]);
  const { done, device } = await runUnder(tamperAt('operator', 1, () => [plain]));

  assert.match(device, /ended:/);
  assert.deepEqual(done, []);
});
