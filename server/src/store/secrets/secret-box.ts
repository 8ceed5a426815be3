/** Seals the secrets of other systems with keys that are outside of the database, each value for the row that holds it. */
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

/** Plain data, so that it can be sent to the writer thread. */
export interface SealingKey {
  /** Names the key in what it sealed, and says nothing about it. */
  id: string;
  bytes: Uint8Array;
}

/** The row and column of a secret. What is sealed for one place does not open in another. */
export interface SecretPlace {
  /** Both secrets of a webhook count as one column, because a renewal moves one to the other. */
  column: 'directory.bind_password' | 'provider.client_secret' | 'webhook.secret';
  accountId: number;
  id: number;
}

export interface SecretBox {
  keys: readonly SealingKey[];
  /** The text to be stored: in clear where no key may be used. */
  seal(place: SecretPlace, text: string): string;
  /** Undefined if the key is not here, or the stored text was altered or belongs to another place. */
  open(place: SecretPlace, stored: string): string | undefined;
  /** Whether the stored text is in clear, or sealed with another key than is used now. */
  isOutdated(stored: string): boolean;
  /**
   * Seals with the first key that all these servers have, from now on, and returns whether that is another key than
   * before. Without such a key nothing changes: sealing never stops again.
   */
  agree(others: readonly (readonly string[])[]): boolean;
}

/** How many secrets are stored, and how. */
export interface SecretCounts {
  total: number;
  /** Not sealed. */
  clear: number;
  /** Sealed with a key that is here, but is not the first. */
  older: number;
  /** Sealed with a key that is not here, or altered. */
  unreadable: number;
}

const algorithm = 'aes-256-gcm';
const keyLength = 32;
const nonceLength = 12;
const tagLength = 16;

const sealedForm = /^v1\.([\w-]{8})\.([\w-]{16})\.([\w-]{22,})$/;
/** A text in clear that looks like a sealed one. Otherwise somebody who enters a copied value would have it opened. */
const quotedForm = /^v0\.([\w-]+)$/;

/** Whether the stored text is sealed: with this key, or with any. */
export function isSealed(stored: string, key?: SealingKey): boolean {
  const id = sealedForm.exec(stored)?.[1];
  return id !== undefined && (key === undefined || key.id === id);
}

export function toSecretKey(bytes: Uint8Array): SealingKey | undefined {
  if (bytes.length !== keyLength) return undefined;
  return { id: hash('sha256', bytes, 'buffer').subarray(0, 6).toString('base64url'), bytes };
}

export const newSecretKey = (): string => randomBytes(keyLength).toString('base64url');

const contextOf = ({ column, accountId, id }: SecretPlace): Buffer =>
  Buffer.from(JSON.stringify([column, accountId, id]));

function sealWith({ id, bytes }: SealingKey, place: SecretPlace, text: string): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, bytes, nonce).setAAD(contextOf(place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return ['v1', id, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
}

function openWith({ bytes }: SealingKey, place: SecretPlace, [nonce, sealed]: [Buffer, Buffer]) {
  const decipher = createDecipheriv(algorithm, bytes, nonce, { authTagLength: tagLength });
  decipher.setAAD(contextOf(place)).setAuthTag(sealed.subarray(-tagLength));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagLength)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

const quote = (text: string): string =>
  isSealed(text) || isQuoted(text) ? `v0.${Buffer.from(text).toString('base64url')}` : text;

const unquote = (stored: string): string =>
  isQuoted(stored) ? Buffer.from(quotedForm.exec(stored)![1]!, 'base64url').toString() : stored;

function isQuoted(stored: string): boolean {
  const inner = quotedForm.exec(stored)?.[1];
  if (inner === undefined) return false;
  const text = Buffer.from(inner, 'base64url').toString();
  return isSealed(text) || isQuoted(text);
}

/** The first key is the one to seal with, once `agree` allows it; all of them open. */
export function createSecretBox(keys: readonly SealingKey[]): SecretBox {
  let current: SealingKey | undefined;
  return {
    keys,
    seal(place, text) {
      if (text === '') return text;
      return current ? sealWith(current, place, text) : quote(text);
    },
    open(place, stored) {
      const [, keyId, nonce, sealed] = sealedForm.exec(stored) ?? [];
      if (nonce === undefined || sealed === undefined) return unquote(stored);
      const parts: [Buffer, Buffer] = [Buffer.from(nonce, 'base64url'), Buffer.from(sealed, 'base64url')];
      const key = keys.find(({ id }) => id === keyId);
      return key && openWith(key, place, parts);
    },
    isOutdated: (stored) => current !== undefined && stored !== '' && !isSealed(stored, current),
    agree(others) {
      const common = keys.find(({ id }) => others.every((known) => known.includes(id)));
      if (common === undefined || common === current) return false;
      current = common;
      return true;
    },
  };
}
