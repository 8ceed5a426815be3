/**
 * The key agreement between operator and device, which hides the keys from everything between them.
 *
 * The server's grant names the operator's X25519 key. The device answers with a key of its own and signs the transcript
 * with its Ed25519 key. Both derive the same secrets; the operator's first sealed frame proves possession of its key.
 * A frame is its kind's byte followed by AES-256-GCM ciphertext and tag; the byte is authenticated as additional data. The
 * nonce is the number of the frame in its direction, so decryption fails if a frame is missing, repeated, moved or changed.
 */

const encoder = new TextEncoder();

/** The device signs this and both sides derive keys from it. `grantHash` is the SHA-256 of the signed grant, base64url. */
export const transcript = (parts: {
  grantHash: string;
  operatorKey: string;
  deviceKey: string;
}): Uint8Array<ArrayBuffer> =>
  encoder.encode(
    ['drawbridge-session-device', parts.grantHash, parts.operatorKey, parts.deviceKey].join('\n'),
  );

/** HKDF-SHA-256 over the shared secret, with the SHA-256 of the transcript as salt and one of these as info. */
export const hkdfLabels = {
  /** 64 bytes: the key for the operator's frames, then the key for the device's. */
  keys: encoder.encode('drawbridge-session-keys'),
  /** 6 bytes that both sides can display for comparison. */
  code: encoder.encode('drawbridge-session-code'),
  /** 32 bytes, derived from the current key without salt: the next key of that direction. */
  next: encoder.encode('drawbridge-session-next'),
} as const;

export const sealKeyBytes = 32;
export const tagBytes = 16;
export const codeBytes = 6;

/** A direction switches to its next key after this many frames or seconds. */
export const rekeyFrames = 2 ** 20;
export const rekeySeconds = 600;

export function nonceOf(frame: number): Uint8Array<ArrayBuffer> {
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setBigUint64(4, BigInt(frame));
  return nonce;
}

/** Formats the code for people to compare: 12 digits in groups of four. */
export function readableCode(bytes: Uint8Array): string {
  const value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) % 1_000_000_000_000n;
  return value
    .toString()
    .padStart(12, '0')
    .replace(/(\d{4})(?=\d)/g, '$1 ');
}
