/** The sealed conversation when one side, or somebody between them, does not keep to the rules. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frameKinds } from '@drawbridge/contract/session/frame-kinds';
import { currentSessionVersion } from '@drawbridge/contract/session/versions';
import type { Bytes } from '@drawbridge/contract/session/binary';
import { browserCrypto } from '@drawbridge/session/browser/crypto';
import type { SessionKeys } from '@drawbridge/session/handshake';
import { createSealedChannel, type SealedChannel } from '@drawbridge/session/sealed-channel';
import { createSealer } from '@drawbridge/session/seal';

interface End {
  channel: SealedChannel;
  heard: string[];
}

type Between = (frame: Bytes, pass: (frame: Bytes) => void) => void;

/** Both sides over a line on which somebody may stand. */
async function talk(
  allowed: { operator: string[]; device: string[] },
  between: Between = (frame, pass) => pass(frame),
) {
  const secrets = [crypto.getRandomValues(new Uint8Array(32)), crypto.getRandomValues(new Uint8Array(32))];
  const keysOf = async (): Promise<SessionKeys> => ({
    operator: await browserCrypto.importFrameKey(secrets[0]!.slice()),
    device: await browserCrypto.importFrameKey(secrets[1]!.slice()),
    code: '',
  });
  const make = async (side: 'operator' | 'device', send: (frame: Bytes) => void): Promise<End> => {
    const heard: string[] = [];
    const permissions = new Set(allowed[side]);
    const channel = createSealedChannel({
      side,
      transport: {
        send: (frame) => send(frame as Bytes),
        buffered: () => 0,
        drained: async () => {},
        close: () => heard.push('closed'),
      },
      crypto: browserCrypto,
      keys: await keysOf(),
      clock: { now: () => 0 },
      permissions: () => permissions,
      otherVersion: () => currentSessionVersion,
      onFrame: (kind) => heard.push(kind),
      onForbidden: (kind) => heard.push(`forbidden ${kind}`),
      onBroken: () => heard.push('broken'),
    });
    return { channel, heard };
  };
  const device: End = await make('device', (frame) => operator.channel.receive(frame));
  let count = 0;
  let look = (): unknown => undefined;
  const operator: End = await make('operator', (frame) => {
    between(frame, (passed) => device.channel.receive(passed));
    count += 1;
    look();
  });
  /** So many frames have left the operator, and what came of them was heard. */
  const arrived = async (frames: number): Promise<void> => {
    await new Promise<void>((resolve) => {
      look = () => count >= frames && resolve();
      look();
    });
    await device.channel.received();
  };
  return { operator, device, keys: await keysOf(), arrived };
}

const all = ['agent_chat', 'agent_lock_screen'];

test('what the grant does not allow reaches nobody, and the rest still does', async () => {
  const { operator, device, arrived } = await talk({ operator: all, device: ['agent_chat'] });

  operator.channel.send('lock', {});
  operator.channel.send('chat', { text: 'still here', name: '' });
  await arrived(2);

  assert.deepEqual(device.heard, ['forbidden lock', 'chat']);
});

const evil: Record<string, Between> = {
  'changes a bit': (frame, pass) => pass(frame.map((byte, at) => (at === 3 ? byte ^ 1 : byte))),
  'says another kind': (frame, pass) =>
    pass(frame.map((byte, at) => (at === 0 ? frameKinds.clipboard.byte : byte))),
  'repeats it': (frame, pass) => {
    pass(frame);
    pass(frame);
  },
  'cuts it short': (frame, pass) => pass(frame.slice(0, -1)),
  'sends a hello of their own': (_frame, pass) => pass(Uint8Array.of(frameKinds.hello.byte, 1, 2, 3)),
};

for (const [name, between] of Object.entries(evil))
  test(`anyone who stands between and ${name} is found out, and nothing of it is acted on twice`, async () => {
    const { operator, device, arrived } = await talk({ operator: all, device: all }, between);

    operator.channel.send('chat', { text: 'a', name: '' });
    await arrived(1);

    assert.equal(device.heard.at(-1), 'broken');
    assert.deepEqual(
      device.heard.filter((word) => word !== 'broken'),
      name === 'repeats it' ? ['chat'] : [],
    );
  });

test('a frame of the wrong direction or shape ends the session, however well it is sealed', async () => {
  for (const [byte, text] of [
    [frameKinds.state.byte, '{}'],
    [frameKinds.chat.byte, '{"text": 7}'],
  ] as const) {
    const { device, keys } = await talk({ operator: all, device: all });
    const sealer = createSealer(keys.operator, browserCrypto.importFrameKey, { now: () => 0 });

    device.channel.receive(await sealer.seal(byte, new TextEncoder().encode(text)));
    await device.channel.received();

    assert.deepEqual(device.heard, ['broken']);
  }
});

test('a frame of a kind that this version does not know is skipped, and the next one opens', async () => {
  const { device, keys } = await talk({ operator: all, device: all });
  const sealer = createSealer(keys.operator, browserCrypto.importFrameKey, { now: () => 0 });
  const chat = new TextEncoder().encode('{"text":"a","name":""}');

  device.channel.receive(await sealer.seal(0xee, chat));
  device.channel.receive(await sealer.seal(frameKinds.chat.byte, chat));
  await device.channel.received();

  assert.deepEqual(device.heard, ['chat']);
});
