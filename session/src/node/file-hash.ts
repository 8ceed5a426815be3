/** The hash of a transferred file on the device, of the kind that the operator asked for. */
import { createHash } from 'node:crypto';
import type { FileHashKind } from '@drawbridge/contract/session/messages';
import { createBlockHash, type FileHash } from '../file-hash.ts';
import { nodeCrypto } from './crypto.ts';

export const createDeviceFileHash = (kind: FileHashKind): FileHash =>
  kind === 'blocks' ? createBlockHash(nodeCrypto.sha256) : createWholeHash();

function createWholeHash(): FileHash {
  const hash = createHash('sha256');
  return {
    update: async (data) => void hash.update(data),
    digest: async () => hash.digest('hex'),
  };
}
