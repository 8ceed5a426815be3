/** Sealing and the agreement on keys: pinned by vectors that every implementation shares, and checked by WebCrypto. */
import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { frameKinds } from '@drawbridge/contract/session/frame-kinds';
import {
  hkdfLabels,
  nonceOf,
  readableCode,
  rekeySeconds,
  sealKeyBytes,
  transcript,
} from '@drawbridge/contract/session/handshake';
import { decodeMessage } from '@drawbridge/contract/session/messages';
import { fromBase64url, toBase64url } from '@drawbridge/contract/session/signed';
import { createNodeSeal } from '../../tests/kit/session/node-seal.ts';
import { createHello, type SessionKeys } from './handshake.ts';
import { createKeyPair, keyPairOf, nodeCrypto, signingKeyOf } from './node/crypto.ts';
import type { SessionCrypto } from './ports.ts';
import { createSealer } from './seal.ts';

const file = join(import.meta.dirname, '../../contract/src/session/vectors.json');

/** Keys that protect nothing. */
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
const identityPem = keyOf('Ed25519', given.device_identity)
  .export({ format: 'pem', type: 'pkcs8' })
  .toString();
const deviceKey = signingKeyOf(given.device_identity.public, identityPem);

/** Records the frame keys that are imported, and always creates the same key pair. */
function fixedCrypto(): { crypto: SessionCrypto; imported: string[] } {
  const imported: string[] = [];
  const crypto: SessionCrypto = {
    ...nodeCrypto,
    createKeyPair: async () => keyPairOf(given.device.public, keyOf('X25519', given.device)),
    importFrameKey(bytes) {
      imported.push(toBase64url(bytes));
      return nodeCrypto.importFrameKey(bytes.slice());
    },
  };
  return { crypto, imported };
}

const nextKeyOf = async (keys: SessionKeys, side: 'operator' | 'device'): Promise<string> =>
  toBase64url(await keys[side].derive(new Uint8Array(0), hkdfLabels.next, sealKeyBytes));

async function makeVectors() {
  const { crypto, imported } = fixedCrypto();
  const hello = (await createHello(crypto, {
    signedGrant: given.grant,
    operatorKey: given.operator.public,
    deviceKey,
  }))!;
  const { keys } = hello;
  const text = (words: string): Uint8Array => new TextEncoder().encode(words);
  const operator = createNodeSeal({ send: keys.operator, receive: keys.device });
  let time = 0;
  const device = createNodeSeal({ send: keys.device, receive: keys.operator }, { now: () => time });
  const confirm = operator.seal('confirm', text('{"version":1}'));
  const ping = operator.seal('ping', Uint8Array.of(0, 0, 0, 1));
  const chat = device.seal('chat', text('{"text":"ä","name":"ann"}'));
  time = rekeySeconds * 1_000;
  const afterRekey = device.seal('pong', Uint8Array.of(0, 0, 0, 1));
  const grantHash = toBase64url(await nodeCrypto.sha256(new TextEncoder().encode(given.grant)));
  return {
    about: readVectors().about,
    ...given,
    grant_hash: grantHash,
    transcript: new TextDecoder().decode(
      transcript({ grantHash, operatorKey: given.operator.public, deviceKey: given.device.public }),
    ),
    hello_signature: decodeMessage('hello', hello.frame.subarray(1))!.signature,
    keys: { operator: imported[0]!, device: imported[1]! },
    next_keys: { operator: await nextKeyOf(keys, 'operator'), device: await nextKeyOf(keys, 'device') },
    code: keys.code,
    frames: {
      operator: [...confirm, ...ping].map(toBase64url),
      device: [...chat, ...afterRekey].map(toBase64url),
    },
  };
}

interface Vectors {
  about: string;
  transcript: string;
  hello_signature: string;
  keys: { operator: string; device: string };
  next_keys: { operator: string; device: string };
  code: string;
  frames: { operator: string[]; device: string[] };
}

const readVectors = (): Vectors => JSON.parse(readFileSync(file, 'utf8')) as Vectors;

