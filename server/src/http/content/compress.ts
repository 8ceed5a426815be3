/** Compresses responses of at least one kibibyte in the encoding that the client prefers, outside the event loop. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import { toWhole, type ChunkedBody } from './chunked-body.ts';

export type Encoding = 'gzip' | 'br' | 'zstd';

const minCompressibleBytes = 1_024;
const chunkSize = 64 * 1_024;

const [toGzip, toBrotli, toZstd] = [promisify(gzip), promisify(brotliCompress), promisify(zstdCompress)];

const encoders: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  gzip: (body) => toGzip(body, { level: 1, chunkSize }),
  br: (body) => toBrotli(body, { chunkSize, params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: (body) => toZstd(body, { chunkSize, params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
};
/** In our order of preference if the client has none: what most clients support, so that few forms are kept. */
const encodings: readonly Encoding[] = ['gzip', 'br', 'zstd'];

/** Bodies of at least this length that are compressed for one request use the encoding that costs least. */
const minLargeBytes = 64 * 1_024;
const cheapestFirst: readonly Encoding[] = ['zstd', 'br', 'gzip'];

/** Returns whether a client may receive this body compressed. */
export const isCompressible = (body: string | Buffer | ChunkedBody): boolean =>
  body.length >= minCompressibleBytes;

/** `cached` is for constant bodies: their compressed forms are kept as long as the bodies exist. */
export async function compress<Body extends Buffer | ChunkedBody>(
  body: Body,
  acceptEncoding: string | undefined,
  caching: 'uncached' | 'cached' = 'uncached',
): Promise<{ body: Body | Buffer; encoding?: Encoding }> {
  const order = caching === 'uncached' && body.length >= minLargeBytes ? cheapestFirst : encodings;
  const encoding = isCompressible(body) ? chooseEncoding(acceptEncoding, order) : undefined;
  if (encoding === undefined) return { body };
  const smaller = await (caching === 'cached' ? encodeCached(body, encoding) : encode(body, encoding));
  return smaller.length < body.length ? { body: smaller, encoding } : { body };
}

const encode = (body: Buffer | ChunkedBody, encoding: Encoding): Promise<Buffer> =>
  encoders[encoding](toWhole(body));

const encodedBodies = new WeakMap<Buffer | ChunkedBody, Map<Encoding, Promise<Buffer>>>();

function encodeCached(body: Buffer | ChunkedBody, encoding: Encoding): Promise<Buffer> {
  const forms = encodedBodies.get(body) ?? new Map<Encoding, Promise<Buffer>>();
  encodedBodies.set(body, forms);
  const form = forms.get(encoding) ?? encode(body, encoding);
  forms.set(encoding, form);
  form.catch(() => forms.delete(encoding));
  return form;
}

/** Returns undefined for no compression. The client's weights decide; among equal weights, the order. */
export function chooseEncoding(
  acceptEncoding: string | undefined,
  order: readonly Encoding[] = encodings,
): Encoding | undefined {
  const weights = readWeights(acceptEncoding ?? '');
  let best: Encoding | undefined;
  // The uncompressed form is preferred only if the client names it.
  let bestWeight = weights.get('identity') ?? 0;
  for (const encoding of order) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0;
    if (weight > bestWeight || (weight === bestWeight && weight > 0 && best === undefined)) {
      best = encoding;
      bestWeight = weight;
    }
  }
  return best;
}

function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, readWeight(parameters));
  }
  return weights;
}

/** A malformed weight counts as zero, because every client can read an uncompressed response. */
function readWeight(parameters: string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  if (weight === undefined) return 1;
  return /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0;
}
