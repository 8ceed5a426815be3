/** Which part of a file a request asks for. */

export interface ByteRange {
  start: number;
  /** The last byte, inclusive. */
  end: number;
}

/**
 * The requested part; undefined if the whole file is meant: without the header, with an invalid one, or with several
 * parts, which a server may ignore. `beyond` when the file is too short.
 */
export function parseByteRange(range: string | undefined, size: number): ByteRange | 'beyond' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  return start > end ? 'beyond' : { start, end };
}
