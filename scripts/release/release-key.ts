/** The release key: signs releases of the agent. It is created by the first build and kept apart from the server's data. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  releaseStatement,
  rotationStatement,
  type KeyRotation,
  type ReleaseManifest,
  type SignedRelease,
} from '@drawbridge/contract/uplink/release';

export interface ReleaseKey {
  /** Agents contain it: Ed25519, base64url. */
  publicKey: string;
  /** The file in which it is kept, if it was created just now. */
  createdFile?: string;
  sign(manifest: ReleaseManifest): SignedRelease;
}

const variable = 'DRAWBRIDGE_RELEASE_KEY';

/** The file that the environment names, or one in the user's configuration folder. */
const keyFile = (): string =>
  process.env[variable] ??
  join(process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'drawbridge/release-key.pem');

/** The statements of earlier keys are public, and are published with every release. */
const rotationsFile = (file: string): string => `${file}.rotations.json`;

const publicKeyOf = (key: KeyObject): string => createPublicKey(key).export({ format: 'jwk' }).x!;
const signText = (key: KeyObject, text: string): string =>
  sign(null, Buffer.from(text), key).toString('base64url');

/** Only its owner may read it. An existing key is never overwritten. */
function createKey(file: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' });
  return privateKey;
}

const loadKey = (file: string): KeyObject => createPrivateKey(readFileSync(file));

const loadRotations = (file: string): KeyRotation[] =>
  existsSync(rotationsFile(file))
    ? (JSON.parse(readFileSync(rotationsFile(file), 'utf8')) as KeyRotation[])
    : [];

export function loadOrCreateReleaseKey(file = keyFile()): ReleaseKey {
  const isNew = !existsSync(file);
  const key = isNew ? createKey(file) : loadKey(file);
  const rotations = loadRotations(file);
  return {
    publicKey: publicKeyOf(key),
    ...(isNew && { createdFile: file }),
    sign(manifest) {
      const text = JSON.stringify(manifest);
      return { manifest: text, signature: signText(key, releaseStatement(text)), rotations };
    },
  };
}

/** Creates a new key and lets the old one sign that it follows. The old key is kept in a file of its own. */
export function rotateReleaseKey(file = keyFile()): { old: string; publicKey: string } {
  const oldKey = loadKey(file);
  const from = publicKeyOf(oldKey);
  const old = `${file}.${from.slice(0, 8)}`;
  const newKey = createKey(`${file}.new`);
  const to = publicKeyOf(newKey);
  const rotation = { from, to, signature: signText(oldKey, rotationStatement({ from, to })) };
  writeFileSync(rotationsFile(file), JSON.stringify([...loadRotations(file), rotation], null, 2));
  renameSync(file, old);
  renameSync(`${file}.new`, file);
  return { old, publicKey: to };
}

if (import.meta.main) {
  const { old, publicKey } = rotateReleaseKey();
  console.log(`The new release key is ${publicKey}. Run npm run build:agent to publish it.
The old key is in ${old}. Remove it once no device needs it.`);
}
