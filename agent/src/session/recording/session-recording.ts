/** The recording of one session, where its grant asks for one: begun when it is live, and brought to its end with it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Grant } from '@drawbridge/contract/session/signed';
import { createRecorder, type Recorder } from './recorder.ts';
import type { UploadDestination } from './upload.ts';

export interface SessionRecording {
  start(): void;
  /** Keeps what is sent to the operator. */
  record(kind: FrameKindName, payload: Uint8Array): void;
  /** Resolves when all of it is away, or after a while in which it could not be brought away. */
  stop(): Promise<void>;
}

export interface SessionRecordingOptions {
  grant: Pick<Grant, 'session' | 'record'>;
  /** How the server of the recordings is reached. */
  connection: Pick<UploadDestination, 'certificates' | 'options'>;
  refresh(): void;
  onFailure(message: string): void;
}

/** How long the end of a session may wait for the end of its recording. */
const stopTimeoutMs = 10_000;

export function createSessionRecording({
  grant,
  connection,
  refresh,
  onFailure,
}: SessionRecordingOptions): SessionRecording {
  let recorder: Recorder | undefined;
  return {
    start() {
      if (!grant.record) return;
      const { url, token, key: accountKey } = grant.record;
      recorder = createRecorder({
        session: grant.session,
        accountKey,
        destination: { url, token, ...connection },
        now: () => performance.now(),
        refresh,
        onFailure,
      });
    },
    record: (kind, payload) => recorder?.record(kind, payload),
    async stop() {
      const waiting = new AbortController();
      const limit = pause(stopTimeoutMs, undefined, { signal: waiting.signal }).catch(() => {});
      await Promise.race([recorder?.close(), limit]);
      waiting.abort();
    },
  };
}
