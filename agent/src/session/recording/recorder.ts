/** Records what the operator is shown: gathers frames into chunks, seals them and brings them away while the session runs. */
import { encodeCursor, decodeCursor, type CursorUpdate } from '@drawbridge/contract/session/screen-frames';
import {
  chunkBytes,
  chunkHeaders,
  chunkSeconds,
  encodeRecordedFrame,
  recordedKinds,
  keyframeIntervalSeconds,
} from '@drawbridge/contract/session/recording';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import { createChunkSeal } from './seal.ts';
import { uploadChunk, type Destination } from './upload.ts';

export interface Recorder {
  take(kind: FrameKindName, payload: Uint8Array): void;
  /** Seals what is left; resolves when everything is away, or can not be brought away. */
  close(): Promise<void>;
}

export interface RecorderNeeds {
  session: number;
  /** The account's recording key. */
  accountKey: string;
  place: Destination;
  /** Milliseconds, of a clock that only goes forward. */
  now(): number;
  /** The picture is to begin anew. */
  refresh(): void;
  /** Nothing can be recorded any more. */
  onFailure(message: string): void;
}

/** Sealed chunks that wait to be brought away; a line that is slower than this for long can not carry a recording. */
const maxWaiting = 64;

interface Gathered {
  parts: Uint8Array[];
  bytes: number;
  from: number;
  whole: boolean;
}

const isPicture = (kind: FrameKindName): boolean => kind === 'tiles' || kind === 'video';

export function createRecorder(needs: RecorderNeeds): Recorder {
  const { now } = needs;
  const began = now();
  const at = (): number => Math.round(now() - began);
  const sending = createSending(needs, at);
  const beginning = createBeginning();
  let gathered: Gathered | undefined;
  let [wholeAt, pictureAt, isFreshDue] = [0, 0, false];

  const flush = (isLast: boolean): void => {
    if (gathered || isLast)
      sending.send(gathered ?? { parts: [], bytes: 0, from: at(), whole: false }, isLast);
    gathered = undefined;
  };
  const keep = (kind: FrameKindName, payload: Uint8Array): void => {
    const part = encodeRecordedFrame({ at: at(), kind, payload });
    gathered ??= { parts: [], bytes: 0, from: at(), whole: kind === 'layout' };
    gathered.parts.push(part);
    gathered.bytes += part.length;
    if (gathered.bytes >= chunkBytes) flush(false);
  };
  /** A chunk that begins with the layout begins with a whole picture: the player can start there. */
  const beginAnew = (): void => {
    flush(false);
    [wholeAt, isFreshDue] = [at(), false];
    for (const [kind, payload] of beginning.frames()) keep(kind, payload);
  };
  const tick = setInterval(() => {
    flush(false);
    // While nothing changes the picture that was whole still is.
    const isStale =
      pictureAt - wholeAt > chunkSeconds * 1_000 && at() - wholeAt > keyframeIntervalSeconds * 1_000;
    if (!isStale || isFreshDue || sending.failed()) return;
    isFreshDue = true;
    needs.refresh();
  }, chunkSeconds * 1_000).unref();

  const close = async (): Promise<void> => {
    clearInterval(tick);
    if (!sending.failed()) flush(true);
    await sending.done();
  };
  let closed: Promise<void> | undefined;
  return {
    take(kind, payload) {
      if (closed || sending.failed() || !recordedKinds.has(kind)) return;
      beginning.note(kind, payload);
      if (kind === 'layout') return beginAnew();
      // The picture that was asked for is on its way: what comes now is it, or is drawn over by it at once.
      if (isFreshDue && isPicture(kind)) beginAnew();
      if (isPicture(kind)) pictureAt = at();
      keep(kind, payload);
    },
    close: () => (closed ??= close()),
  };
}

/** What a player has to know where the picture begins anew: how large it is, and the pointer as it was last. */
function createBeginning() {
  let layout: Uint8Array | undefined;
  let cursor: CursorUpdate | undefined;
  return {
    note(kind: FrameKindName, payload: Uint8Array): void {
      if (kind === 'layout') layout = payload;
      if (kind === 'cursor') cursor = { ...cursor, ...decodeCursor(payload)! };
    },
    frames(): [FrameKindName, Uint8Array][] {
      const frames: [FrameKindName, Uint8Array][] = [];
      if (layout) frames.push(['layout', layout]);
      if (cursor) frames.push(['cursor', encodeCursor(cursor)]);
      return frames;
    },
  };
}

/** Seals chunks and brings them away, one after the other. */
function createSending({ session, accountKey, place, onFailure }: RecorderNeeds, at: () => number) {
  const seal = createChunkSeal(session, accountKey);
  let [number, waiting, isFailed] = [0, 0, false];
  let last = Promise.resolve();
  const fail = (error: Error): void => {
    if (!isFailed) onFailure(`The session must be recorded, but recording failed: ${error.message}.`);
    isFailed = true;
  };
  return {
    failed: () => isFailed,
    done: () => last,
    send({ parts, from, whole }: Gathered, isLast: boolean): void {
      const headers = {
        [chunkHeaders.key]: seal.publicKey,
        [chunkHeaders.from]: String(from),
        [chunkHeaders.to]: String(at()),
        [chunkHeaders.whole]: whole ? '1' : '0',
        [chunkHeaders.last]: isLast ? '1' : '0',
      };
      const chunk = { number, headers, bytes: seal.close(Buffer.concat(parts), isLast) };
      number += 1;
      waiting += 1;
      if (waiting > maxWaiting) return fail(new Error('the connection is too slow'));
      last = last
        .then(() => (isFailed ? undefined : uploadChunk(place, chunk)))
        .then(() => void (waiting -= 1))
        .catch(fail);
    },
  };
}
