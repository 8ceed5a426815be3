/** All takes of a recording as one: its chunks in a row, each with its place in the whole. */
import type { RecordingIndex } from '@drawbridge/contract/session/player';

export interface Segment {
  /** Which take it is of, and which chunk of it. */
  take: number;
  number: number;
  key: string;
  /** SHA-256 of the chunk before it, base64url; empty for the first of a take. */
  before: string;
  /** Sealed as the last of its take. */
  last: boolean;
  whole: boolean;
  /** Milliseconds of the whole recording. */
  from: number;
  to: number;
  /** Where its take begins in the whole. */
  offset: number;
}

export interface Timeline {
  session: number;
  segments: readonly Segment[];
  duration: number;
  /** Nothing is missing at the end of any take. */
  complete: boolean;
}

/** The time between two takes is left out: nothing was recorded in it. */
export function toTimeline({ session, takes }: RecordingIndex): Timeline {
  const segments: Segment[] = [];
  let offset = 0;
  for (const { id, key, complete, chunks } of takes) {
    for (const [number, chunk] of chunks.entries())
      segments.push({
        take: id,
        number,
        key,
        before: chunks[number - 1]?.digest ?? '',
        last: complete && number === chunks.length - 1,
        whole: chunk.whole,
        from: offset + chunk.from,
        to: offset + chunk.to,
        offset,
      });
    offset += chunks.at(-1)?.to ?? 0;
  }
  return { session, segments, duration: offset, complete: takes.every(({ complete }) => complete) };
}

/** The last piece at or before this moment that begins with a whole picture. */
export const wholeSegmentBefore = ({ segments }: Timeline, position: number): number =>
  Math.max(
    0,
    segments.findLastIndex(({ from, whole }) => whole && from <= position),
  );
