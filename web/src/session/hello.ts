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
import { agree, isSignedBy, sha256, sign, type Bytes, type DeviceKey, type SessionKey } from './keys.ts';
import { deriveSecrets, type Secrets } from './seal.ts';
import { createProblem, type SessionProblem } from './session.ts';

const encoder = new TextEncoder();

/** The statement, if the holder of this key has signed it. */
export async function readGrant(text: string, serverKey: string): Promise<Grant | undefined> {
  const parts = splitSigned(text);
  if (!parts) return undefined;
  const isGenuine = await isSignedBy(serverKey, parts.signature, signedBytes('grant', parts.body));
  return isGenuine ? decodeBody('grant', parts.body) : undefined;
}

async function transcriptOf(grant: string, operatorKey: string, deviceKey: string): Promise<Bytes> {
  const grantHash = toBase64url(await sha256(encoder.encode(grant)));
  return transcript({ grantHash, operatorKey, deviceKey });
}

/** What the device says first, and what both share from then on; undefined when the operator's key is none. */
export async function sayHello(
  granted: { text: string; grant: Grant },
  session: SessionKey,
  device: DeviceKey,
): Promise<{ frame: Bytes; secrets: Secrets } | undefined> {
  const said = await transcriptOf(granted.text, granted.grant.operator_key, session.publicKey);
  const common = await agree(session, granted.grant.operator_key);
  if (!common) return undefined;
  const signature = await sign(device, said);
  const word = encodeMessage('hello', { grant: granted.text, key: session.publicKey, signature });
  const frame = new Uint8Array(1 + word.length);
  frame[0] = frameKinds.hello.byte;
  frame.set(word, 1);
  return { frame, secrets: await deriveSecrets(common, said) };
}

export interface HandshakeResult {
  grant: Grant;
  secrets: Secrets;
}

const isOurs = (grant: Grant, opened: OpenReply, key: SessionKey): boolean =>
  grant.session === opened.session &&
  grant.pair === opened.pair &&
  grant.operator_key === key.publicKey &&
  (opened.device.key === undefined || opened.device.key === grant.device_key);

/** Whether the device is the one the server speaks of, and nobody stands between. `knownKey`: what this browser knows it by. */
export async function hearHello(
  frame: Bytes,
  opened: OpenReply,
  key: SessionKey,
  knownKey: string | undefined,
): Promise<HandshakeResult | SessionProblem> {
  const hello = frameKindOf(frame[0]) === 'hello' ? decodeMessage('hello', frame.subarray(1)) : undefined;
  if (!hello) return createProblem('broken');
  const grant = await readGrant(hello.grant, opened.server_key);
  if (!grant || !isOurs(grant, opened, key)) return createProblem('bad_grant');
  const said = await transcriptOf(hello.grant, key.publicKey, hello.key);
  if (!(await isSignedBy(grant.device_key, fromBase64url(hello.signature), said)))
    return createProblem('bad_signature');
  // Only now: a stranger's key must not look like a new key of the device.
  if (knownKey !== undefined && knownKey !== grant.device_key)
    return createProblem('changed_key', grant.device_key);
  const common = await agree(key, hello.key);
  return common ? { grant, secrets: await deriveSecrets(common, said) } : createProblem('bad_signature');
}