test('keys, code and first frames are those of the shared vectors', async () => {
  const made = await makeVectors();
  if (process.env['REFRESH_VECTORS'] === '1') writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`);

  assert.deepEqual(made, readVectors());
});

test('WebCrypto, as browsers have it, derives the same keys, code, next keys and frames', async () => {
  const { subtle } = globalThis.crypto;
  const vectors = readVectors();
  const jwk = (crv: string, pair: { private?: string; public: string }) => ({
    kty: 'OKP',
    crv,
    x: pair.public,
    ...(pair.private !== undefined && { d: pair.private }),
  });
  const own = await subtle.importKey('jwk', jwk('X25519', given.operator), 'X25519', false, ['deriveBits']);
  const publicOnly = jwk('X25519', { public: given.device.public });
  const other = await subtle.importKey('jwk', publicOnly, 'X25519', false, []);
  const identity = { public: given.device_identity.public };
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
    const params = { name: 'HKDF', hash: 'SHA-256', salt, info };
    return new Uint8Array(await subtle.deriveBits(params, key, bytes * 8));
  };
  const salt = new Uint8Array(await subtle.digest('SHA-256', text));
  const both = await expand(secret, salt, hkdfLabels.keys, 64);
  const [operatorKey, deviceFrameKey] = [both.slice(0, 32), both.slice(32)];
  const next = await expand(deviceFrameKey, new Uint8Array(0), hkdfLabels.next, 32);
  const openFrame = async (raw: Uint8Array<ArrayBuffer>, frame: string, number: number) => {
    const key = await subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt']);
    const bytes = fromBase64url(frame);
    const params = { name: 'AES-GCM', iv: nonceOf(number), additionalData: bytes.subarray(0, 1) };
    return [bytes[0], Buffer.from(await subtle.decrypt(params, key, bytes.subarray(1))).toString()];
  };

  assert.ok(await subtle.verify('Ed25519', verifier, fromBase64url(vectors.hello_signature), text));
  assert.deepEqual({ operator: toBase64url(operatorKey), device: toBase64url(deviceFrameKey) }, vectors.keys);
  assert.equal(readableCode(await expand(secret, salt, hkdfLabels.code, 6)), vectors.code);
  assert.equal(toBase64url(next), vectors.next_keys.device);
  assert.deepEqual(await openFrame(operatorKey, vectors.frames.operator[0]!, 0), [
    frameKinds.confirm.byte,
    '{"version":1}',
  ]);
  assert.deepEqual(await openFrame(deviceFrameKey, vectors.frames.device[0]!, 0), [
    frameKinds.chat.byte,
    '{"text":"ä","name":"ann"}',
  ]);
  assert.deepEqual(await openFrame(deviceFrameKey, vectors.frames.device[1]!, 1), [
    frameKinds.rekey.byte,
    '',
  ]);
  assert.deepEqual(await openFrame(next, vectors.frames.device[2]!, 2), [frameKinds.pong.byte, '\0\0\0\x01']);
});

async function agreeOnKeys(): Promise<SessionKeys> {
  const operator = createKeyPair();
  const hello = await createHello(nodeCrypto, {
    signedGrant: given.grant,
    operatorKey: operator.publicKey,
    deviceKey,
  });
  return hello!.keys;
}

test('a key with which everybody shares the same secret is refused', async () => {
  const weak = Buffer.alloc(32).toString('base64url');
  const options = { signedGrant: given.grant, operatorKey: weak, deviceKey };

  assert.equal(await createHello(nodeCrypto, options), undefined);
  assert.equal(await createKeyPair().agree(weak), undefined);
});

test('a frame that is repeated, left out, moved, shortened, of another kind or changed in any bit does not open', async () => {
  const { operator, device } = await agreeOnKeys();
  const sender = createNodeSeal({ send: device, receive: operator });
  const frames = ['one', 'two', 'three'].map((text) =>
    Buffer.from(sender.seal('chat', Buffer.from(text))[0]!),
  );
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
    // After a frame that does not open, nothing does.
    [third, second, third],
  ];
  const lastOf = (sequence: Buffer[]) => {
    const receiver = createNodeSeal({ send: operator, receive: device });
    return sequence.map((frame) => receiver.open(frame)).at(-1);
  };

  assert.deepEqual(attempts.map(lastOf).filter(Boolean), []);
  assert.equal(lastOf([first, second, third])?.payload.toString(), 'three');
});

test('a payload in parts opens as one, and its parts stay as they were', async () => {
  const { operator, device } = await agreeOnKeys();
  const [header, data] = [Buffer.from('header'), Buffer.alloc(128 * 1_024, 7)];

  const sealer = createSealer(device, nodeCrypto.importFrameKey, { now: () => 0 });
  const frame = await sealer.seal(frameKinds.file_bytes.byte, header, data);

  const opened = createNodeSeal({ send: operator, receive: device }).open(frame);
  assert.deepEqual(opened?.payload, Buffer.concat([header, data]));
  assert.deepEqual(data, Buffer.alloc(128 * 1_024, 7));
});

test('the key changes with time and with the number of frames, and both sides continue', async () => {
  const { operator, device } = await agreeOnKeys();
  let time = 0;
  const sender = createNodeSeal({ send: device, receive: operator }, { now: () => time, frames: 10 });
  const receiver = createNodeSeal({ send: operator, receive: device });
  const pass = (): string[] =>
    sender.seal('ping', Buffer.of(0, 0, 0, 1)).map((frame) => receiver.open(frame)!.kind);

  const before = pass();
  time += rekeySeconds * 1_000;
  const byTime = pass();
  const byCount = Array.from({ length: 18 }, pass).map((kinds) => kinds.length);

  assert.deepEqual([before, byTime], [['ping'], ['rekey', 'ping']]);
  // Of ten frames under one key the tenth announces the next key.
  assert.deepEqual(byCount, [1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
});
