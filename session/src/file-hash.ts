/** The hash with which a transferred file is verified, computed while its bytes pass. */
import type { Bytes } from '@drawbridge/contract/session/binary';
import { hashBlockBytes } from '@drawbridge/contract/session/messages';
import type { SessionCrypto } from './ports.ts';

export interface FileHash {
  /** Adds the next bytes, which may be overwritten afterwards. Wait for it before adding more. */
  update(data: Uint8Array): Promise<void>;
  /** The hash of everything added, in hexadecimal. */
  digest(): Promise<string>;
}

const sha256Bytes = 32;

/** The SHA-256 over the SHA-256 of each block, which WebCrypto can compute although it hashes only whole buffers. */
export function createBlockHash(sha256: SessionCrypto['sha256']): FileHash {
  const hashes: Promise<Bytes>[] = [];
  let [block, filled] = [new Uint8Array(0), 0];
  const fill = (data: Uint8Array): Bytes => {
    const needed = filled + data.length;
    // Small files need little memory.
    if (needed > block.length) block = enlarge(block, Math.min(hashBlockBytes, 2 * needed));
    block.set(data, filled);
    filled = needed;
    return block.subarray(0, filled);
  };
  return {
    async update(data) {
      for (let rest = data; rest.length > 0;) {
        const part = rest.subarray(0, hashBlockBytes - filled);
        rest = rest.subarray(part.length);
        // A block that arrives whole is not copied.
        const content = part.length === hashBlockBytes ? (part as Bytes) : fill(part);
        if (content.length < hashBlockBytes) return;
        // At most two blocks are being hashed at a time.
        await hashes.at(-1);
        hashes.push(sha256(content));
        filled = 0;
      }
    },
    async digest() {
      if (filled > 0) hashes.push(sha256(block.subarray(0, filled)));
      const all = new Uint8Array(sha256Bytes * hashes.length);
      (await Promise.all(hashes)).forEach((hash, index) => all.set(hash, sha256Bytes * index));
      return (await sha256(all)).toHex();
    },
  };
}

function enlarge(block: Bytes, length: number): Bytes {
  const larger = new Uint8Array(length);
  larger.set(block);
  return larger;
}
