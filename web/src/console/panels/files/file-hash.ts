/** The hash of a transferred file in the browser, of the kind that the device computes. */
import type { FileHashKind } from '@drawbridge/contract/session/messages';
import { browserCrypto } from '@drawbridge/session/browser/crypto';
import { createBlockHash, type FileHash } from '@drawbridge/session/file-hash';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

export const createOperatorFileHash = (kind: FileHashKind): FileHash =>
  kind === 'blocks' ? createBlockHash(browserCrypto.sha256) : createWholeHash();

/** For agents before version 4 of the session protocol. WebCrypto cannot hash in parts, and JavaScript is slow. */
function createWholeHash(): FileHash {
  const hash = sha256.create();
  return {
    update: async (data) => void hash.update(data),
    digest: async () => bytesToHex(hash.digest()),
  };
}
