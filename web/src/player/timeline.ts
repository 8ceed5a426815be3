/** Joins all takes of a recording into one timeline of chunks. */
import type { RecordingIndex } from '@drawbridge/contract/session/player';

export interface Segment {
  take: number;
  /** Of the chunk within its take. */
  number: number;
  key: string;
  /** SHA-256 of the chunk before it, base64url; empty for the first of a take. */
  before: string;
  /** Whether it was sealed as the last chunk of its take. */
  last: boolean;
  whole: boolean;
  /** Milliseconds from the beginning of the whole recording, as are `to` and `offset`. */
  from: number;
  to: number;
  /** Where its take begins. */
  offset: number;
}

export interface Timeline {
  session: number;
  segments: readonly Segment[];
  duration: number;
  /** False when the end of a take is missing. */
  complete: boolean;
}

/** Omits the time between two takes, in which nothing was recorded. */
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

/** Returns the last segment that begins with a whole picture at or before the position. */
export const wholeSegmentBefore = ({ segments }: Timeline, position: number): number =>
  Math.max(
    0,
    segments.findLastIndex(({ from, whole }) => whole && from <= position),
  );
