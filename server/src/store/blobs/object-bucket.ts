/** A bucket of an S3-compatible object storage: objects by name, with the errors of the storage as outages. */
import { S3mini, S3ServiceError } from 's3mini';
import type { ObjectStorageAddress } from '../../domain/object-storage.ts';
import { markOutage } from '../outages.ts';

interface StoredObject {
  name: string;
  size: number;
  changedMs: number;
}

/** Parts of a large object, as the storage confirmed them. */
type UploadedPart = Awaited<ReturnType<S3mini['uploadPart']>>;

export interface ObjectBucket {
  put(name: string, bytes: Uint8Array): Promise<void>;
  startUpload(name: string): Promise<ObjectUpload>;
  /** Undefined if there is no such object. */
  sizeOf(name: string): Promise<number | undefined>;
  /** The bytes from the first to the last, inclusive; undefined if there is no such object. */
  read(name: string, first: number, last: number): Promise<AsyncIterable<Uint8Array> | undefined>;
  remove(name: string): Promise<void>;
  /** Objects whose name begins with a prefix, in the order of their names, after a given name. */
  list(prefix: string, after: string, most: number): Promise<StoredObject[]>;
  /** Uploads that were not completed, of names that begin with a prefix; none if the storage cannot list them. */
  unfinished(prefix: string, after?: UnfinishedUpload): Promise<UnfinishedUpload[]>;
  /** Frees the parts of an upload. */
  abort(upload: Pick<UnfinishedUpload, 'name' | 'id'>): Promise<void>;
}

interface UnfinishedUpload {
  name: string;
  id: string;
  startedMs: number;
}

/** An object that is stored in parts. It does not exist before it is completed. */
export interface ObjectUpload {
  add(bytes: Uint8Array): Promise<void>;
  complete(): Promise<void>;
  /** Frees its parts, as far as the storage is reachable. */
  abort(): Promise<void>;
}

/** Each part of an upload is sent, and each answer begins, within this time. */
const requestTimeoutMs = 60_000;

export function openBucket(options: ObjectStorageAddress): ObjectBucket {
  const client = new S3mini({
    accessKeyId: options.keyId,
    secretAccessKey: options.secret,
    endpoint: `${options.endpoint}/${options.bucket}`,
    region: options.region,
    fetch: fetchWithTimeout,
  });
  const headers = options.encryption ? { 'x-amz-server-side-encryption': options.encryption } : undefined;
  return {
    put: (name, bytes) =>
      orOutage(async () => void (await client.putObject(name, bytes, binary, undefined, headers))),
    startUpload: (name) =>
      orOutage(async () =>
        toUpload(client, name, await client.getMultipartUploadId(name, binary, undefined, headers)),
      ),
    sizeOf: (name) => orMissing(() => client.getContentLength(name)),
    read: (name, first, last) =>
      orMissing(async () => bodyOf(await client.getObjectRaw(name, false, first, last + 1))),
    remove: (name) => orOutage(async () => void (await client.deleteObject(name))),
    list: (prefix, after, most) => orOutage(() => listObjects(client, prefix, after, most)),
    unfinished: (prefix, after) => orOutage(() => listUploads(client, prefix, after)),
    abort: ({ name, id }) => orOutage(async () => void (await client.abortMultipartUpload(name, id))),
  };
}

const binary = 'application/octet-stream';

/** A connection can break in the middle of it. */
async function* bodyOf({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    yield* body!;
  } catch (error) {
    throw outageOf(error);
  }
}

function toUpload(client: S3mini, name: string, id: string): ObjectUpload {
  const parts: UploadedPart[] = [];
  return {
    add: (bytes) =>
      orOutage(async () => void parts.push(await client.uploadPart(name, id, bytes, parts.length + 1))),
    complete: () => orOutage(async () => void (await client.completeMultipartUpload(name, id, parts))),
    abort: async () => void (await client.abortMultipartUpload(name, id).catch(() => {})),
  };
}

/** The answer with the names of its elements, which the types of the client spell otherwise. One upload is no list. */
interface ListedUploads {
  ListMultipartUploadsResult?: { Upload?: ListedUpload | ListedUpload[] };
}

interface ListedUpload {
  Key: string;
  UploadId: string;
  Initiated: string;
}

async function listUploads(
  client: S3mini,
  prefix: string,
  after: UnfinishedUpload | undefined,
): Promise<UnfinishedUpload[]> {
  const markers = after && { 'key-marker': after.name, 'upload-id-marker': after.id };
  try {
    const answer = await client.listMultipartUploads('/', prefix, 'GET', { prefix, ...markers });
    const listed = (answer as ListedUploads).ListMultipartUploadsResult?.Upload ?? [];
    return [listed].flat().map(({ Key, UploadId, Initiated }) => ({
      name: Key,
      id: UploadId,
      startedMs: new Date(Initiated).getTime(),
    }));
  } catch (error) {
    if (notSupported.has(statusOf(error) ?? 0)) return [];
    throw error;
  }
}

/** How storages answer requests that they do not implement. */
const notSupported = new Set([405, 501]);

async function listObjects(
  client: S3mini,
  prefix: string,
  after: string,
  most: number,
): Promise<StoredObject[]> {
  const page = await client.listObjectsPaged('/', prefix, most, undefined, { 'start-after': after });
  if (!page) throw new Error('the bucket does not exist');
  return (page.objects ?? []).map(({ Key, Size, LastModified }) => ({
    name: Key,
    size: Number(Size),
    changedMs: new Date(LastModified).getTime(),
  }));
}

/** The timeout ends with the head of the answer, because a body may be read slowly. */
async function fetchWithTimeout(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new Error('no answer in time')), requestTimeoutMs);
  try {
    return await fetch(input, { ...init, signal: timeout.signal, redirect: 'error' });
  } finally {
    clearTimeout(timer);
  }
}

const statusOf = (error: unknown): number | undefined => {
  const cause = error instanceof S3ServiceError ? error : (error as Error).cause;
  return cause instanceof S3ServiceError ? cause.status : undefined;
};

/** Whatever the storage refuses, its users can only try again later: a wrong key, a full bucket, no connection. */
async function orOutage<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw outageOf(error);
  }
}

const outageOf = (error: unknown): Error =>
  markOutage(new Error(`The object storage failed: ${reasonOf(error)}`, { cause: error }));

async function orMissing<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  return orOutage(async () => {
    try {
      return await work();
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  });
}

/** What the storage said, without the names of objects. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  const service = [error, cause].find((each) => each instanceof S3ServiceError);
  if (service) return `${service.status} ${service.serviceCode ?? ''}`.trim();
  const system = [error, cause, (cause as Error | undefined)?.cause].find(
    (each) => typeof (each as { code?: unknown } | undefined)?.code === 'string',
  ) as { code: string } | undefined;
  return system?.code ?? message;
}
