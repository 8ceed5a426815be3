/** Shows the device's screen to the operator: the requested monitor and quality, and the new display after a change. */
import { setTimeout as pause } from 'node:timers/promises';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { Desktop } from '../../platform/desktop.ts';
import { NotPossible } from '../../platform/platform.ts';
import type { Quality } from '../../screen/quality-profiles.ts';
import { createRateController, type RateController } from '../../screen/rate-controller.ts';
import { openCapturePipeline, type CapturePipeline } from '../../screen/capture-pipeline.ts';
import { chooseMonitor, followMonitor } from '../../screen/choose-monitor.ts';
import type { FeatureContext, FeatureFactory } from '../feature.ts';
import { viewOffsetOf } from '../view-offset.ts';
import { reopenMs } from './desktop-part.ts';

/** A change of monitors causes several events. */
const debounceMs = 150;
/** A display that hangs must not keep the session open for longer than this. */
const stopTimeoutMs = 2_000;

const unknownReason =
  'The screen cannot be shown at the moment. The log of the agent on the device says why, and the agent tries again every second.';

interface ViewRequest {
  /** -1: all monitors as one picture; undefined: the primary one. */
  monitor: number | undefined;
  quality: Quality;
  isPaused: boolean;
  video: boolean;
  half: boolean;
  h264: boolean;
}

interface State {
  context: FeatureContext;
  viewRequest: ViewRequest;
  rateController: RateController;
  /** Aborted when the session is over. */
  stopped: AbortController;
  frameNumber: number;
  /** The operator has said what it wants to see. */
  isRequested: boolean;
  /** The name of the monitor that the operator chose and sees: numbers change when another monitor is removed. */
  shownMonitor: string | undefined;
  desktop: Desktop | undefined;
  /** Shared, because a change of the size does not wait for the queue. */
  connecting: Promise<Desktop> | undefined;
  pipeline: CapturePipeline | undefined;
  queue: Promise<void>;
  reopenTimer: NodeJS.Timeout | undefined;
  /** Why the screen could not be shown at the last attempt, so that the operator is told once. */
  whyNotShown: string | undefined;
  /** The reason of that attempt as it was logged, so that each is logged once. */
  loggedReason: string | undefined;
}

const createState = (context: FeatureContext): State => ({
  context,
  viewRequest: {
    monitor: undefined,
    quality: 'auto',
    isPaused: false,
    video: true,
    half: false,
    h264: false,
  },
  rateController: createRateController(),
  stopped: new AbortController(),
  frameNumber: 0,
  isRequested: false,
  shownMonitor: undefined,
  desktop: undefined,
  connecting: undefined,
  pipeline: undefined,
  queue: Promise.resolve(),
  reopenTimer: undefined,
  whyNotShown: undefined,
  loggedReason: undefined,
});

export const screenFeature: FeatureFactory = (context) => {
  const state = createState(context);
  return {
    handlers: {
      view: (payload) => applyView(state, payload),
      shown(payload) {
        state.rateController.shown(payload, performance.now());
        state.pipeline?.streamer()?.wake();
      },
      async resize(payload) {
        const { width, height } = payload;
        const desktop = state.desktop ?? (await connect(state));
        await desktop.resize(width, height);
      },
    },
    async start() {
      if (!context.permissions.has('agent_connect')) return;
      await show(state);
    },
    async stop() {
      state.stopped.abort();
      clearTimeout(state.reopenTimer);
      await Promise.race([state.queue, pause(stopTimeoutMs, undefined, { ref: false })]);
      await state.pipeline?.close();
      await restoreSize(state);
      state.desktop?.close();
    },
  };
};

/** A display that hangs keeps its size until the next session, or until the agent starts again. */
async function restoreSize({ desktop, context }: State): Promise<void> {
  const restored = desktop?.restoreSize().catch((error: unknown) => context.log(String(error)));
  await Promise.race([restored, pause(stopTimeoutMs, undefined, { ref: false })]);
}

/** Runs one task after the other, so that a pipeline is closed before the next one opens. After a failure all is opened again. */
function enqueue(state: State, work: () => Promise<void>): Promise<void> {
  return (state.queue = state.queue
    .then(() => (state.stopped.signal.aborted ? undefined : work()))
    .catch((error: unknown) => retryAfterError(state, error)));
}

const show = (state: State): Promise<void> =>
  enqueue(state, async () => {
    if (!state.desktop) await connect(state);
    await openPipeline(state);
  });

