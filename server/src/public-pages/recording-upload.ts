/** Devices upload the chunks of a recording here: in order, with the token of the grant, while their session runs. */
import { isFault } from '@drawbridge/contract/faults';
import { parseAs } from '@drawbridge/contract/parse';
import { playerPaths } from '@drawbridge/contract/session/player';
import { chunkHeaders, maxChunkBytes } from '@drawbridge/contract/session/recording';
import * as z from 'zod';
import { errorResponse, type PageRequest, type PageResponse, type Route } from '../http/route.ts';
import { networkOf } from '../domain/networks.ts';
import { createRateLimiter } from '../edges/rate-limiter.ts';
import type { BlobStore, Store } from '../store/store.ts';
import { timingSafeEqualText } from './timing-safe-equal.ts';

export interface UploadDeps {
  store: Pick<Store, 'recordings' | 'change'>;
  blobs: Pick<BlobStore, 'put' | 'remove'>;
  random: { token(): string };
  digestOf(secret: string): string;
}

const count = z
  .string()
  .regex(/^(0|[1-9]\d{0,9})$/)
  .transform(Number);
const flag = z.enum(['0', '1']).transform((value) => value === '1');
const chunkInfo = z
  .object({
    id: count,
    number: count,
    key: z.base64url().length(43),
    from: count,
    to: count,
    whole: flag,
    last: flag,
  })
  .refine(({ from, to }) => from <= to);

const readChunkInfo = ({ params, headers }: PageRequest) =>
  parseAs(chunkInfo, {
    id: params['recording'],
    number: params['number'],
    ...Object.fromEntries(Object.entries(chunkHeaders).map(([name, header]) => [name, headers[header]])),
  }).data;

const stored: PageResponse = { http: 204, type: 'text/plain; charset=utf-8', body: '' };
const unknown = errorResponse(404, { code: 'not_found', message: 'There is no such recording.' });
const invalid = errorResponse(400, { code: 'invalid', message: 'This is not a chunk of a recording.' });
const tooLarge = errorResponse(413, { code: 'too_large', message: 'The chunk is too large.' });
const outOfOrder = errorResponse(409, { code: 'out_of_order', message: 'This is not the next chunk.' });
const full = errorResponse(402, { code: 'plan_exceeded', message: 'The recording storage is full.' });
const busy = errorResponse(429, {
  code: 'busy',
  message: 'There were too many tries. Wait a minute, then try again.',
});
const foreign = errorResponse(403, { code: 'forbidden', message: 'Web pages cannot upload recordings.' });

const refusals = { not_found: unknown, invalid: outOfOrder, plan_exceeded: full } as const;

export function uploadRoutes(deps: UploadDeps): Route[] {
  const failures = createRateLimiter({ perSecond: 0.2, burst: 50 });
  return [
    {
      method: 'POST',
      path: `${playerPaths.upload}/:recording/:number`,
      takes: 'bytes',
      async handle(request) {
        if (request.headers.origin !== undefined) return foreign;
        const chunk = readChunkInfo(request);
        if (!chunk) return invalid;
        const network = networkOf(request.address);
        if (!failures.allow(network)) return busy;
        const accountId = await authenticate(deps, chunk.id, request);
        if (accountId === undefined) return unknown;
        failures.refund(network); // only failures count
        return storeChunk(deps, accountId, chunk, request);
      },
    },
  ];
}

/** Returns the account of the recording, if the request has its token. */
async function authenticate(
  { store, digestOf }: UploadDeps,
  id: number,
  { headers }: PageRequest,
): Promise<number | undefined> {
  const [, token = ''] = /^Bearer ([\w-]{1,64})$/.exec(headers.authorization ?? '') ?? [];
  const known = await store.recordings.find(id);
  const [given, right] = [digestOf(token), known?.tokenDigest ?? digestOf('')];
  return timingSafeEqualText(given, right) && token !== '' ? known?.accountId : undefined;
}

async function storeChunk(
  { store, blobs, random }: UploadDeps,
  accountId: number,
  { key: publicKey, ...about }: z.output<typeof chunkInfo>,
  { incoming }: PageRequest,
): Promise<PageResponse> {
  if (!incoming || (incoming.length ?? 0) > maxChunkBytes) return tooLarge;
  const put = await blobs.put(accountId, incoming.bytes);
  if (put === 'too_large') return tooLarge;
  if (put === 'broken') return invalid;
  const secret = random.token();
  const outcome = await store.change('recordings/chunk', {
    accountId,
    ...about,
    ...put,
    publicKey,
    secret,
  });
  if (isFault(outcome) || outcome.repeated) await blobs.remove(accountId, put.blobKey);
  return isFault(outcome) ? refusals[outcome.fault] : stored;
}
