/** Encrypts a private key with a passphrase as PKCS#8 (PBES2) with scrypt (RFC 7914), which OpenSSL reads but Node.js does not write. */
import { createCipheriv, randomBytes, scryptSync, type KeyObject } from 'node:crypto';

/** 16 MiB and five passes: as much memory as OpenSSL allows itself when it reads such a key. */
const cost = { N: 16_384, r: 8, p: 5 };

const oids = {
  pbes2: '2a864886f70d01050d',
  scrypt: '2b06010401da47040b',
  aes256Cbc: '60864801650304012a',
};

/** One value in DER. Everything here is shorter than 65,536 bytes. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head =
    length < 128
      ? [tag, length]
      : length < 256
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, Buffer.concat(parts));
const octets = (content: Buffer): Buffer => der(0x04, content);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
/** The leading zero keeps it positive if the first bit is set. */
function integer(value: number): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return der(0x02, bytes[0]! < 128 ? bytes : Buffer.concat([Buffer.of(0), bytes]));
}

export function encryptKey(key: KeyObject, passphrase: string): string {
  const [salt, iv] = [randomBytes(16), randomBytes(16)];
  const cipher = createCipheriv('aes-256-cbc', scryptSync(passphrase, salt, 32, cost), iv);
  const plain = key.export({ format: 'der', type: 'pkcs8' });
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
  const derivation = sequence(
    oid(oids.scrypt),
    sequence(octets(salt), integer(cost.N), integer(cost.r), integer(cost.p)),
  );
  const encryption = sequence(oid(oids.aes256Cbc), octets(iv));
  const info = sequence(sequence(oid(oids.pbes2), sequence(derivation, encryption)), octets(encrypted));
  const lines = info
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n');
  return `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${lines}\n-----END ENCRYPTED PRIVATE KEY-----\n`;
}