const connect = (state: State): Promise<Desktop> =>
  (state.connecting ??= openDesktop(state).finally(() => (state.connecting = undefined)));

async function openDesktop(state: State): Promise<Desktop> {
  const { context, stopped } = state;
  const desktop = await context.platform.desktop();
  if (stopped.signal.aborted) {
    desktop.close();
    throw new NotPossible('The session is over.');
  }
  state.desktop = desktop;
  desktop.onLayout(() => reopenAfter(state, debounceMs));
  desktop.onClose((why = 'The display of the device was closed.') => {
    if (state.desktop !== desktop || stopped.signal.aborted) return;
    state.desktop = undefined;
    context.refuse('view', `${why} The next desktop will be shown.`);
    reopenAfter(state, reopenMs);
  });
  desktop.onNote?.((sentence) => context.refuse('view', sentence));
  if (desktop.untold !== undefined)
    context.refuse('view', `${desktop.untold} The policy of this device allows the session nevertheless.`);
  return desktop;
}

async function openPipeline(state: State): Promise<void> {
  const { context, viewRequest, rateController, stopped } = state;
  await state.pipeline?.close();
  state.pipeline = undefined;
  const { desktop } = state;
  if (!desktop) return;
  const layout = await desktop.layout();
  viewRequest.monitor = followMonitor(layout.monitors, viewRequest.monitor, state.shownMonitor);
  const { current, box } = chooseMonitor(layout, viewRequest.monitor);
  state.shownMonitor = viewRequest.monitor === undefined ? undefined : layout.monitors[current]?.name;
  const pipeline = await openCapturePipeline({
    desktop,
    box,
    rateController,
    video: viewRequest.video,
    out: { send: context.sendEncoded, buffered: context.buffered, drained: context.drained },
    number: () => nextFrameNumber(state),
    onError: (error) => retryAfterError(state, error),
  });
  if (stopped.signal.aborted) return pipeline.close();
  state.pipeline = pipeline;
  pipeline.configure(viewRequest);
  [viewOffsetOf(context).offsetX, viewOffsetOf(context).offsetY] = [box.x, box.y];
  const { width, height } = box;
  const { original, monitors, sizes } = layout;
  context.send('layout', {
    width,
    height,
    current,
    monitors: [...monitors],
    sizes: [...sizes],
    codec: pipeline.codec,
    ...(original && { original }),
  });
  pipeline.start();
  pipeline.streamer()?.pause(viewRequest.isPaused);
}

/** A failure after a picture was sent is another one. */
function nextFrameNumber(state: State): number {
  [state.loggedReason, state.whyNotShown] = [undefined, undefined];
  return ++state.frameNumber;
}

function retryAfterError(state: State, error: unknown): void {
  if (state.stopped.signal.aborted) return;
  const reason = error instanceof Error ? error.message : String(error);
  const why = error instanceof NotPossible ? reason : unknownReason;
  if (reason !== state.loggedReason) state.context.log(`the screen cannot be shown: ${reason}`);
  if (why !== state.whyNotShown) state.context.refuse('view', why);
  [state.loggedReason, state.whyNotShown] = [reason, why];
  reopenAfter(state, reopenMs);
}

/** Nobody may be logged in yet, or the screen may be locked. */
function reopenAfter(state: State, wait: number): void {
  clearTimeout(state.reopenTimer);
  state.reopenTimer = setTimeout(() => void show(state), wait).unref();
}

async function applyView(state: State, request: SessionMessage<'view'>): Promise<void> {
  const { viewRequest } = state;
  const { monitor, quality, paused, video, half, h264, fresh } = request;
  const needsPipeline =
    (monitor !== undefined && monitor !== viewRequest.monitor) ||
    (video !== undefined && video !== viewRequest.video);
  // The page begins with a request for a fresh picture, but the first one is fresh already.
  const isFirst = !state.isRequested && video !== undefined;
  state.isRequested ||= isFirst;
  if (monitor !== undefined) [viewRequest.monitor, state.shownMonitor] = [monitor, undefined];
  if (quality) viewRequest.quality = quality;
  if (paused !== undefined) viewRequest.isPaused = paused;
  if (video !== undefined) viewRequest.video = video;
  if (half !== undefined) viewRequest.half = half;
  if (h264 !== undefined) viewRequest.h264 = h264;
  if (needsPipeline) return enqueue(state, () => openPipeline(state));
  state.pipeline?.configure(viewRequest);
  state.pipeline?.streamer()?.pause(viewRequest.isPaused);
  if (fresh && !isFirst) state.pipeline?.streamer()?.refresh();
}
