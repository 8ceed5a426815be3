/** How device and operator agree on keys: the device answers a grant, and the operator verifies the answer. */
import type { Bytes } from '@drawbridge/contract/session/binary';
import { frameKindOf, frameKinds } from '@drawbridge/contract/session/frame-kinds';
import {
  codeBytes,
  hkdfLabels,
  readableCode,
  sealKeyBytes,
  transcript,
} from '@drawbridge/contract/session/handshake';
import { decodeMessage, encodeMessage } from '@drawbridge/contract/session/messages';
import type { OpenReply } from '@drawbridge/contract/session/open';
import {
  decodeBody,
  fromBase64url,
  signedBytes,
  splitSigned,
  toBase64url,
  type Grant,
} from '@drawbridge/contract/session/signed';
import { createProblem, type SessionProblem } from '@drawbridge/contract/session/problem';
import type { FrameKey, SecretKey, SessionCrypto, SessionKeyPair, SigningKey } from './ports.ts';

export interface SessionKeys {
  /** The key of the frames that the operator sends. */
  operator: FrameKey;
  /** The key of the frames that the device sends. */
  device: FrameKey;
  /** Both sides show this code. It is equal only if nobody is between them. */
  code: string;
}

const encoder = new TextEncoder();

/** The grant, if the holder of this key signed it. */
export async function readGrant(
  crypto: SessionCrypto,
  text: string,
  serverKey: string,
): Promise<Grant | undefined> {
  const parts = splitSigned(text);
  if (!parts) return undefined;
  const isGenuine = await crypto.verify(serverKey, parts.signature, signedBytes('grant', parts.body));
  return isGenuine ? decodeBody('grant', parts.body) : undefined;
}

async function transcriptOf(
  crypto: SessionCrypto,
  said: { grant: string; operatorKey: string; deviceKey: string },
): Promise<Bytes> {
  const grantHash = toBase64url(await crypto.sha256(encoder.encode(said.grant)));
  return transcript({ grantHash, operatorKey: said.operatorKey, deviceKey: said.deviceKey });
}

async function deriveKeys(crypto: SessionCrypto, secret: SecretKey, signed: Bytes): Promise<SessionKeys> {
  const salt = await crypto.sha256(signed);
  const both = await secret.derive(salt, hkdfLabels.keys, 2 * sealKeyBytes);
  const operator = await crypto.importFrameKey(both.slice(0, sealKeyBytes));
  const device = await crypto.importFrameKey(both.slice(sealKeyBytes));
  both.fill(0);
  return { operator, device, code: readableCode(await secret.derive(salt, hkdfLabels.code, codeBytes)) };
}

/** The device's first frame and the keys of the session; undefined when the operator's key in the grant is not usable. */
export async function createHello(
  crypto: SessionCrypto,
  {
    signedGrant,
    operatorKey,
    deviceKey,
  }: { signedGrant: string; operatorKey: string; deviceKey: SigningKey },
): Promise<{ frame: Bytes; keys: SessionKeys } | undefined> {
  const session = await crypto.createKeyPair();
  const secret = await session.agree(operatorKey);
  if (!secret) return undefined;
  const signed = await transcriptOf(crypto, {
    grant: signedGrant,
    operatorKey,
    deviceKey: session.publicKey,
  });
  const signature = toBase64url(await deviceKey.sign(signed));
  const message = encodeMessage('hello', { grant: signedGrant, key: session.publicKey, signature });
  const frame = new Uint8Array(1 + message.length);
  frame[0] = frameKinds.hello.byte;
  frame.set(message, 1);
  return { frame, keys: await deriveKeys(crypto, secret, signed) };
}

export interface HandshakeResult {
  grant: Grant;
  keys: SessionKeys;
}

export interface ExpectedDevice {
  reply: OpenReply;
  keyPair: SessionKeyPair;
  /** The key by which the operator already knows the device. */
  knownKey: string | undefined;
}

const isForThisSession = (grant: Grant, { reply, keyPair }: ExpectedDevice): boolean =>
  grant.session === reply.session &&
  grant.pair === reply.pair &&
  grant.operator_key === keyPair.publicKey &&
  (reply.device.key === undefined || reply.device.key === grant.device_key);

/** Verifies that the device is the one the server named and that nobody is between it and the operator. */
export async function verifyHello(
  crypto: SessionCrypto,
  frame: Uint8Array,
  expected: ExpectedDevice,
): Promise<HandshakeResult | SessionProblem> {
  const { reply, keyPair, knownKey } = expected;
  const hello = frameKindOf(frame[0]) === 'hello' ? decodeMessage('hello', frame.subarray(1)) : undefined;
  if (!hello) return createProblem('broken');
  const grant = await readGrant(crypto, hello.grant, reply.server_key);
  if (!grant || !isForThisSession(grant, expected)) return createProblem('bad_grant');
  const said = { grant: hello.grant, operatorKey: keyPair.publicKey, deviceKey: hello.key };
  const signed = await transcriptOf(crypto, said);
  if (!(await crypto.verify(grant.device_key, fromBase64url(hello.signature), signed)))
    return createProblem('bad_signature');
  // Checked last: the key of a stranger must not look like a new key of the device.
  if (knownKey !== undefined && knownKey !== grant.device_key)
    return createProblem('changed_key', grant.device_key);
  const secret = await keyPair.agree(hello.key);
  return secret ? { grant, keys: await deriveKeys(crypto, secret, signed) } : createProblem('bad_signature');
}
