/** Loads and decrypts the chunks of a recording. Each is authenticated together with its position and predecessor. */
import { nonceOf } from '@drawbridge/contract/session/handshake';
import {
  chunkContext,
  decodeRecordedFrames,
  type RecordedFrame,
} from '@drawbridge/contract/session/recording';
import { fromBase64url } from '@drawbridge/contract/session/signed';
import { corruptRecording } from './playback-error.ts';
import type { Segment, Timeline } from './timeline.ts';

export interface ChunkReader {
  /** Returns the frames of a chunk, with times relative to the whole recording. */
  frames(number: number): Promise<readonly RecordedFrame[]>;
}

/** The current chunk and those around it. */
const maxCached = 4;

const importKey = (key: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', fromBase64url(key), 'AES-GCM', false, ['decrypt']);

export function openChunkReader(
  { session, segments }: Timeline,
  load: (segment: Segment) => Promise<ArrayBuffer>,
): ChunkReader {
  const cached = new Map<number, Promise<readonly RecordedFrame[]>>();

  async function open(segment: Segment): Promise<readonly RecordedFrame[]> {
    const { number, before, last, offset } = segment;
    const sealed = await load(segment);
    const additionalData = chunkContext({ session, number, before, last });
    const algorithm = { name: 'AES-GCM', iv: nonceOf(number), additionalData };
    const opened = await crypto.subtle
      .decrypt(algorithm, await importKey(segment.key), sealed)
      .catch(() => undefined);
    const frames = opened && decodeRecordedFrames(new Uint8Array(opened));
    if (!frames) throw corruptRecording();
    return frames.map((frame) => ({ ...frame, at: frame.at + offset }));
  }

  return {
    frames(number) {
      const frames = cached.get(number) ?? open(segments[number]!);
      cached.delete(number);
      cached.set(number, frames);
      // A network error may be temporary, so the next call retries.
      frames.catch(() => cached.delete(number));
      const [oldest] = cached.keys();
      if (cached.size > maxCached) cached.delete(oldest!);
      return frames;
    },
  };
}
