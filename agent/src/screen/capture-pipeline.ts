/** One part of the screen on its way to one operator: capture, encoder, pointer and pace of it together. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Desktop } from '../platform/desktop.ts';
import type { Quality } from './quality-profiles.ts';
import { createCursorFrames } from './cursor.ts';
import { createEncoder } from './encoder.ts';
import type { RateController } from './rate-controller.ts';
import { startScreenStreamer, type ScreenStreamer, type StreamerDeps } from './screen-streamer.ts';

export interface CapturePipeline {
  codec: 'vp8' | 'tiles';
  /** From here on pictures and pointer are sent. */
  start(): void;
  streamer(): ScreenStreamer | undefined;
  setQuality(quality: Quality): void;
  close(): Promise<void>;
}

export interface CapturePipelineOptions extends Pick<StreamerDeps, 'box' | 'number' | 'onError'> {
  desktop: Desktop;
  rateController: RateController;
  /** Whether the operator's side can decode it. */
  video: boolean;
  out: {
    send(kind: 'tiles' | 'video' | 'cursor', payload: Uint8Array): void;
    buffered(): number;
    drained(): Promise<void>;
  };
}

/** The pointer's place is not told while more than this waits to leave: the next one will do. */
const maxBuffered = 64 * 1_024;

/** A display that hangs does not keep the session from ending: what it holds is freed if it ever answers. */
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
    setQuality: (quality) => encoder.setQuality(quality),
    async close() {
      const closing = (async () => {
        await streamer?.stop();
        // Not before: what is under way reads from its memory.
        capture.close();
        encoder.close();
      })();
      await Promise.race([closing, pause(closeTimeoutMs, undefined, { ref: false })]);
    },
  };
}

/** The monitor that is shown, and its part of the screen. `requested`: -1 for all, undefined for the main one. */
export function chooseMonitor(
  {
    width,
    height,
    monitors,
  }: { width: number; height: number; monitors: readonly (Box & { primary: boolean })[] },
  requested: number | undefined,
): { current: number; box: Box } {
  const all = { current: -1, box: { x: 0, y: 0, width, height } };
  if (requested === -1) return all;
  const main = monitors.findIndex(({ primary }) => primary);
  const current = requested !== undefined && monitors[requested] ? requested : Math.max(main, 0);
  const monitor = monitors[current];
  if (!monitor) return all;
  const [x, y] = [Math.min(monitor.x, width - 1), Math.min(monitor.y, height - 1)];
  return {
    current,
    box: { x, y, width: Math.min(monitor.width, width - x), height: Math.min(monitor.height, height - y) },
  };
}
