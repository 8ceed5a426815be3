/** The seal and the agreement on keys: pinned by vectors that every implementation shares, and checked by WebCrypto. */
import assert from 'node:assert/strict';
import { createPrivateKey, hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  hkdfLabels,
  nonceOf,
  readableCode,
  rekeySeconds,
  transcript,
} from '@drawbridge/contract/session/handshake';
import { frameKinds } from '@drawbridge/contract/session/frame-kinds';
import { fromBase64url, toBase64url } from '@drawbridge/contract/session/signed';
import { answerGrant, verifyHello, createSessionKey, type SessionKey } from './key-agreement.ts';
import { createSeal, nextKey } from './seal.ts';

const file = join(import.meta.dirname, '../../../contract/src/session/vectors.json');

/** Keys that are secret to nobody. */
const given = {
  grant: 'eyJ2IjoxfQ.c2lnbmF0dXJl',
  operator: {
    private: 'dwdtCnMYpX08FsFyUbJmRd9ML4frwJkqwXf7pR25LCo',
    public: 'KVPpfcoSKfl8YAvsLBf-6qs1zkvt9msdQvFqRJ3FwF8',
  },
  device: {
    private: 'XasIfmJKikt54X-Lg4AO5m87sSkmGLb9HC-LJ_-I4Os',
    public: '3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08',
  },
  device_identity: {
    private: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
    public: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  },
};

const keyOf = (crv: string, { private: d, public: x }: { private: string; public: string }) =>
  createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv, d, x } });
const sessionKeyOf = (pair: { private: string; public: string }): SessionKey => ({
  publicKey: pair.public,
  privateKey: keyOf('X25519', pair),
});
const devicePrivateKey = keyOf('Ed25519', given.device_identity).export({ format: 'pem', type: 'pkcs8' });

function makeVectors() {
  const answer = answerGrant({
    grant: given.grant,
    operatorKey: given.operator.public,
    devicePrivateKey,
    sessionKey: sessionKeyOf(given.device),
  });
  const { send: deviceKey, receive: operatorKey } = answer.keys;
  const text = (words: string): Uint8Array => new TextEncoder().encode(words);
  const operator = createSeal({ send: operatorKey, receive: deviceKey });
  let time = 0;
  const device = createSeal(answer.keys, { now: () => time });
  const confirm = operator.close('confirm', text('{"version":1}'));
  const ping = operator.close('ping', Uint8Array.of(0, 0, 0, 1));
  const state = device.close('chat', text('{"text":"ä","name":"ann"}'));
  time = rekeySeconds * 1_000;
  const afterRekey = device.close('pong', Uint8Array.of(0, 0, 0, 1));
  const grantHash = toBase64url(new Uint8Array(sha256Of(given.grant)));
  return {
    about:
      'What every implementation of handshake.ts must come to. Bytes are base64url. `transcript` is text. The private keys serve nothing else.',
    ...given,
    grant_hash: grantHash,
    transcript: new TextDecoder().decode(
      transcript({ grantHash, operatorKey: given.operator.public, deviceKey: given.device.public }),
    ),
    hello_signature: answer.hello.signature,
    keys: { operator: toBase64url(operatorKey), device: toBase64url(deviceKey) },
    next_keys: { operator: toBase64url(nextKey(operatorKey)), device: toBase64url(nextKey(deviceKey)) },
    code: answer.code,
    frames: {
      operator: [...confirm, ...ping].map(toBase64url),
      device: [...state, ...afterRekey].map(toBase64url),
    },
  };
}

const sha256Of = (text: string): Uint8Array => hash('sha256', text, 'buffer');

const readVectors = (): ReturnType<typeof makeVectors> =>
  JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof makeVectors>;

