/** Which part of a file a request asks for. */

export interface ByteRange {
  start: number;
  /** The last byte, included. */
  end: number;
}

/**
 * The one part that is asked for; undefined where the whole is meant: without the header, with one that makes no
 * sense, or with several parts, which nobody must honour. `beyond` when the file is too short for it.
 */
export function parseByteRange(range: string | undefined, size: number): ByteRange | 'beyond' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  return start > end ? 'beyond' : { start, end };
}
