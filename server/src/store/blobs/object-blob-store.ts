/** The bytes of attached files and recordings in an object storage: one object per blob, named by its account and a random key. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobStore } from '../store.ts';
import {
  batchesOf,
  type CopyableBlobStore,
  blobKeyPattern,
  receiveBytes,
  requireKey,
  requireWhole,
  settledBefore,
} from './blob-bytes.ts';
import type { ObjectBucket, ObjectUpload } from './object-bucket.ts';

export interface ObjectBlobStoreOptions {
  bucket: ObjectBucket;
  /** Begins the name of each object; ends with a slash. */
  prefix: string;
  largest: number;
  /** Identifies the database, as in folders. */
  owner: string;
  /** The time of the store in seconds. */
  now(): number;
}

/** The smallest part of an upload that every storage accepts. An upload holds this much in memory. */
const partBytes = 5 * 1_048_576;
/** The most objects that storages return in one list. */
const listSize = 1_000;
/** The character after the slash, which ends the names that begin with an account. */
const afterSlash = '0';

/** Returns undefined if the objects belong to another database. */
export async function openObjectBlobStore(
  options: ObjectBlobStoreOptions,
): Promise<CopyableBlobStore | undefined> {
  const owner = await readOwner(options);
  return owner === undefined || owner === options.owner ? createObjectBlobStore(options) : undefined;
}

function createObjectBlobStore(options: ObjectBlobStoreOptions): CopyableBlobStore {
  const { bucket, prefix, largest, now } = options;
  const nameOf = (accountId: number, blobKey: string): string => `${prefix}${accountId}/${blobKey}`;
  const claim = claimOnce(options);
  const copying = copyingPart(options, claim);
  return {
    largest,

    async put(accountId, bytes) {
      await claim();
      // The digest of the bytes is known only after their first parts were sent under this name.
      const blobKey = `${randomBytes(32).toString('hex')}-${randomBytes(8).toString('hex')}`;
      const stored = await storeObject(bucket, nameOf(accountId, blobKey), bytes, largest);
      return typeof stored === 'string' ? stored : { blobKey, ...stored };
    },

    async open(accountId, blobKey, size) {
      if ((await copying.sizeOf(accountId, blobKey)) !== size) return undefined;
      const read = (first: number, last: number): Readable =>
        Readable.from(readObject(bucket, nameOf(accountId, blobKey), first, last), { objectMode: false });
      return { read, close: () => Promise.resolve() };
    },

    async remove(accountId, blobKey) {
      if (blobKeyPattern.test(blobKey)) await bucket.remove(nameOf(accountId, blobKey));
    },

    accounts: (signal) => accountsIn(bucket, prefix, signal),
    settled: (accountId) => batchesOf(keysIn(bucket, nameOf(accountId, ''), settledBefore(now()))),
    endUploads: (signal) => endUploadsIn(bucket, { prefix, before: settledBefore(now()), signal }),
    ...copying,
  };
}

/** Uploads of servers that were killed, or could not reach the storage when they failed, keep their parts until then. */
async function endUploadsIn(
  bucket: ObjectBucket,
  { prefix, before, signal }: { prefix: string; before: number; signal: AbortSignal | undefined },
): Promise<number> {
  let ended = 0;
  for (let page = await bucket.unfinished(prefix); page.length > 0;) {
    const old = page.filter(({ name, startedMs }) => name.startsWith(prefix) && startedMs < before);
    for (const upload of old) {
      if (signal?.aborted) return ended;
      await bucket.abort(upload);
      ended += 1;
    }
    page = page.length < listSize ? [] : await bucket.unfinished(prefix, page.at(-1));
  }
  return ended;
}

/** What copies to and from another blob store need. */
function copyingPart(
  { bucket, prefix }: ObjectBlobStoreOptions,
  claim: () => Promise<void>,
): Omit<CopyableBlobStore, keyof BlobStore> {
  return {
    keys: (accountId) => batchesOf(keysIn(bucket, `${prefix}${accountId}/`, Infinity)),
    sizeOf: async (accountId, blobKey) =>
      blobKeyPattern.test(blobKey) ? bucket.sizeOf(`${prefix}${accountId}/${blobKey}`) : undefined,
    async putCopy(accountId, blobKey, bytes) {
      requireKey(blobKey);
      await claim();
      requireWhole(await storeObject(bucket, `${prefix}${accountId}/${blobKey}`, bytes, Infinity));
    },
  };
}

