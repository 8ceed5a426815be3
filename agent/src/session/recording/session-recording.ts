/** Records one session: from the moment it is live if its grant requires it, or while the operator wants it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Grant, RecordingTarget } from '@drawbridge/contract/session/signed';
import { createRecorder, createReplayState, type Recorder, type ReplayState } from './recorder.ts';
import type { UploadDestination } from './upload.ts';

export interface SessionRecording {
  /** Called when the session is live. */
  start(): void;
  /** Starts a recording that the grant does not require; `onFailure` is called once with the reason if it cannot continue. */
  begin(target: RecordingTarget, onFailure: (reason: string) => void): void;
  /** Records a frame that is sent to the operator. */
  record(kind: FrameKindName, payload: Uint8Array): void;
  isRunning(): boolean;
  /** Ends the recording; resolves when all that was recorded is uploaded, or after a timeout. */
  stop(): Promise<void>;
}

export interface SessionRecordingOptions {
  grant: Pick<Grant, 'session' | 'record'>;
  /** How to reach the server that stores recordings. */
  connection(url: string): Pick<UploadDestination, 'certificates' | 'options'>;
  /** Requests the whole picture again. */
  refresh(): void;
  /** Called with a sentence when a recording that the grant requires cannot continue. */
  onFailure(message: string): void;
}

/** How long the end of a session may wait for the upload of its recording. */
const stopTimeoutMs = 10_000;

interface State {
  options: SessionRecordingOptions;
  /** What a recording that starts in the middle of a session begins with. */
  replayState: ReplayState;
  recorder: Recorder | undefined;
  /** Resolves when the recordings that were stopped are uploaded, or after a timeout. */
  stopping: Promise<unknown>;
}

export function createSessionRecording(options: SessionRecordingOptions): SessionRecording {
  const state: State = {
    options,
    replayState: createReplayState(),
    recorder: undefined,
    stopping: Promise.resolve(),
  };
  return {
    start() {
      const { record } = options.grant;
      const fail = (reason: string): void =>
        options.onFailure(`The session must be recorded, but recording failed: ${reason}.`);
      if (record) state.recorder = open(state, record, fail);
    },
    begin: (target, onFailure) => begin(state, target, onFailure),
    record(kind, payload) {
      state.replayState.note(kind, payload);
      state.recorder?.record(kind, payload);
    },
    isRunning: () => state.recorder !== undefined,
    stop: () => stop(state),
  };
}

function begin(state: State, target: RecordingTarget, onFailure: (reason: string) => void): void {
  const recorder = open(state, target, onFailure);
  state.recorder = recorder;
  for (const [kind, payload] of state.replayState.frames()) recorder.record(kind, payload);
  state.options.refresh();
}

const open = (
  { options: { grant, connection, refresh } }: State,
  { url, token, key: accountKey }: RecordingTarget,
  onFailure: (reason: string) => void,
): Recorder =>
  createRecorder({
    session: grant.session,
    accountKey,
    destination: { url, token, ...connection(url) },
    now: () => performance.now(),
    refresh,
    onFailure,
  });

async function stop(state: State): Promise<void> {
  const { recorder, stopping } = state;
  state.recorder = undefined;
  if (recorder) state.stopping = Promise.all([stopping, close(recorder)]);
  await state.stopping;
}

async function close(recorder: Recorder): Promise<void> {
  const waiting = new AbortController();
  const limit = pause(stopTimeoutMs, undefined, { signal: waiting.signal }).catch(() => {});
  await Promise.race([recorder.close(), limit]);
  waiting.abort();
}
