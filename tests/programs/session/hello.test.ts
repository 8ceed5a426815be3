/** Whom the operator's browser believes: one grant, one server, one device, one key, and no other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { encodeBody, signedBytes, withSignature, type Grant } from '@drawbridge/contract/session/signed';
import { browserCrypto } from '@drawbridge/session/browser/crypto';
import { createHello, verifyHello } from '@drawbridge/session/handshake';
import type { SigningKey } from '@drawbridge/session/ports';
import { isProblem } from '@drawbridge/contract/session/problem';
import { createSigningKey } from './create-signing-key.ts';

const pair = 'AAAAAAAAAAAAAAAAAAAAAA';
const otherPair = 'BBBBBBBBBBBBBBBBBBBBBB';

async function fixture() {
  const [server, device, outsider] = [
    await createSigningKey(),
    await createSigningKey(),
    await createSigningKey(),
  ];
  const operator = await browserCrypto.createKeyPair();
  const grant: Grant = {
    v: 1,
    session: 5,
    pair,
    device_key: device.publicKey,
    operator_key: operator.publicKey,
    operator: { name: 'Olga', address: '127.0.0.1' },
    permissions: ['agent_connect'],
    confirm: false,
    nbf: 0,
    exp: 0,
    nonce: pair,
  };
  const opened = {
    session: 5,
    pair,
    server_key: server.publicKey,
    device: { id: 3, name: 'desk', os: 'linux', key: device.publicKey },
  } as OpenReply;
  return { server, device, outsider, operator, grant, opened };
}

type HelloFixture = Awaited<ReturnType<typeof fixture>>;

async function signedBy(key: SigningKey, grant: Grant): Promise<string> {
  const body = encodeBody('grant', grant);
  return withSignature(body, await key.sign(signedBytes('grant', body)));
}

interface Change {
  grant?: Partial<Grant>;
  server?: SigningKey;
  device?: SigningKey;
  knownKey?: string;
  bend?: (frame: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;
}

/** What comes of it: a problem's code, or that it was believed. */
async function verdict(all: HelloFixture, change: Change): Promise<string> {
  const grant = { ...all.grant, ...change.grant };
  const text = await signedBy(change.server ?? all.server, grant);
  const hello = await createHello(browserCrypto, {
    signedGrant: text,
    operatorKey: grant.operator_key,
    deviceKey: change.device ?? all.device,
  });
  const frame = (change.bend ?? ((same) => same))(hello!.frame);
  const answer = await verifyHello(browserCrypto, frame, {
    reply: all.opened,
    keyPair: all.operator,
    knownKey: change.knownKey,
  });
  return isProblem(answer) ? answer.code : `believed ${answer.keys.code === hello!.keys.code}`;
}

/** Puts other words into a hello, as a relay could. */
const rewrite =
  (change: (word: Record<string, string>) => object) =>
  (frame: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
    const word = JSON.parse(new TextDecoder().decode(frame.subarray(1))) as Record<string, string>;
    return Uint8Array.of(frame[0]!, ...new TextEncoder().encode(JSON.stringify(change(word))));
  };

const cases: Record<string, [string, (all: HelloFixture) => Change | Promise<Change>]> = {
  'the device itself is believed': ['believed true', () => ({})],
  'also if this browser knows it already': [
    'believed true',
    ({ device }) => ({ knownKey: device.publicKey }),
  ],
  'another key than this browser knows is not': [
    'changed_key',
    ({ outsider }) => ({ knownKey: outsider.publicKey }),
  ],
  'a grant that another server signed is not': ['bad_grant', ({ outsider }) => ({ server: outsider })],
  'a grant for another session is not': ['bad_grant', () => ({ grant: { session: 6 } })],
  'a grant for another pairing is not': ['bad_grant', () => ({ grant: { pair: otherPair } })],
  'a grant for another device is not': [
    'bad_grant',
    ({ outsider }) => ({ grant: { device_key: outsider.publicKey }, device: outsider }),
  ],
  'a grant for another operator is not': [
    'bad_grant',
    async () => ({ grant: { operator_key: (await browserCrypto.createKeyPair()).publicKey } }),
  ],
  'a stranger with the right grant is not': ['bad_signature', ({ outsider }) => ({ device: outsider })],
  'a key that somebody put in on the way is not': [
    'bad_signature',
    async () => {
      const { publicKey } = await browserCrypto.createKeyPair();
      return { bend: rewrite((word) => ({ ...word, key: publicKey })) };
    },
  ],
  'a hello in other words is not': ['broken', () => ({ bend: rewrite(() => ({ hello: true })) })],
  'a frame of another kind is not': ['broken', () => ({ bend: (frame) => frame.fill(0x60, 0, 1) })],
};

for (const [name, [expected, change]] of Object.entries(cases))
  test(name, async () => {
    const all = await fixture();

    assert.equal(await verdict(all, await change(all)), expected);
  });
