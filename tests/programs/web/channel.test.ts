/** The sealed conversation when one side, or somebody between them, does not keep to the rules. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frameKinds } from '@drawbridge/contract/session/frame-kinds';
import { createSealedChannel, type SealedChannel } from '@drawbridge/web/session/sealed-channel';
import { deriveSharedSecret, createSessionKeyPair, type BufferBytes } from '@drawbridge/web/session/keys';
import { createSealer, deriveSecrets } from '@drawbridge/web/session/seal';

interface End {
  channel: SealedChannel;
  heard: string[];
}

type Between = (frame: BufferBytes, pass: (frame: BufferBytes) => void) => void;

/** Both sides over a line on which somebody may stand. */
async function talk(
  allowed: { operator: string[]; device: string[] },
  between: Between = (frame, pass) => pass(frame),
) {
  const [one, other] = [await createSessionKeyPair(), await createSessionKeyPair()];
  const said = new TextEncoder().encode('said');
  const make = async (
    side: 'operator' | 'device',
    own: typeof one,
    their: string,
    send: (frame: BufferBytes) => void,
  ): Promise<End> => {
    const heard: string[] = [];
    const channel = createSealedChannel({
      side,
      transport: { send, buffered: () => 0, close: () => heard.push('closed') },
      secrets: await deriveSecrets((await deriveSharedSecret(own, their))!, said),
      permissions: new Set(allowed[side]),
      now: () => 0,
      onFrame: (kind) => heard.push(kind),
      onForbidden: (kind) => heard.push(`forbidden ${kind}`),
      onBroken: () => heard.push('broken'),
    });
    return { channel, heard };
  };
  const device: End = await make('device', other, one.publicKey, (frame) => operator.channel.receive(frame));
  let count = 0;
  let look = (): unknown => undefined;
  const operator: End = await make('operator', one, other.publicKey, (frame) => {
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
  const secrets = await deriveSecrets((await deriveSharedSecret(one, other.publicKey))!, said);
  return { operator, device, secrets, arrived };
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
  test(`whoever stands between and ${name} is found out, and nothing of it is acted on twice`, async () => {
    const { operator, device, arrived } = await talk({ operator: all, device: all }, between);

    operator.channel.send('chat', { text: 'a', name: '' });
    await arrived(1);

    assert.equal(device.heard.at(-1), 'broken');
    assert.deepEqual(
      device.heard.filter((word) => word !== 'broken'),
      name === 'repeats it' ? ['chat'] : [],
    );
  });

test('a frame of the wrong direction, of no kind or out of shape ends it, however well it is sealed', async () => {
  for (const [byte, text] of [
    [frameKinds.state.byte, '{}'],
    [0xee, ''],
    [frameKinds.chat.byte, '{"text": 7}'],
  ] as const) {
    const { device, secrets } = await talk({ operator: all, device: all });
    const sealer = createSealer(secrets.operator, () => 0);

    device.channel.receive(await sealer.seal(byte, new TextEncoder().encode(text)));
    await device.channel.received();

    assert.deepEqual(device.heard, ['broken']);
  }
});
