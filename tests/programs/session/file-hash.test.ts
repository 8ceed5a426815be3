/** The hash of blocks: it depends on the content alone, however that arrives. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { hashBlockBytes } from '@drawbridge/contract/session/messages';
import { browserCrypto } from '@drawbridge/session/browser/crypto';
import { createBlockHash } from '@drawbridge/session/file-hash';
import { nodeCrypto } from '@drawbridge/session/node/crypto';
import { blockHashHex } from '../../kit/agent/files-fixture.ts';

/** Adds the content in parts of this size, all in the same memory. */
async function hashInParts(
  crypto: Parameters<typeof createBlockHash>[0],
  content: Uint8Array,
  partBytes: number,
): Promise<string> {
  const hash = createBlockHash(crypto);
  const memory = new Uint8Array(partBytes);
  for (let at = 0; at < content.length; at += partBytes) {
    const part = content.subarray(at, at + partBytes);
    memory.set(part);
    await hash.update(memory.subarray(0, part.length));
  }
  return hash.digest();
}

const content = randomBytes(3 * hashBlockBytes + 5);
const sizes = [0, 1, hashBlockBytes - 1, hashBlockBytes, hashBlockBytes + 1, content.length];
const partSizes = [65_537, hashBlockBytes, 2 * hashBlockBytes + 3];

for (const size of sizes)
  test(`${size} bytes have the hash of their blocks, in a browser and in Node, in parts of any size`, async () => {
    const part = content.subarray(0, size);
    const expected = blockHashHex(part);

    for (const partBytes of partSizes)
      for (const { sha256: hash } of [browserCrypto, nodeCrypto])
        assert.equal(await hashInParts(hash, part, partBytes), expected, `parts of ${partBytes}`);
  });