/** Stores the bytes as one object, in one request if they fit into one part. */
async function storeObject(
  bucket: ObjectBucket,
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  largest: number,
): Promise<{ size: number; digest: string } | Exclude<Awaited<ReturnType<BlobStore['put']>>, object>> {
  let upload: ObjectUpload | undefined;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  const takeWaiting = (): Buffer => {
    const part = Buffer.concat(waiting);
    [waiting, waitingBytes] = [[], 0];
    return part;
  };
  let isStored = false;
  try {
    const received = await receiveBytes(bytes, largest, async (piece) => {
      waiting.push(Buffer.from(piece));
      waitingBytes += piece.byteLength;
      if (waitingBytes < partBytes) return;
      upload ??= await bucket.startUpload(name);
      await upload.add(takeWaiting());
    });
    if (typeof received === 'string') return received;
    if (!upload) await bucket.put(name, takeWaiting());
    else {
      if (waitingBytes > 0) await upload.add(takeWaiting());
      await upload.complete();
    }
    isStored = true;
    return received;
  } finally {
    if (!isStored) await upload?.abort();
  }
}

async function* readObject(
  bucket: ObjectBucket,
  name: string,
  first: number,
  last: number,
): AsyncGenerator<Uint8Array> {
  if (last < first) return;
  const bytes = await bucket.read(name, first, last);
  if (!bytes) throw new Error('The bytes were removed while they were read.');
  yield* bytes;
}

/** Finds each account with one request: the first object after all those of the account before. */
async function accountsIn(
  bucket: ObjectBucket,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<number[]> {
  const accounts: number[] = [];
  for (let after = prefix; ;) {
    const [next] = await bucket.list(prefix, after, 1);
    if (!next || signal?.aborted) return accounts;
    const folder = next.name.slice(prefix.length).split('/')[0]!;
    const isAccount = /^[1-9][0-9]{0,15}$/.test(folder) && next.name.startsWith(`${prefix}${folder}/`);
    if (isAccount) accounts.push(Number(folder));
    after = isAccount ? `${prefix}${folder}${afterSlash}` : next.name;
  }
}

/** The keys of the blobs below a prefix that were changed before this time. */
async function* keysIn(bucket: ObjectBucket, prefix: string, before: number): AsyncGenerator<string> {
  for (let after = prefix; ;) {
    const objects = await bucket.list(prefix, after, listSize);
    for (const { name, changedMs } of objects) {
      const key = name.slice(prefix.length);
      if (blobKeyPattern.test(key) && changedMs < before) yield key;
    }
    if (objects.length === 0) return;
    after = objects.at(-1)!.name;
  }
}

const ownerName = ({ prefix }: ObjectBlobStoreOptions): string => `${prefix}owner`;
/** Longer than any owner: a foreign object is not read whole. */
const ownerBytes = 1_024;

const readOwner = (options: ObjectBlobStoreOptions): Promise<string | undefined> =>
  readText(options.bucket, ownerName(options), ownerBytes);

/** The text of a small object, at most that many bytes of it; undefined if it is missing or empty. */
export async function readText(
  bucket: ObjectBucket,
  name: string,
  most: number,
): Promise<string | undefined> {
  const size = await bucket.sizeOf(name);
  if (!size) return undefined;
  const bytes = await bucket.read(name, 0, Math.min(size, most) - 1);
  return bytes && Buffer.concat(await Array.fromAsync(bytes)).toString();
}

/** Records the owner of the objects before the first of them is stored. */
function claimOnce(options: ObjectBlobStoreOptions): () => Promise<void> {
  let claimed: Promise<void> | undefined;
  const claim = async (): Promise<void> => {
    if ((await readOwner(options)) === undefined)
      await options.bucket.put(ownerName(options), Buffer.from(options.owner));
    if ((await readOwner(options)) !== options.owner)
      throw new Error('The object storage now belongs to another Drawbridge database.');
  };
  return () =>
    (claimed ??= claim().catch((error: unknown) => {
      claimed = undefined;
      throw error;
    }));
}
