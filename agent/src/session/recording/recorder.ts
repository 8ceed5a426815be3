/** Records what the operator sees: collects frames into chunks, seals them and uploads them during the session. */
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
  /** Seals the remaining frames. Resolves when all chunks are uploaded or the upload has failed. */
  close(): Promise<void>;
}

export interface RecorderOptions {
  session: number;
  /** The account's recording key. */
  accountKey: string;
  destination: UploadDestination;
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Requests the whole picture again. */
  refresh(): void;
  /** Called once with the reason when the recording cannot continue. */
  onFailure(reason: string): void;
}

/** The most sealed chunks that may wait for upload. If there are more, the connection is too slow for a recording. */
const maxWaiting = 64;

interface PendingChunk {
  parts: Uint8Array[];
  bytes: number;
  from: number;
  whole: boolean;
}

const isPicture = (kind: FrameKindName): boolean => kind === 'tiles' || kind === 'video';

interface State {
  uploader: ReturnType<typeof createUploader>;
  replayState: ReplayState;
  /** Milliseconds since the recording started. */
  at(): number;
  refresh(): void;
  pending: PendingChunk | undefined;
  /** When the last seek point was recorded. */
  wholeAt: number;
  /** When the picture last changed. */
  pictureAt: number;
  isRefreshPending: boolean;
}

export function createRecorder(options: RecorderOptions): Recorder {
  const startedAt = options.now();
  const at = (): number => Math.round(options.now() - startedAt);
  const state: State = {
    uploader: createUploader(options, at),
    replayState: createReplayState(),
    at,
    refresh: () => options.refresh(),
    pending: undefined,
    wholeAt: 0,
    pictureAt: 0,
    isRefreshPending: false,
  };
  const timer = setInterval(() => flushAndRefresh(state), chunkSeconds * 1_000).unref();
  let closed: Promise<void> | undefined;
  return {
    record(kind, payload) {
      if (!closed) record(state, kind, payload);
    },
    close: () => (closed ??= close(state, timer)),
  };
}

function record(state: State, kind: FrameKindName, payload: Uint8Array): void {
  if (state.uploader.failed() || !recordedKinds.has(kind)) return;
  state.replayState.note(kind, payload);
  if (kind === 'layout') return startSeekPoint(state);
  // After a refresh, the next frame is part of the whole picture, or the whole picture covers it at once.
  if (state.isRefreshPending && isPicture(kind)) startSeekPoint(state);
  if (isPicture(kind)) state.pictureAt = state.at();
  append(state, kind, payload);
}

/** Starts a chunk with the layout, followed by a whole picture, so that the player can start there. */
function startSeekPoint(state: State): void {
  flush(state, false);
  state.wholeAt = state.at();
  state.isRefreshPending = false;
  for (const [kind, payload] of state.replayState.frames()) append(state, kind, payload);
}

function append(state: State, kind: FrameKindName, payload: Uint8Array): void {
  const part = encodeRecordedFrame({ at: state.at(), kind, payload });
  state.pending ??= { parts: [], bytes: 0, from: state.at(), whole: kind === 'layout' };
  state.pending.parts.push(part);
  state.pending.bytes += part.length;
  if (state.pending.bytes >= chunkBytes) flush(state, false);
}

function flush(state: State, isLast: boolean): void {
  const { pending, uploader, at } = state;
  if (pending || isLast) uploader.send(pending ?? { parts: [], bytes: 0, from: at(), whole: false }, isLast);
  state.pending = undefined;
}

function flushAndRefresh(state: State): void {
  flush(state, false);
  const { at, wholeAt, pictureAt } = state;
  // While nothing changes, the last seek point is still current.
  const isStale =
    pictureAt - wholeAt > chunkSeconds * 1_000 && at() - wholeAt > keyframeIntervalSeconds * 1_000;
  if (!isStale || state.isRefreshPending || state.uploader.failed()) return;
  state.isRefreshPending = true;
  state.refresh();
}

async function close(state: State, timer: NodeJS.Timeout): Promise<void> {
  clearInterval(timer);
  if (!state.uploader.failed()) flush(state, true);
  await state.uploader.done();
}

export interface ReplayState {
  note(kind: FrameKindName, payload: Uint8Array): void;
  frames(): [FrameKindName, Uint8Array][];
}

/** What a player needs at a seek point: the layout and the last state of the cursor. */
export function createReplayState(): ReplayState {
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

/** Seals chunks and uploads them in order. */
function createUploader({ session, accountKey, destination, onFailure }: RecorderOptions, at: () => number) {
  const seal = createChunkSeal(session, accountKey);
  let [number, waiting, isFailed] = [0, 0, false];
  let last = Promise.resolve();
  const fail = (reason: string): void => {
    if (!isFailed) onFailure(reason);
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
      if (waiting > maxWaiting) return fail('the connection is too slow');
      last = last
        .then(() => (isFailed ? undefined : uploadChunk(destination, chunk)))
        .then((failure) => (failure === undefined ? void (waiting -= 1) : fail(failure)))
        .catch(({ message }: Error) => fail(message));
    },
  };
}
