/** The cryptography of the browser, by itself and against Node's. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import vectors from '../../../contract/src/session/vectors.json' with { type: 'json' };
import type { Bytes } from '@drawbridge/contract/session/binary';
import { frameKinds } from '@drawbridge/contract/session/frame-kinds';
import { rekeySeconds } from '@drawbridge/contract/session/handshake';
import type { OpenReply } from '@drawbridge/contract/session/open';
import {
  encodeBody,
  fromBase64url,
  signedBytes,
  toBase64url,
  withSignature,
} from '@drawbridge/contract/session/signed';
import { browserCrypto } from '@drawbridge/session/browser/crypto';
import { createHello, verifyHello, type SessionKeys } from '@drawbridge/session/handshake';
import { nodeCrypto, signingKeyOf } from '@drawbridge/session/node/crypto';
import type { SessionCrypto, SigningKey } from '@drawbridge/session/ports';
import { isProblem } from '@drawbridge/contract/session/problem';
import { createOpener, createSealer, type Opener, type Sealer } from '@drawbridge/session/seal';
import { createSigningKey } from './create-signing-key.ts';

const payload = (index: number): Bytes => new TextEncoder().encode(`frame ${index}`);
const chat = frameKinds.chat.byte;
const pair = 'AAAAAAAAAAAAAAAAAAAAAA';

function nodeSigningKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return signingKeyOf(publicKey.export({ format: 'jwk' }).x!, pem);
}

/** The keys of both sides, each with its own cryptography. */
async function bothSides(
  device: { crypto: SessionCrypto; key: SigningKey },
  operatorCrypto: SessionCrypto,
): Promise<{ device: SessionKeys; operator: SessionKeys }> {
  const server = await createSigningKey();
  const operator = await operatorCrypto.createKeyPair();
  const body = encodeBody('grant', {
    v: 1,
    session: 5,
    pair,
    device_key: device.key.publicKey,
    operator_key: operator.publicKey,
    operator: { name: 'Olga', address: '127.0.0.1' },
    permissions: [],
    confirm: false,
    nbf: 0,
    exp: 0,
    nonce: pair,
  });
  const signedGrant = withSignature(body, await server.sign(signedBytes('grant', body)));
  const options = { signedGrant, operatorKey: operator.publicKey, deviceKey: device.key };
  const hello = (await createHello(device.crypto, options))!;
  const reply = { session: 5, pair, server_key: server.publicKey, device: { key: device.key.publicKey } };
  const expected = { reply: reply as OpenReply, keyPair: operator, knownKey: undefined };
  const verified = await verifyHello(operatorCrypto, hello.frame, expected);
  assert.ok(!isProblem(verified));
  return { device: hello.keys, operator: verified.keys };
}

const inBrowser = async () =>
  bothSides({ crypto: browserCrypto, key: await createSigningKey() }, browserCrypto);

const sealerOf = (key: SessionKeys['device'], crypto = browserCrypto, now = () => 0): Sealer =>
  createSealer(key, crypto.importFrameKey, { now });
const openerOf = (key: SessionKeys['device'], crypto = browserCrypto): Opener =>
  createOpener(key, crypto.importFrameKey);

test('one side opens what the other seals, in order, however many frames are in flight', async () => {
  const { operator, device } = await inBrowser();
  const [sealer, opener] = [sealerOf(operator.operator), openerOf(device.operator)];
  const order: string[] = [];

  const sealed = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => sealer.seal(chat, payload(index))),
  );
  await Promise.all(
    sealed.map(async (frame) => order.push(new TextDecoder().decode(await opener.open(frame)))),
  );

  assert.deepEqual(
    order,
    Array.from({ length: 200 }, (_, index) => `frame ${index}`),
  );
  assert.equal(operator.code, device.code);
  assert.match(operator.code, /^\d{4} \d{4} \d{4}$/);
});

const tampering: Record<string, (frames: Bytes[]) => Bytes[]> = {
  'a changed bit': ([first, ...rest]) => {
    first![5]! ^= 1;
    return [first!, ...rest];
  },
  'another kind in front': ([first, ...rest]) => {
    first![0] = frameKinds.clipboard.byte;
    return [first!, ...rest];
  },
  'a frame left out': ([, ...rest]) => rest,
  'a frame twice': ([first, ...rest]) => [first!, first!, ...rest],
  'two frames in the other order': ([first, second]) => [second!, first!],
  'a frame cut short': ([first, ...rest]) => [first!.slice(0, 10), ...rest],
  'an empty frame': (frames) => [new Uint8Array(0), ...frames],
};

for (const [name, tamper] of Object.entries(tampering))
  test(`${name}: it does not open, and nothing after it does`, async () => {
    const { operator, device } = await inBrowser();
    const [sealer, opener] = [sealerOf(device.device), openerOf(operator.device)];
    const frames = await Promise.all([0, 1, 2].map(async (index) => sealer.seal(chat, payload(index))));

    const opened = await Promise.all(tamper(frames).map(async (frame) => opener.open(frame)));

    const firstBad = opened.indexOf(undefined);
    assert.notEqual(firstBad, -1);
    assert.ok(opened.slice(firstBad).every((each) => each === undefined));
  });

test('a key that yields the same secret with everybody is refused', async () => {
  const own = await browserCrypto.createKeyPair();

  assert.equal(await own.agree(Buffer.alloc(32).toString('base64url')), undefined);
});

test('Node and browser agree on keys and code, and understand each other through a change of keys', async () => {
  const { operator, device } = await bothSides({ crypto: nodeCrypto, key: nodeSigningKey() }, browserCrypto);
  let now = 0;
  const clock = (): number => now;
  const [down, up] = [
    sealerOf(device.device, nodeCrypto, clock),
    sealerOf(operator.operator, browserCrypto, clock),
  ];
  const [atOperator, atDevice] = [openerOf(operator.device), openerOf(device.operator, nodeCrypto)];
  const pass = async (sealer: Sealer, opener: Opener, round: number): Promise<number> => {
    const isDue = sealer.isRekeyDue();
    if (isDue) await opener.open(await sealer.seal(frameKinds.rekey.byte, new Uint8Array(0)));
    const opened = await opener.open(await sealer.seal(chat, payload(round)));
    assert.deepEqual([...opened!], [...payload(round)]);
    return isDue ? 2 : 1;
  };

  assert.equal(operator.code, device.code);
  for (let round = 0; round < 3; round += 1, now += rekeySeconds * 1_000)
    for (const [sealer, opener] of [
      [down, atOperator],
      [up, atDevice],
    ] as const)
      assert.equal(await pass(sealer, opener, round), round === 0 ? 1 : 2);
});

test('a device in the browser is verified by an operator in Node', async () => {
  const { operator, device } = await bothSides(
    { crypto: browserCrypto, key: await createSigningKey() },
    nodeCrypto,
  );

  assert.equal(operator.code, device.code);
});

test('the frames of the shared vectors open and seal to the same bytes', async () => {
  for (const side of ['operator', 'device'] as const) {
    const imported = async () => browserCrypto.importFrameKey(fromBase64url(vectors.keys[side]));
    const [opener, sealer] = [openerOf(await imported()), sealerOf(await imported())];
    for (const frame of vectors.frames[side]) {
      const opened = await opener.open(fromBase64url(frame));
      assert.equal(toBase64url(await sealer.seal(fromBase64url(frame)[0]!, opened!)), frame);
    }
  }
});
