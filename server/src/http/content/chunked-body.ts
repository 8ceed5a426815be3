/** A response body in several chunks, which are sent one after the other without being joined. */

export interface ChunkedBody {
  readonly chunks: readonly Buffer[];
  /** Of all chunks together, in bytes. */
  readonly length: number;
}

export const toChunkedBody = (chunks: readonly Buffer[]): ChunkedBody => ({
  chunks,
  length: chunks.reduce((sum, { length }) => sum + length, 0),
});

export const isChunked = (body: string | Buffer | ChunkedBody): body is ChunkedBody =>
  typeof body === 'object' && 'chunks' in body;

export const toWhole = (body: string | Buffer | ChunkedBody): Buffer => {
  if (typeof body === 'string') return Buffer.from(body);
  return isChunked(body) ? Buffer.concat(body.chunks) : body;
};
