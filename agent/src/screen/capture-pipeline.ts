/** The pipeline that sends one part of the screen to one operator: capture, encoder, cursor and rate control. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Desktop } from '../platform/desktop.ts';
import { createCursorFrames } from './cursor.ts';
import { createEncoder, type Encoder } from './encoder.ts';
import type { RateController } from './rate-controller.ts';
import { startScreenStreamer, type ScreenStreamer, type StreamerDeps } from './screen-streamer.ts';

export interface CapturePipeline {
  codec: 'vp8' | 'tiles';
  /** Starts to send frames and the cursor. */
  start(): void;
  streamer(): ScreenStreamer | undefined;
  configure: Encoder['configure'];
  close(): Promise<void>;
}

export interface CapturePipelineOptions extends Pick<StreamerDeps, 'box' | 'number' | 'onError'> {
  desktop: Desktop;
  rateController: RateController;
  /** Whether the operator's browser can decode video. */
  video: boolean;
  out: {
    send(kind: 'tiles' | 'video' | 'cursor', payload: Uint8Array): void;
    buffered(): number;
    drained(): Promise<void>;
  };
}

/** While more bytes than this wait in the send buffer, cursor positions are dropped: a later one replaces them. */
const maxBuffered = 64 * 1_024;

/** A display that hangs must not keep the session open. Its resources are freed if it ever responds. */
const closeTimeoutMs = 2_000;

const clock = (): number => performance.now();

export async function openCapturePipeline(options: CapturePipelineOptions): Promise<CapturePipeline> {
  const { desktop, box, rateController, video, out } = options;
  const capture = await desktop.capture();
  const encoder = await createEncoder(box, { rateController, video, clock });
  let streamer: ScreenStreamer | undefined;
  return {
    codec: encoder.codec,
    start() {
      streamer = startScreenStreamer({ ...options, capture, encoder, clock });
      const frames = createCursorFrames(box);
      capture.onCursor((cursor) => {
        if (cursor.shape === undefined && out.buffered() > maxBuffered) return;
        const frame = frames.next(cursor);
        if (frame) out.send('cursor', frame);
      });
    },
    streamer: () => streamer,
    configure: (view) => encoder.configure(view),
    async close() {
      const closing = (async () => {
        await streamer?.stop();
        // Only after the streamer has stopped, because an encoding in progress reads the memory of the capture.
        capture.close();
        encoder.close();
      })();
      await Promise.race([closing, pause(closeTimeoutMs, undefined, { ref: false })]);
    },
  };
}
