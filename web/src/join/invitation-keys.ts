/** Keeps the key of an invitation in this browser, so that the same person is let in again after the page was loaded anew. */
import { createDeviceKeyPair, type DeviceKeyPair } from '../session/keys.ts';

const [databaseName, storeName] = ['drawbridge-join', 'keys'];
/** Which invitation this very tab had joined. */
const joinedName = 'drawbridge.joined';

const toPromise = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser keeps nothing')));
  });

/** Keys are kept as the browser's own objects: nobody can read them out, not even this page. */
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

const isKey = (found: unknown): found is DeviceKeyPair =>
  typeof found === 'object' && found !== null && 'publicKey' in found && 'privateKey' in found;

/** The key for this invitation: the one made before, or a new one. A browser that keeps nothing makes a new one each time. */
export async function loadInvitationKey(code: string): Promise<DeviceKeyPair> {
  const known = await withStore<unknown>((store) => store.get(code)).catch(() => undefined);
  if (isKey(known)) return known;
  const made = await createDeviceKeyPair();
  await withStore((store) => store.clear()).catch(() => undefined);
  await withStore((store) => store.put(made, code)).catch(() => undefined);
  return made;
}

/** Nothing of the invitation stays in the browser. */
export async function forgetInvitation(code: string): Promise<void> {
  sessionStorage.removeItem(joinedName);
  await withStore((store) => store.delete(code)).catch(() => undefined);
}

export const rememberJoined = (code: string): void => sessionStorage.setItem(joinedName, code);
export const hadJoined = (code: string): boolean => sessionStorage.getItem(joinedName) === code;
