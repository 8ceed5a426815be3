/** The seal of the browser, by itself and against the device's own. */
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import vectors from '../../../contract/src/session/vectors.json' with { type: 'json' };
import { answerGrant, verifyHello, createSessionKey } from '@drawbridge/agent/session/key-agreement';
import { createSeal } from '@drawbridge/agent/session/seal';
import { rekeySeconds, transcript } from '@drawbridge/contract/session/handshake';
import { frameKinds } from '@drawbridge/contract/session/frame-kinds';
import { fromBase64url, toBase64url, type Grant } from '@drawbridge/contract/session/signed';
import { createHello } from '@drawbridge/web/session/hello';
import {
  deriveSharedSecret,
  createDeviceKeyPair,
  createSessionKeyPair,
  sign,
  type BufferBytes,
} from '@drawbridge/web/session/keys';
import { createOpener, createSealer, deriveSecrets, type Secrets } from '@drawbridge/web/session/seal';

const said = new TextEncoder().encode('what was said in the open');
const payload = (index: number): BufferBytes => new TextEncoder().encode(`frame ${index}`);
const chat = frameKinds.chat.byte;

async function bothSides(): Promise<[Secrets, Secrets]> {
  const [operator, device] = [await createSessionKeyPair(), await createSessionKeyPair()];
  const [one, other] = [
    await deriveSharedSecret(operator, device.publicKey),
    await deriveSharedSecret(device, operator.publicKey),
  ];
  return [await deriveSecrets(one!, said), await deriveSecrets(other!, said)];
}

test('what one side seals the other opens, in order, however many are under way at once', async () => {
  const [near, far] = await bothSides();
  const sealer = createSealer(near.operator, () => 0);
  const opener = createOpener(far.operator);
  const order: string[] = [];

  const sealed = await Promise.all(
    Array.from({ length: 200 }, (_, index) => sealer.seal(chat, payload(index))),
  );
  await Promise.all(
    sealed.map((frame) => opener.open(frame).then((bytes) => order.push(new TextDecoder().decode(bytes)))),
  );

  assert.deepEqual(
    order,
    Array.from({ length: 200 }, (_, index) => `frame ${index}`),
  );
  assert.equal(near.code, far.code);
  assert.match(near.code, /^\d{4} \d{4} \d{4}$/);
});

const meddling: Record<string, (frames: BufferBytes[]) => BufferBytes[]> = {
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

for (const [name, meddle] of Object.entries(meddling))
  test(`${name}: it does not open, and nothing after it does`, async () => {
    const [near, far] = await bothSides();
    const sealer = createSealer(near.device, () => 0);
    const opener = createOpener(far.device);
    const frames = await Promise.all([0, 1, 2].map((index) => sealer.seal(chat, payload(index))));

    const opened = await Promise.allSettled(meddle(frames).map((frame) => opener.open(frame)));

    const firstBad = opened.findIndex(({ status }) => status === 'rejected');
    assert.notEqual(firstBad, -1);
    assert.ok(opened.slice(firstBad).every(({ status }) => status === 'rejected'));
  });

test('a key that yields the same secret with everybody is no key', async () => {
  assert.equal(
    await deriveSharedSecret(await createSessionKeyPair(), Buffer.alloc(32).toString('base64url')),
    undefined,
  );
});

test('the device and the browser come to the same keys and the same code, and understand each other through a change of keys', async () => {
  const operator = await createSessionKeyPair();
  const device = createSessionKey();
  const { privateKey } = generateKeyPairSync('ed25519');
  const answer = answerGrant({
    grant: 'the.grant',
    operatorKey: operator.publicKey,
    devicePrivateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    sessionKey: device,
  });
  const text = transcript({
    grantHash: createHash('sha256').update('the.grant').digest('base64url'),
    operatorKey: operator.publicKey,
    deviceKey: device.publicKey,
  });
  let now = 0;
  const seal = createSeal(answer.keys, { now: () => now });

  const secrets = await deriveSecrets((await deriveSharedSecret(operator, device.publicKey))!, text);
  const [sealer, opener] = [createSealer(secrets.operator, () => now), createOpener(secrets.device)];

  assert.equal(secrets.code, answer.code);
  for (let round = 0; round < 3; round += 1, now += rekeySeconds * 1_000) {
    const down = seal.close('chat', payload(round)).map((frame) => opener.open(new Uint8Array(frame)));
    assert.deepEqual([...(await Promise.all(down)).at(-1)!], [...payload(round)]);
    const up = sealer.isDue() ? [await sealer.seal(frameKinds.rekey.byte, new Uint8Array(0))] : [];
    up.push(await sealer.seal(chat, payload(round)));
    assert.equal(up.length, round === 0 ? 1 : 2);
    assert.deepEqual([...up.map((frame) => seal.open(frame)).at(-1)!.payload], [...payload(round)]);
  }
});

test('what the browser says as a device is what the device itself would say', async () => {
  const [operator, own, device] = [
    await createSessionKeyPair(),
    await createSessionKeyPair(),
    await createDeviceKeyPair(),
  ];
  const operatorInNode = createSessionKey();

  const hello = await createHello(
    { text: 'the.grant', grant: { operator_key: operatorInNode.publicKey } as Grant },
    own,
    device,
  );
  const word = JSON.parse(new TextDecoder().decode(hello!.frame.subarray(1))) as {
    grant: string;
    key: string;
    signature: string;
  };

  const believed = verifyHello(word, { deviceKey: device.publicKey, sessionKey: operatorInNode });
  assert.equal(believed?.code, hello!.secrets.code);
  assert.equal(verifyHello(word, { deviceKey: operator.publicKey, sessionKey: operatorInNode }), undefined);
});

test('a direction is due for its next key after ten minutes', async () => {
  const [near] = await bothSides();
  let time = 0;
  const sealer = createSealer(near.operator, () => time);
  assert.equal(sealer.isDue(), false);
  time = rekeySeconds * 1_000;
  assert.equal(sealer.isDue(), true);
  await sealer.seal(frameKinds.rekey.byte, new Uint8Array(0));
  assert.equal(sealer.isDue(), false);
});

const privateKey = (
  curve: string,
  pair: { private: string; public: string },
  use: 'sign' | 'deriveKey',
): Promise<CryptoKey> =>
  crypto.subtle.importKey('jwk', { kty: 'OKP', crv: curve, d: pair.private, x: pair.public }, curve, false, [
    use,
  ]);

test('keys, code, signature and frames are those that every implementation must come to', async () => {
  const { operator, device, device_identity: identity, frames } = vectors;
  const text = new TextEncoder().encode(vectors.transcript);
  const own = { publicKey: operator.public, privateKey: await privateKey('X25519', operator, 'deriveKey') };
  const signer = { publicKey: identity.public, privateKey: await privateKey('Ed25519', identity, 'sign') };

  const secrets = await deriveSecrets((await deriveSharedSecret(own, device.public))!, text);

  assert.equal(secrets.code, vectors.code);
  assert.equal(await sign(signer, text), vectors.hello_signature);
  for (const side of ['operator', 'device'] as const) {
    const [opener, sealer] = [createOpener(secrets[side]), createSealer(secrets[side], () => 0)];
    for (const frame of frames[side]) {
      const opened = await opener.open(fromBase64url(frame));
      assert.equal(toBase64url(await sealer.seal(fromBase64url(frame)[0]!, opened)), frame);
    }
  }
});
