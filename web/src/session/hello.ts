/** The device's hello: made on its side, and checked on the operator's before anything else is believed. */
import { transcript } from '@drawbridge/contract/session/handshake';
import { frameKindOf, frameKinds } from '@drawbridge/contract/session/frame-kinds';
import type { OpenReply } from '@drawbridge/contract/session/open';
import {
  fromBase64url,
  decodeBody,
  signedBytes,
  splitSigned,
  toBase64url,
  type Grant,
} from '@drawbridge/contract/session/signed';
import { decodeMessage, encodeMessage } from '@drawbridge/contract/session/messages';
import {
  deriveSharedSecret,
  verifySignature,
  sha256,
  sign,
  type BufferBytes,
  type DeviceKeyPair,
  type SessionKeyPair,
} from './keys.ts';
import { deriveSecrets, type Secrets } from './seal.ts';
import { createProblem, type SessionProblem } from './session.ts';

const encoder = new TextEncoder();

/** The statement, if the holder of this key has signed it. */
export async function readGrant(text: string, serverKey: string): Promise<Grant | undefined> {
  const parts = splitSigned(text);
  if (!parts) return undefined;
  const isGenuine = await verifySignature(serverKey, parts.signature, signedBytes('grant', parts.body));
  return isGenuine ? decodeBody('grant', parts.body) : undefined;
}

async function transcriptOf(grant: string, operatorKey: string, deviceKey: string): Promise<BufferBytes> {
  const grantHash = toBase64url(await sha256(encoder.encode(grant)));
  return transcript({ grantHash, operatorKey, deviceKey });
}

/** What the device says first, and what both share from then on; undefined when the operator's key is none. */
export async function createHello(
  granted: { text: string; grant: Grant },
  session: SessionKeyPair,
  device: DeviceKeyPair,
): Promise<{ frame: BufferBytes; secrets: Secrets } | undefined> {
  const transcriptBytes = await transcriptOf(granted.text, granted.grant.operator_key, session.publicKey);
  const sharedSecret = await deriveSharedSecret(session, granted.grant.operator_key);
  if (!sharedSecret) return undefined;
  const signature = await sign(device, transcriptBytes);
  const word = encodeMessage('hello', { grant: granted.text, key: session.publicKey, signature });
  const frame = new Uint8Array(1 + word.length);
  frame[0] = frameKinds.hello.byte;
  frame.set(word, 1);
  return { frame, secrets: await deriveSecrets(sharedSecret, transcriptBytes) };
}

export interface HandshakeResult {
  grant: Grant;
  secrets: Secrets;
}

const isForThisSession = (grant: Grant, opened: OpenReply, key: SessionKeyPair): boolean =>
  grant.session === opened.session &&
  grant.pair === opened.pair &&
  grant.operator_key === key.publicKey &&
  (opened.device.key === undefined || opened.device.key === grant.device_key);

/** Whether the device is the one the server speaks of, and nobody stands between. `knownKey`: what this browser knows it by. */
export async function verifyHello(
  frame: BufferBytes,
  opened: OpenReply,
  key: SessionKeyPair,
  knownKey: string | undefined,
): Promise<HandshakeResult | SessionProblem> {
  const hello = frameKindOf(frame[0]) === 'hello' ? decodeMessage('hello', frame.subarray(1)) : undefined;
  if (!hello) return createProblem('broken');
  const grant = await readGrant(hello.grant, opened.server_key);
  if (!grant || !isForThisSession(grant, opened, key)) return createProblem('bad_grant');
  const transcriptBytes = await transcriptOf(hello.grant, key.publicKey, hello.key);
  if (!(await verifySignature(grant.device_key, fromBase64url(hello.signature), transcriptBytes)))
    return createProblem('bad_signature');
  // Only now: a stranger's key must not look like a new key of the device.
  if (knownKey !== undefined && knownKey !== grant.device_key)
    return createProblem('changed_key', grant.device_key);
  const sharedSecret = await deriveSharedSecret(key, hello.key);
  return sharedSecret
    ? { grant, secrets: await deriveSecrets(sharedSecret, transcriptBytes) }
    : createProblem('bad_signature');
}
