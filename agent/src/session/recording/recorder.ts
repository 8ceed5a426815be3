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
import { uploadChunk, type UploadDestination } from './upload.ts';

export interface Recorder {
  record(kind: FrameKindName, payload: Uint8Array): void;
  /** Seals what is left; resolves when everything is away, or can not be brought away. */
  close(): Promise<void>;
}

export interface RecorderOptions {
  session: number;
  /** The account's recording key. */
  accountKey: string;
  destination: UploadDestination;
  /** Milliseconds, of a clock that only goes forward. */
  now(): number;
  /** The picture is to begin anew. */
  refresh(): void;
  /** Nothing can be recorded any more. */
  onFailure(message: string): void;
}

/** Sealed chunks that wait to be brought away; a line that is slower than this for long can not carry a recording. */
const maxWaiting = 64;

interface PendingChunk {
  parts: Uint8Array[];
  bytes: number;
  from: number;
  whole: boolean;
}

const isPicture = (kind: FrameKindName): boolean => kind === 'tiles' || kind === 'video';

export function createRecorder(options: RecorderOptions): Recorder {
  const { now } = options;
  const began = now();
  const at = (): number => Math.round(now() - began);
  const uploader = createUploader(options, at);
  const replayState = createReplayState();
  let pending: PendingChunk | undefined;
  let [wholeAt, pictureAt, isRefreshPending] = [0, 0, false];

  const flush = (isLast: boolean): void => {
    if (pending || isLast)
      uploader.send(pending ?? { parts: [], bytes: 0, from: at(), whole: false }, isLast);
    pending = undefined;
  };
  const keep = (kind: FrameKindName, payload: Uint8Array): void => {
    const part = encodeRecordedFrame({ at: at(), kind, payload });
    pending ??= { parts: [], bytes: 0, from: at(), whole: kind === 'layout' };
    pending.parts.push(part);
    pending.bytes += part.length;
    if (pending.bytes >= chunkBytes) flush(false);
  };
  /** A chunk that begins with the layout begins with a whole picture: the player can start there. */
  const startSeekPoint = (): void => {
    flush(false);
    [wholeAt, isRefreshPending] = [at(), false];
    for (const [kind, payload] of replayState.frames()) keep(kind, payload);
  };
  const tick = setInterval(() => {
    flush(false);
    // While nothing changes the picture that was whole still is.
    const isStale =
      pictureAt - wholeAt > chunkSeconds * 1_000 && at() - wholeAt > keyframeIntervalSeconds * 1_000;
    if (!isStale || isRefreshPending || uploader.failed()) return;
    isRefreshPending = true;
    options.refresh();
  }, chunkSeconds * 1_000).unref();

  const close = async (): Promise<void> => {
    clearInterval(tick);
    if (!uploader.failed()) flush(true);
    await uploader.done();
  };
  let closed: Promise<void> | undefined;
  return {
    record(kind, payload) {
      if (closed || uploader.failed() || !recordedKinds.has(kind)) return;
      replayState.note(kind, payload);
      if (kind === 'layout') return startSeekPoint();
      // The picture that was asked for is on its way: what comes now is it, or is drawn over by it at once.
      if (isRefreshPending && isPicture(kind)) startSeekPoint();
      if (isPicture(kind)) pictureAt = at();
      keep(kind, payload);
    },
    close: () => (closed ??= close()),
  };
}

/** What a player has to know where the picture begins anew: how large it is, and the pointer as it was last. */
function createReplayState() {
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
function createUploader({ session, accountKey, destination, onFailure }: RecorderOptions, at: () => number) {
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
    send({ parts, from, whole }: PendingChunk, isLast: boolean): void {
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
        .then(() => (isFailed ? undefined : uploadChunk(destination, chunk)))
        .then(() => void (waiting -= 1))
        .catch(fail);
    },
  };
}
