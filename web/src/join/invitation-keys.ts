/** Keeps the key of an invitation in this browser, so that the same person can rejoin after a reload. */
import { createSigningKeyPair, signingKeyOf, type SigningKeyPair } from '@drawbridge/session/browser/crypto';
import type { SigningKey } from '@drawbridge/session/ports';

const [databaseName, storeName] = ['drawbridge-join', 'keys'];
/** Holds the invitation that this tab has joined. */
const joinedName = 'drawbridge.joined';

const toPromise = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser keeps nothing')));
  });

/** Keys are stored as non-extractable CryptoKey objects, which not even this page can read. */
async function withStore<Result>(work: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result> {
  const opening = indexedDB.open(databaseName, 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(storeName));
  const database = await toPromise(opening);
  try {
    return await toPromise(work(database.transaction(storeName, 'readwrite').objectStore(storeName)));
  } finally {
    database.close();
  }
}

const isKey = (found: unknown): found is SigningKeyPair =>
  typeof found === 'object' && found !== null && 'publicKey' in found && 'privateKey' in found;

/** Returns the stored key of the invitation or a new one. Without storage, each call returns a new one. */
export async function loadInvitationKey(code: string): Promise<SigningKey> {
  const known = await withStore<unknown>((store) => store.get(code)).catch(() => undefined);
  if (isKey(known)) return signingKeyOf(known);
  const made = await createSigningKeyPair();
  await withStore((store) => store.clear()).catch(() => undefined);
  await withStore((store) => store.put(made, code)).catch(() => undefined);
  return signingKeyOf(made);
}

/** Removes everything about the invitation from the browser. */
export async function forgetInvitation(code: string): Promise<void> {
  sessionStorage.removeItem(joinedName);
  await withStore((store) => store.delete(code)).catch(() => undefined);
}

export const rememberJoined = (code: string): void => sessionStorage.setItem(joinedName, code);
export const hadJoined = (code: string): boolean => sessionStorage.getItem(joinedName) === code;
