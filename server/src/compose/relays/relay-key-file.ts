/** The key by which servers recognise a relay that runs alone: created at its first start, kept in its data folder. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlKey } from '@drawbridge/relay/control/signing-key';
import { chownToFolderOwner } from '../../store/blobs/durable-files.ts';
import { StartRefused } from '../start-refused.ts';

export function loadRelayKey(folder: string): ControlKey {
  const file = join(folder, 'relay-key.pem');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  createIfAbsent(file);
  try {
    const key = createPrivateKey(readFileSync(file));
    const publicKey = createPublicKey(key).export({ format: 'jwk' }).x!;
    return {
      publicKey,
      sign: (statement) => sign(null, Buffer.from(statement), key).toString('base64url'),
    };
  } catch (error) {
    throw new StartRefused(
      `${file} is not a key that the relay can use. Restore it from a backup, or remove it.`,
      {
        cause: error,
      },
    );
  }
}

function createIfAbsent(file: string): void {
  const { privateKey } = generateKeyPairSync('ed25519');
  try {
    writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { flag: 'wx', mode: 0o600 });
    chownToFolderOwner(file);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
}
