/** The screen of the device, shown to the operator: which part of it, how well, and again after the display became another. */
import { setTimeout as pause } from 'node:timers/promises';
import { decodeNumber } from '@drawbridge/contract/session/binary-frames';
import { decodeMessage, encodeMessage, type SessionMessage } from '@drawbridge/contract/session/messages';
import type { Desktop } from '../../platform/desktop.ts';
import type { Quality } from '../../screen/quality-profiles.ts';
import { createRateController } from '../../screen/rate-controller.ts';
import { chooseMonitor, openScene, type Scene } from '../../screen/scene.ts';
import { malformed } from '../malformed-frame.ts';
import type { FeatureFactory } from '../feature.ts';
import { viewOffsetOf } from '../view-offset.ts';

/** After a display was lost the next one, of whoever logs in, is looked for so often. */
const retryMs = 1_000;
/** A change of monitors comes as several events. */
const debounceMs = 150;
/** A display that does not answer for so long does not keep the session from ending. */
const stopTimeoutMs = 2_000;

interface Wish {
  /** -1: all monitors as one picture; undefined: the main one. */
  monitor: number | undefined;
  quality: Quality;
  isPaused: boolean;
  video: boolean;
}

export const screenFeature: FeatureFactory = (context) => {
  const wish: Wish = { monitor: undefined, quality: 'auto', isPaused: false, video: true };
  const rateController = createRateController();
  const over = new AbortController();
  let number = 0;
  let desktop: Desktop | undefined;
  let scene: Scene | undefined;
  let turn = Promise.resolve();
  let settling: NodeJS.Timeout | undefined;

  /** One after another: a scene is closed before the next one opens. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = turn.then(() => (over.signal.aborted ? undefined : work()));
    turn = done.catch(() => undefined);
    return done;
  };

  const open = async (): Promise<void> => {
    await scene?.close();
    scene = undefined;
    if (!desktop) return;
    const layout = await desktop.layout();
    const { current, box } = chooseMonitor(layout, wish.monitor);
    const { video } = wish;
    const opened = await openScene({
      desktop,
      box,
      rateController,
      video,
      out: context,
      number: () => ++number,
      onTrouble,
    });
    if (over.signal.aborted) return opened.close();
    scene = opened;
    scene.setQuality(wish.quality);
    [viewOffsetOf(context).offsetX, viewOffsetOf(context).offsetY] = [box.x, box.y];
    const { width, height } = box;
    const { monitors, sizes } = layout;
    const told = { width, height, current, monitors: [...monitors], sizes: [...sizes], codec: scene.codec };
    context.send('layout', encodeMessage('layout', told));
    scene.start();
    scene.show()?.pause(wish.isPaused);
  };

  const onTrouble = (error: unknown): void => {
    context.log(`the screen cannot be shown: ${error instanceof Error ? error.message : String(error)}`);
    reopenAfter(retryMs);
  };
  /** Tries until it works, as while nobody is logged in, or until the session is over. */
  const reopenAfter = (wait: number): void => {
    clearTimeout(settling);
    settling = setTimeout(() => {
      void inTurn(async () => {
        desktop ??= await connect();
        await open();
      }).catch(onTrouble);
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

  const look = async ({ monitor, quality, paused, video, fresh }: SessionMessage<'view'>): Promise<void> => {
    const isOther =
      (monitor !== undefined && monitor !== wish.monitor) || (video !== undefined && video !== wish.video);
    if (monitor !== undefined) wish.monitor = monitor;
    if (quality) wish.quality = quality;
    if (paused !== undefined) wish.isPaused = paused;
    if (video !== undefined) wish.video = video;
    if (isOther) return inTurn(open);
    scene?.setQuality(wish.quality);
    scene?.show()?.pause(wish.isPaused);
    if (fresh) scene?.show()?.fresh();
  };

  return {
    handlers: {
      view: (payload) => look(decodeMessage('view', payload) ?? malformed('view')),
      shown(payload) {
        rateController.shown(decodeNumber(payload) ?? malformed('shown'), performance.now());
        scene?.show()?.wake();
      },
      async resize(payload) {
        const { width, height } = decodeMessage('resize', payload) ?? malformed('resize');
        desktop ??= await connect();
        await desktop.resize(width, height);
      },
    },
    async start() {
      if (!context.permissions.has('agent_connect')) return;
      await inTurn(async () => {
        desktop = await connect();
        await open();
      });
    },
    async stop() {
      over.abort();
      clearTimeout(settling);
      await Promise.race([turn, pause(stopTimeoutMs, undefined, { ref: false })]);
      await scene?.close();
      desktop?.close();
    },
  };
};
