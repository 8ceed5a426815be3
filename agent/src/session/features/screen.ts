/** The screen of the device, shown to the operator: which part of it, how well, and again after the display became another. */
import { setTimeout as pause } from 'node:timers/promises';
import { decodeNumber } from '@drawbridge/contract/session/binary-frames';
import { decodeMessage, encodeMessage, type SessionMessage } from '@drawbridge/contract/session/messages';
import type { Desktop } from '../../platform/desktop.ts';
import type { Quality } from '../../screen/quality-profiles.ts';
import { createRateController } from '../../screen/rate-controller.ts';
import { chooseMonitor, openCapturePipeline, type CapturePipeline } from '../../screen/capture-pipeline.ts';
import { malformed } from '../malformed-frame.ts';
import type { FeatureFactory } from '../feature.ts';
import { viewOffsetOf } from '../view-offset.ts';

/** After a display was lost the next one, of whoever logs in, is looked for so often. */
const retryMs = 1_000;
/** A change of monitors comes as several events. */
const debounceMs = 150;
/** A display that does not answer for so long does not keep the session from ending. */
const stopTimeoutMs = 2_000;

interface ViewRequest {
  /** -1: all monitors as one picture; undefined: the main one. */
  monitor: number | undefined;
  quality: Quality;
  isPaused: boolean;
  video: boolean;
}

export const screenFeature: FeatureFactory = (context) => {
  const viewRequest: ViewRequest = { monitor: undefined, quality: 'auto', isPaused: false, video: true };
  const rateController = createRateController();
  const over = new AbortController();
  let number = 0;
  let desktop: Desktop | undefined;
  let pipeline: CapturePipeline | undefined;
  let queue = Promise.resolve();
  let reopenTimer: NodeJS.Timeout | undefined;

  /** One after another: a pipeline is closed before the next one opens. */
  const enqueue = (work: () => Promise<void>): Promise<void> => {
    const done = queue.then(() => (over.signal.aborted ? undefined : work()));
    queue = done.catch(() => undefined);
    return done;
  };

  const open = async (): Promise<void> => {
    await pipeline?.close();
    pipeline = undefined;
    if (!desktop) return;
    const layout = await desktop.layout();
    const { current, box } = chooseMonitor(layout, viewRequest.monitor);
    const { video } = viewRequest;
    const opened = await openCapturePipeline({
      desktop,
      box,
      rateController,
      video,
      out: context,
      number: () => ++number,
      onError,
    });
    if (over.signal.aborted) return opened.close();
    pipeline = opened;
    pipeline.setQuality(viewRequest.quality);
    [viewOffsetOf(context).offsetX, viewOffsetOf(context).offsetY] = [box.x, box.y];
    const { width, height } = box;
    const { monitors, sizes } = layout;
    const word = {
      width,
      height,
      current,
      monitors: [...monitors],
      sizes: [...sizes],
      codec: pipeline.codec,
    };
    context.send('layout', encodeMessage('layout', word));
    pipeline.start();
    pipeline.streamer()?.pause(viewRequest.isPaused);
  };

  const onError = (error: unknown): void => {
    context.log(`the screen cannot be shown: ${error instanceof Error ? error.message : String(error)}`);
    reopenAfter(retryMs);
  };
  /** Tries until it works, as while nobody is logged in, or until the session is over. */
  const reopenAfter = (wait: number): void => {
    clearTimeout(reopenTimer);
    reopenTimer = setTimeout(() => {
      void enqueue(async () => {
        desktop ??= await connect();
        await open();
      }).catch(onError);
    }, wait).unref();
  };
  const connect = async (): Promise<Desktop> => {
    const found = await context.platform.desktop();
    found.onLayout(() => reopenAfter(debounceMs));
    found.onClose(() => {
      if (desktop !== found || over.signal.aborted) return;
      desktop = undefined;
      context.refuse('view', 'The display of the device was closed; the next one will be shown.');
      reopenAfter(retryMs);
    });
    return found;
  };

  const applyView = async ({
    monitor,
    quality,
    paused,
    video,
    fresh,
  }: SessionMessage<'view'>): Promise<void> => {
    const isOther =
      (monitor !== undefined && monitor !== viewRequest.monitor) ||
      (video !== undefined && video !== viewRequest.video);
    if (monitor !== undefined) viewRequest.monitor = monitor;
    if (quality) viewRequest.quality = quality;
    if (paused !== undefined) viewRequest.isPaused = paused;
    if (video !== undefined) viewRequest.video = video;
    if (isOther) return enqueue(open);
    pipeline?.setQuality(viewRequest.quality);
    pipeline?.streamer()?.pause(viewRequest.isPaused);
    if (fresh) pipeline?.streamer()?.refresh();
  };

  return {
    handlers: {
      view: (payload) => applyView(decodeMessage('view', payload) ?? malformed('view')),
      shown(payload) {
        rateController.shown(decodeNumber(payload) ?? malformed('shown'), performance.now());
        pipeline?.streamer()?.wake();
      },
      async resize(payload) {
        const { width, height } = decodeMessage('resize', payload) ?? malformed('resize');
        desktop ??= await connect();
        await desktop.resize(width, height);
      },
    },
    async start() {
      if (!context.permissions.has('agent_connect')) return;
      await enqueue(async () => {
        desktop = await connect();
        await open();
      });
    },
    async stop() {
      over.abort();
      clearTimeout(reopenTimer);
      await Promise.race([queue, pause(stopTimeoutMs, undefined, { ref: false })]);
      await pipeline?.close();
      desktop?.close();
    },
  };
};
