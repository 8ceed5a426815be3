/** What an operator may do: exactly what the permissions say, whatever is sent in whatever order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  frameKinds,
  sessionPermissions,
  type FrameKind,
  type FrameKindName,
} from '@drawbridge/contract/session/frame-kinds';
import fc from 'fast-check';
import { drawn } from '../../tests/kit/random.ts';
import type { SessionKeys } from './handshake.ts';
import { createKeyPair, nodeCrypto, signingKeyOf } from './node/crypto.ts';
import { createHello } from './handshake.ts';
import { encodePayload, type Payload } from './payloads.ts';
import { createSealedChannel } from './sealed-channel.ts';
import { createSealer } from './seal.ts';
import { generateKeyPairSync } from 'node:crypto';

const chunk = { id: 1, at: 0, data: Uint8Array.of(1) };
/** A well-formed payload for every kind that an operator can send. */
const payloads: { [Kind in FrameKindName]?: Payload<Kind> } = {
  confirm: { version: 1 },
  end: { by: 'operator', message: '', back: false },
  ping: 1,
  pong: 1,
  direct: { offer: 'o' },
  shown: 1,
  view: { monitor: 0 },
  pointer: { x: 1, y: 2, buttons: 1 },
  wheel: { x: 1, y: 2, deltaX: 0, deltaY: 120 },
  key: { down: true, code: 'KeyA', key: 'a' },
  text: { text: 'a' },
  drive: { to: 'me' },
  resize: { width: 800, height: 600 },
  clipboard: { text: 'a' },
  terminal: { do: 'open', id: 1, columns: 80, rows: 24 },
  terminal_bytes: chunk,
  file: { do: 'list', id: 1, path: '/' },
  file_bytes: chunk,
  file_drag: { is: 'outside' },
  printing: { on: true },
  document: { is: 'taken', id: 1, bytes: 0 },
  chat: { text: 'a', name: '' },
  call: { do: 'ring' },
  voice: chunk,
  sound: { on: true },
  lock: {},
  shield: { on: true },
  reboot: { safe: false },
  software: {},
  install: { message: '' },
};
const names = Object.keys(frameKinds) as FrameKindName[];
const good = new Map(
  Object.entries(payloads).map(([kind, payload]) => [
    kind as FrameKindName,
    encodePayload(kind as FrameKindName, payload as Payload<FrameKindName>),
  ]),
);
good.set('rekey', new Uint8Array(0));
const bad = Uint8Array.of(0x7b, 0x22, 0xff);
/** No version has such a kind. */
const unknownByte = 0xee;

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const deviceKey = signingKeyOf(publicKey.export({ format: 'jwk' }).x!, pem);
const agreeOnKeys = async (): Promise<SessionKeys> =>
  (await createHello(nodeCrypto, { signedGrant: 'a.b', operatorKey: createKeyPair().publicKey, deviceKey }))!
    .keys;

/** The device's side of a channel under these permissions, and an operator that seals whatever it is told. */
function open(keys: SessionKeys, permissions: readonly string[], otherVersion = 2) {
  const seen: string[] = [];
  const sent: Uint8Array[] = [];
  const granted = new Set(permissions);
  const channel = createSealedChannel({
    side: 'device',
    transport: {
      send: (frame) => void sent.push(frame),
      buffered: () => 0,
      drained: async () => {},
      close: () => {},
    },
    crypto: nodeCrypto,
    keys,
    clock: { now: () => 0 },
    permissions: () => granted,
    otherVersion: () => otherVersion,
    onFrame: (kind) => void seen.push(`passed ${kind}`),
    onForbidden: (kind) => void seen.push(`refused ${kind}`),
    onBroken: () => void seen.push('fault'),
  });
  const sealer = createSealer(keys.operator, nodeCrypto.importFrameKey, { now: () => 0 });
  const say = (byte: number, payload: Uint8Array): void =>
    channel.receive(sealer.seal(byte, payload) as Uint8Array);
  return { channel, seen, sent, say };
}

/** What must become of a frame, stated a second time and differently from the code. */
function expected(kind: FrameKindName, isGood: boolean, permissions: readonly string[]): string | undefined {
  const { from, permission }: FrameKind = frameKinds[kind];
  if (from === 'device') return 'fault';
  if (permission !== null && !permissions.includes(permission)) return `refused ${kind}`;
  if (kind === 'rekey') return isGood ? undefined : 'fault';
  return isGood ? `passed ${kind}` : 'fault';
}

test('of 20,000 random sequences under random permissions everything permitted is passed on, and nothing else', async () => {
  const keys = await agreeOnKeys();
  const frame = fc.tuple(fc.nat(names.length), fc.nat(9));
  let frames = 0;
  fc.assert(
    fc.property(
      fc.subarray([...sessionPermissions]),
      fc.array(frame, { minLength: 1, maxLength: 4 }),
      (permissions, sequence) => {
        const { seen, say } = open(keys, permissions);
        const outcome = sequence.flatMap(([index, random]) => {
          frames += 1;
          const kind = names[index];
          if (kind === undefined) {
            say(unknownByte, bad);
            return [];
          }
          const isGood = random > 0 && good.has(kind);
          say(frameKinds[kind].byte, isGood ? good.get(kind)! : bad);
          return expected(kind, isGood, permissions) ?? [];
        });
        return JSON.stringify(seen) === JSON.stringify(outcome);
      },
    ),
    drawn(20_000),
  );
  assert.ok(frames >= 20_000);
});

test('each permission alone opens its own kinds of frames and no others', async () => {
  const keys = await agreeOnKeys();
  for (const permission of sessionPermissions) {
    const { seen, say } = open(keys, [permission]);

    for (const [kind, payload] of good) say(frameKinds[kind].byte, payload);

    const own = [...good.keys()].filter((kind) => {
      const row: FrameKind = frameKinds[kind];
      return row.permission === null || row.permission === permission;
    });
    assert.deepEqual(
      seen.filter((each) => each.startsWith('passed')),
      own.filter((kind) => kind !== 'rekey').map((kind) => `passed ${kind}`),
    );
  }
});

test('a kind that this version does not know is skipped, and the frames after it open', async () => {
  const { seen, say } = open(await agreeOnKeys(), sessionPermissions);

  say(frameKinds.chat.byte, good.get('chat')!);
  say(unknownByte, Uint8Array.of(1, 2, 3));
  say(unknownByte, new Uint8Array(0));
  say(frameKinds.chat.byte, good.get('chat')!);

  assert.deepEqual(seen, ['passed chat', 'passed chat']);
});

test('a kind that the other side does not know yet is not sent', async () => {
  const { channel, sent } = open(await agreeOnKeys(), sessionPermissions, 0);

  assert.equal(channel.send('chat', { text: 'a', name: '' }), false);
  assert.deepEqual(sent, []);
});
