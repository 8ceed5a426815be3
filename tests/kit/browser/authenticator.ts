/** A passkey in software: makes what browsers send to a server, correct or wrong in any one detail. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

type Json = Record<string, unknown>;

/** What to do wrong. */
export interface AuthenticatorFaults {
  origin?: string;
  rpId?: string;
  challenge?: string;
  counter?: number;
  /** The user was not verified by finger, face or PIN. */
  unverified?: boolean;
  type?: string;
  userHandle?: string;
  /** The user was not present. */
  absent?: boolean;
  /** The page was shown inside a page of another site. */
  crossOrigin?: boolean;
  /** The id of another credential. */
  id?: string;
  /** The attestation format of the new key, without the statement it would need. */
  format?: string;
  /** The algorithm number that the new key declares; one byte of CBOR. */
  algorithm?: number;
  /** Signed by an unknown key. */
  foreign?: boolean;
  /** A manufacturer attests the key: its certificate, and its signature over the rest. */
  maker?: Attester;
}

export interface Attester {
  /** DER. */
  certificate: Buffer;
  sign(bytes: Buffer): Buffer;
}

export interface SoftwareAuthenticator {
  credential: string;
  counter: number;
  /** The user handle, as the server gave it. */
  handle: string | undefined;
  /** Answers `navigator.credentials.create`. */
  make(options: Json, faults?: AuthenticatorFaults): Json;
  /** Answers `navigator.credentials.get`. */
  answer(options: Json, faults?: AuthenticatorFaults): Json;
  /** A copy of the same key, as a thief would have it. */
  clone(): SoftwareAuthenticator;
}

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();
const text = (bytes: Buffer): string => bytes.toString('base64url');

const [present, verified, attested] = [0x01, 0x04, 0x40];

function numbered(counter: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(counter);
  return bytes;
}

/** CBOR: a text, and bytes of up to 64 kB. */
const cborText = (words: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + words.length]), Buffer.from(words)]);
const cborBytes = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x59, bytes.length >> 8, bytes.length & 255]), bytes]);

const cborMap = (entries: Record<string, Buffer>): Buffer => {
  const pairs = Object.entries(entries).flatMap(([name, value]) => [cborText(name), value]);
  return Buffer.concat([Buffer.from([0xa0 + pairs.length / 2]), ...pairs]);
};

/** The manufacturer's attestation statement: ES256, and a list of one certificate. */
const attestedStatement = ({ certificate, sign: by }: Attester, bytes: Buffer): Buffer =>
  cborMap({
    alg: Buffer.from([0x26]),
    sig: cborBytes(by(bytes)),
    x5c: Buffer.concat([Buffer.from([0x81]), cborBytes(certificate)]),
  });

const attestation = (authData: Buffer, clientData: Buffer, { maker, format }: AuthenticatorFaults): Buffer =>
  cborMap({
    fmt: cborText(format ?? (maker ? 'packed' : 'none')),
    attStmt: maker ? attestedStatement(maker, Buffer.concat([authData, sha256(clientData)])) : cborMap({}),
    authData: cborBytes(authData),
  });

/** COSE: an ES256 key on P-256. */
const cose = (x: Buffer, y: Buffer, algorithm = 0x26): Buffer =>
  Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, algorithm, 0x20, 0x01, 0x21, 0x58, 0x20]),
    x,
    Buffer.from([0x22, 0x58, 0x20]),
    y,
  ]);

type Keys = ReturnType<typeof newKeys>;
const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

interface PasskeyOptions {
  counts: boolean;
  keys: Keys;
  id: Buffer;
}

const clientDataOf = (type: string, origin: string, options: Json, faults: AuthenticatorFaults): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: faults.type ?? type,
      challenge: faults.challenge ?? options['challenge'],
      origin: faults.origin ?? origin,
      crossOrigin: faults.crossOrigin ?? false,
    }),
  );

function authenticatorData(counter: number, rpId: string, more: number, faults: AuthenticatorFaults): Buffer {
  const flags = (faults.absent ? 0 : present) | (faults.unverified ? 0 : verified) | more;
  const counted = numbered(faults.counter ?? counter);
  return Buffer.concat([sha256(faults.rpId ?? rpId), Buffer.from([flags]), counted]);
}

const credentialOf = (response: Json, id: string): Json => ({
  id,
  rawId: id,
  type: 'public-key',
  clientExtensionResults: {},
  response,
});

function attestedKey(id: Buffer, keys: Keys, algorithm: number | undefined): Buffer {
  const { x, y } = keys.publicKey.export({ format: 'jwk' });
  const key = cose(Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url'), algorithm);
  return Buffer.concat([Buffer.alloc(16), Buffer.from([id.length >> 8, id.length & 255]), id, key]);
}

const attestationResponse = (authData: Buffer, client: Buffer, faults: AuthenticatorFaults): Json => ({
  clientDataJSON: text(client),
  attestationObject: text(attestation(authData, client, faults)),
  transports: ['internal', 'hybrid'],
});

const assertionResponse = (authData: Buffer, client: Buffer, { privateKey }: Keys): Json => ({
  clientDataJSON: text(client),
  authenticatorData: text(authData),
  signature: text(sign('sha256', Buffer.concat([authData, sha256(client)]), privateKey)),
});

/**
 * A passkey on a page of this origin; `counts` is false for authenticators without a counter, as on most
 * phones.
 */
export function createSoftwareAuthenticator(
  origin: string,
  { counts = true, keys = newKeys(), id = randomBytes(24) }: Partial<PasskeyOptions> = {},
): SoftwareAuthenticator {
  const count = (): number => (self.counter += counts ? 1 : 0);
  const self: SoftwareAuthenticator = {
    credential: text(id),
    counter: 0,
    handle: undefined,
    make(options, faults = {}) {
      self.handle = (options['user'] as { id: string }).id;
      const rpId = (options['rp'] as { id: string }).id;
      const head = authenticatorData(count(), rpId, attested, faults);
      const authData = Buffer.concat([head, attestedKey(id, keys, faults.algorithm)]);
      const client = clientDataOf('webauthn.create', origin, options, faults);
      return credentialOf(attestationResponse(authData, client, faults), text(id));
    },
    answer(options, faults = {}) {
      const authData = authenticatorData(count(), options['rpId'] as string, 0, faults);
      const client = clientDataOf('webauthn.get', origin, options, faults);
      const signed = assertionResponse(authData, client, faults.foreign ? newKeys() : keys);
      return credentialOf({ ...signed, userHandle: faults.userHandle ?? self.handle }, faults.id ?? text(id));
    },
    clone: () =>
      Object.assign(createSoftwareAuthenticator(origin, { counts, keys, id }), {
        counter: self.counter,
        handle: self.handle,
      }),
  };
  return self;
}
