/** A passkey in software: makes what browsers give a server, right or wrong in any one thing. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

type Json = Record<string, unknown>;

/** What to do wrong. */
export interface AuthenticatorFaults {
  origin?: string;
  rpId?: string;
  challenge?: string;
  counter?: number;
  /** Nobody showed a finger, a face or a PIN. */
  unverified?: boolean;
  type?: string;
  userHandle?: string;
  /** Nobody touched it. */
  absent?: boolean;
  /** The page was shown inside a page of somebody else. */
  crossOrigin?: boolean;
  /** The name of another credential. */
  id?: string;
  /** The kind of statement that goes along with a new key, without what it would need. */
  format?: string;
  /** The number of the algorithm that the new key says it is for; one byte of CBOR. */
  algorithm?: number;
  /** Signed by a key that nobody knows. */
  foreign?: boolean;
  /** A maker vouches for it: with a certificate, and what its key makes of the rest. */
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
  /** For whom it was made, as the server said. */
  handle: string | undefined;
  /** Answers what `navigator.credentials.create` is asked. */
  make(options: Json, faults?: AuthenticatorFaults): Json;
  /** Answers what `navigator.credentials.get` is asked. */
  answer(options: Json, faults?: AuthenticatorFaults): Json;
  /** The same key once more, as somebody has it who copied it. */
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

/** That the maker stands for what was signed: ES256, and a list of one certificate. */
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

/** At a page of this origin; `counts` false for the kind that never counts, as most phones are. */
export function createSoftwareAuthenticator(
  origin: string,
  {
    counts = true,
    keys = newKeys(),
    id = randomBytes(24),
  }: { counts?: boolean; keys?: Keys; id?: Buffer } = {},
): SoftwareAuthenticator {
  const said = (type: string, options: Json, faults: AuthenticatorFaults): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: faults.type ?? type,
        challenge: faults.challenge ?? options['challenge'],
        origin: faults.origin ?? origin,
        crossOrigin: faults.crossOrigin ?? false,
      }),
    );
  const head = (rpId: string, more: number, faults: AuthenticatorFaults): Buffer => {
    if (counts) self.counter += 1;
    const flags = (faults.absent ? 0 : present) | (faults.unverified ? 0 : verified) | more;
    const counter = numbered(faults.counter ?? self.counter);
    return Buffer.concat([sha256(faults.rpId ?? rpId), Buffer.from([flags]), counter]);
  };
  const named = (response: Json, name = text(id)): Json => ({
    id: name,
    rawId: name,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  const self: SoftwareAuthenticator = {
    credential: text(id),
    counter: 0,
    handle: undefined,

    make(options, faults = {}) {
      self.handle = (options['user'] as { id: string }).id;
      const { x, y } = keys.publicKey.export({ format: 'jwk' });
      const key = cose(Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url'), faults.algorithm);
      const length = Buffer.from([id.length >> 8, id.length & 255]);
      const rpId = (options['rp'] as { id: string }).id;
      const authData = Buffer.concat([head(rpId, attested, faults), Buffer.alloc(16), length, id, key]);
      const clientData = said('webauthn.create', options, faults);
      return named({
        clientDataJSON: text(clientData),
        attestationObject: text(attestation(authData, clientData, faults)),
        transports: ['internal', 'hybrid'],
      });
    },

    answer(options, faults = {}) {
      const authData = head(options['rpId'] as string, 0, faults);
      const clientData = said('webauthn.get', options, faults);
      const { privateKey } = faults.foreign ? newKeys() : keys;
      const response = {
        clientDataJSON: text(clientData),
        authenticatorData: text(authData),
        signature: text(sign('sha256', Buffer.concat([authData, sha256(clientData)]), privateKey)),
        userHandle: faults.userHandle ?? self.handle,
      };
      return named(response, faults.id);
    },

    clone: () =>
      Object.assign(createSoftwareAuthenticator(origin, { counts, keys, id }), {
        counter: self.counter,
        handle: self.handle,
      }),
  };
  return self;
}