test('keys, code and first frames are those of the shared vectors', () => {
  const made = makeVectors();
  if (process.env['REFRESH_VECTORS'] === '1') writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`);

  assert.deepEqual(made, readVectors());
});

test('WebCrypto, as browsers have it, comes to the same keys, code, next keys and frames', async () => {
  const { subtle } = globalThis.crypto;
  const vectors = readVectors();
  const jwk = (crv: string, pair: { private?: string; public: string }) => ({
    kty: 'OKP',
    crv,
    x: pair.public,
    ...(pair.private !== undefined && { d: pair.private }),
  });
  const own = await subtle.importKey('jwk', jwk('X25519', vectors.operator), 'X25519', false, ['deriveBits']);
  const other = await subtle.importKey(
    'jwk',
    jwk('X25519', { public: vectors.device.public }),
    'X25519',
    false,
    [],
  );
  const identity = { public: vectors.device_identity.public };
  const verifier = await subtle.importKey('jwk', jwk('Ed25519', identity), 'Ed25519', false, ['verify']);
  const text = new TextEncoder().encode(vectors.transcript);
  const secret = new Uint8Array(await subtle.deriveBits({ name: 'X25519', public: other }, own, 256));
  const expand = async (
    from: Uint8Array<ArrayBuffer>,
    salt: Uint8Array<ArrayBuffer>,
    info: Uint8Array<ArrayBuffer>,
    bytes: number,
  ) => {
    const key = await subtle.importKey('raw', from, 'HKDF', false, ['deriveBits']);
    return new Uint8Array(
      await subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, bytes * 8),
    );
  };
  const salt = new Uint8Array(await subtle.digest('SHA-256', text));
  const both = await expand(secret, salt, hkdfLabels.keys, 64);
  const [operatorKey, deviceKey] = [both.slice(0, 32), both.slice(32)];
  const next = await expand(deviceKey, new Uint8Array(0), hkdfLabels.next, 32);
  const openFrame = async (raw: Uint8Array<ArrayBuffer>, frame: string, number: number) => {
    const key = await subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt']);
    const bytes = fromBase64url(frame);
    const how = { name: 'AES-GCM', iv: nonceOf(number), additionalData: bytes.subarray(0, 1) };
    return [bytes[0], Buffer.from(await subtle.decrypt(how, key, bytes.subarray(1))).toString()];
  };

  assert.ok(await subtle.verify('Ed25519', verifier, fromBase64url(vectors.hello_signature), text));
  assert.deepEqual({ operator: toBase64url(operatorKey), device: toBase64url(deviceKey) }, vectors.keys);
  assert.equal(readableCode(await expand(secret, salt, hkdfLabels.code, 6)), vectors.code);
  assert.equal(toBase64url(next), vectors.next_keys.device);
  assert.deepEqual(await openFrame(operatorKey, vectors.frames.operator[0]!, 0), [
    frameKinds.confirm.byte,
    '{"version":1}',
  ]);
  assert.deepEqual(await openFrame(deviceKey, vectors.frames.device[0]!, 0), [
    frameKinds.chat.byte,
    '{"text":"ä","name":"ann"}',
  ]);
  assert.deepEqual(await openFrame(deviceKey, vectors.frames.device[1]!, 1), [frameKinds.rekey.byte, '']);
  assert.deepEqual(await openFrame(next, vectors.frames.device[2]!, 2), [frameKinds.pong.byte, '\0\0\0\x01']);
});

const agree = () => {
  const sessionKey = createSessionKey();
  const { hello, ...device } = answerGrant({
    grant: given.grant,
    operatorKey: sessionKey.publicKey,
    devicePrivateKey,
    sessionKey: createSessionKey(),
  });
  return { hello, device, sessionKey, deviceKey: given.device_identity.public };
};

test('both sides come to the same code and understand each other', () => {
  const { hello, device, ...expected } = agree();
  const operator = verifyHello(hello, expected)!;
  const [here, there] = [createSeal(device.keys), createSeal(operator.keys)];

  const there1 = there.open(here.close('chat', Buffer.from('one'))[0]!);
  const here1 = here.open(there.close('chat', Buffer.from('two'))[0]!);

  assert.equal(operator.code, device.code);
  assert.deepEqual([there1?.payload.toString(), here1?.payload.toString()], ['one', 'two']);
});

test('a hello of another device, for another grant, with another key or another signature is not believed', () => {
  const { hello, sessionKey, deviceKey } = agree();
  const other = agree();
  const expected = { sessionKey, deviceKey };
  const wrong = [
    verifyHello(hello, { sessionKey, deviceKey: given.operator.public }),
    verifyHello(hello, { sessionKey: other.sessionKey, deviceKey }),
    verifyHello({ ...hello, grant: `${hello.grant}A` }, expected),
    verifyHello({ ...hello, key: other.hello.key }, expected),
    verifyHello({ ...hello, signature: other.hello.signature }, expected),
  ];

  assert.deepEqual(wrong, Array(wrong.length).fill(undefined));
});

test('a key with which everybody shares the same secret is not taken', () => {
  const { sessionKey } = agree();
  const weak = Buffer.alloc(32).toString('base64url');
  const operator = (): unknown =>
    answerGrant({ grant: given.grant, operatorKey: weak, devicePrivateKey, sessionKey });

  assert.throws(operator);
});

test('a frame that is repeated, left out, moved, shortened, of another kind or changed in any bit does not open', () => {
  const { hello, device, ...expected } = agree();
  const sender = createSeal(device.keys);
  const frames = ['one', 'two', 'three'].map((text) => sender.close('chat', Buffer.from(text))[0]!);
  const [first, second, third] = frames as [Buffer, Buffer, Buffer];
  const flipped = Array.from({ length: first.length * 8 }, (_, bit) => {
    const changed = Buffer.from(first);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    return [changed];
  });
  const attempts = [
    ...flipped,
    [first.subarray(0, -1)],
    [first.subarray(0, 5)],
    [Buffer.alloc(0)],
    [Buffer.concat([first, Buffer.of(0)])],
    [second],
    [first, first],
    [first, third],
    [first, second, first],
  ];
  const lastOf = (given_: Buffer[]) => {
    const receiver = createSeal(verifyHello(hello, expected)!.keys);
    return given_.map((frame) => receiver.open(frame)).at(-1);
  };

  assert.deepEqual(attempts.map(lastOf).filter(Boolean), []);
  assert.equal(lastOf([first, second, third])?.payload.toString(), 'three');
});

test('the key changes with time and with the number of frames, and both sides go on', () => {
  const { hello, device, ...expected } = agree();
  let time = 0;
  const sender = createSeal(device.keys, { now: () => time, frames: 10 });
  const receiver = createSeal(verifyHello(hello, expected)!.keys);
  const pass = (): string[] =>
    sender.close('ping', Buffer.of(0, 0, 0, 1)).map((frame) => receiver.open(frame)!.kind);

  const before = pass();
  time += rekeySeconds * 1_000;
  const byTime = pass();
  const byCount = Array.from({ length: 18 }, pass).map((kinds_) => kinds_.length);

  assert.deepEqual([before, byTime], [['ping'], ['rekey', 'ping']]);
  // Of ten frames under one key the tenth is the one that announces the next.
  assert.deepEqual(byCount, [1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
});
