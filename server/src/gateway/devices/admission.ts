/** Admits devices: hello, challenge, proof, welcome. Nothing a device sends is trusted before its signature is verified. */
import { isFault } from '@drawbridge/contract/faults';
import {
  agentStatement,
  serverStatement,
  type DownMessage,
  type UpMessage,
} from '@drawbridge/contract/uplink/messages';
import { oldestVersion } from '@drawbridge/contract/uplink/versions';
import type { Geo } from '../../domain/devices/agents.ts';
import type { DeviceRef } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { isSignedBy, type Identity } from './identity.ts';

type Hello = Extract<UpMessage, { kind: 'hello' }>;
type Proof = Extract<UpMessage, { kind: 'proof' }>;
type Refused = Extract<DownMessage, { kind: 'refused' }>;
type Challenge = Extract<DownMessage, { kind: 'challenge' }>;
type Welcome = Extract<DownMessage, { kind: 'welcome' }>;

export interface AdmissionDeps {
  store: Store;
  identity: Identity;
  /** SHA-256 of the certificate that this server presents itself, base64url; empty behind a proxy that terminates TLS. */
  certificate(): string;
  geoOf(address: string): Geo;
  random: { token(): string; digits(count: number): string };
  digestOf(secret: string): string;
  heartbeatSeconds: number;
}

/** The messages of the handshake so far, and the address of the device. */
export interface HandshakeMessages {
  hello: Hello;
  challenge: Challenge;
  proof: Proof;
  address: string;
}

export interface Admitted {
  device: DeviceRef;
  welcome: Welcome;
}

const refused = (code: Refused['code'], message: string): Refused => ({ kind: 'refused', code, message });

/** The answer to a hello. The proof of the device is checked against it. */
export function createChallenge(
  hello: Hello,
  { identity, certificate, random }: AdmissionDeps,
): Challenge | Refused {
  if (hello.version < oldestVersion)
    return refused('old_version', 'This agent is too old for the server: update it.');
  const nonce = random.token();
  const statement = {
    serverNonce: nonce,
    agentNonce: hello.nonce,
    agentKey: hello.key,
    certificate: certificate(),
  };
  return {
    kind: 'challenge',
    nonce,
    key: identity.publicKey,
    certificate: statement.certificate,
    signature: identity.sign(serverStatement(statement)),
  };
}

export const badProof = refused('bad_proof', 'The signature is not valid.');

/** Whether the device holds the private key of the public key that it sent. */
export const isProofValid = (
  { hello, challenge, proof }: HandshakeMessages,
  { identity }: Pick<AdmissionDeps, 'identity'>,
): boolean => {
  const [serverNonce, agentNonce] = [challenge.nonce, hello.nonce];
  const statement = agentStatement({ serverNonce, agentNonce, serverKey: identity.publicKey });
  return isSignedBy(hello.key, statement, proof.signature);
};

/** Admits a device that has proved its key, or returns why not. */
export async function admit(
  { hello, proof, address }: HandshakeMessages,
  deps: AdmissionDeps,
): Promise<Admitted | Refused> {
  const { store, random, geoOf, heartbeatSeconds } = deps;
  const arrival = { facts: proof.facts, fingerprint: proof.fingerprint, geo: geoOf(address) };
  const device = await findOrEnroll(hello, arrival, deps);
  if ('kind' in device) return device;
  const epoch = random.token();
  const { id, accountId } = device;
  const outcome = await store.change('devices/arrive', {
    accountId,
    id,
    presented: hello.epoch ?? '',
    uplinkVersion: hello.version,
    epoch,
    ...arrival,
  });
  if (isFault(outcome)) return unlinked;
  const { name, owner, approved, updates } = outcome;
  const welcome: Welcome = {
    kind: 'welcome',
    id,
    device_id: device.deviceId,
    owner,
    name,
    epoch,
    approved,
    heartbeat_seconds: heartbeatSeconds,
    updates: updates ? 'on' : 'off',
  };
  return { device, welcome };
}

const unlinked = refused('unlinked', 'The device was unlinked from its account.');

/** Finds the device with this key. An unknown device that has a token is enrolled. */
async function findOrEnroll(
  { key, token }: Hello,
  arrival: Pick<Proof, 'facts' | 'fingerprint'> & { geo: Geo },
  { store, random, digestOf }: AdmissionDeps,
): Promise<DeviceRef | Refused> {
  const known = await store.deviceIdentity.byKey(key);
  if (known) return known;
  if (token === undefined) return unlinked;
  const joined = await store.change('enroll/join', {
    token: digestOf(token),
    publicKey: key,
    deviceIds: Array.from({ length: 5 }, () => Number(random.digits(9))),
    secret: random.token(),
    ...arrival,
  });
  return isFault(joined)
    ? refused('invalid_token', 'The token is unknown, used up, expired or revoked.')
    : joined;
}
