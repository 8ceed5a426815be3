/** Records one session if its grant requires it, from the moment it is live until it ends. */
import { setTimeout as pause } from 'node:timers/promises';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Grant } from '@drawbridge/contract/session/signed';
import { createRecorder, type Recorder } from './recorder.ts';
import type { UploadDestination } from './upload.ts';

export interface SessionRecording {
  start(): void;
  /** Records a frame that is sent to the operator. */
  record(kind: FrameKindName, payload: Uint8Array): void;
  /** Resolves when the recording is uploaded, or after a timeout. */
  stop(): Promise<void>;
}

export interface SessionRecordingOptions {
  grant: Pick<Grant, 'session' | 'record'>;
  /** How to reach the server that stores recordings. */
  connection: Pick<UploadDestination, 'certificates' | 'options'>;
  refresh(): void;
  onFailure(message: string): void;
}

/** How long the end of a session may wait for the upload of its recording. */
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
