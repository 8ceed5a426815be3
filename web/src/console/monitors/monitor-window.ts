/** A window of its own for one monitor: it shows a part of the picture of all monitors, and takes input for it. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { openPanelWindow, type PanelWindow } from '../panels/panel-window.ts';
import type { RemoteScreen } from '../screen/remote-screen.ts';
import { createScreenView, type ScreenViewOptions } from '../screen/screen-view.ts';

export interface MonitorWindow extends PanelWindow {
  isVisible(): boolean;
  /** Shows this part of the picture. */
  show(part: Box): void;
}

export interface MonitorWindowOptions extends Omit<ScreenViewOptions, 'screen' | 'origin'> {
  screen: RemoteScreen;
  title: string;
  part: Box;
  onClose(): void;
  /** Called when the window became visible or invisible. */
  onVisibility(): void;
}

/** Returns undefined if the browser does not allow the window. */
export function openMonitorWindow(options: MonitorWindowOptions): MonitorWindow | undefined {
  const { title, screen, onVisibility } = options;
  let { part } = options;
  const stops: (() => void)[] = [];
  const opened = openPanelWindow({
    title,
    width: part.width / devicePixelRatio,
    height: part.height / devicePixelRatio,
    onClose() {
      for (const stop of stops) stop();
      options.onClose();
    },
  });
  if (!opened) return undefined;
  const canvas = document.createElement('canvas');
  const view = createScreenView({
    ...options,
    screen: { canvas, onLayout: () => {} },
    origin: () => part,
  });
  opened.container.append(view.element);
  const own = opened.container.ownerDocument;
  own.addEventListener('visibilitychange', onVisibility);
  own.defaultView!.addEventListener('resize', view.viewport.apply);
  const draw = drawPart(screen.canvas, canvas, () => part);
  stops.push(
    screen.onPicture(() => draw(own.defaultView)),
    view.close,
  );
  return {
    ...opened,
    isVisible: () => !own.hidden,
    show(next) {
      part = next;
      [canvas.width, canvas.height] = [part.width, part.height];
      view.viewport.apply();
      draw(own.defaultView);
    },
  };
}

/** Returns a function that draws the part once, before the window is painted the next time. */
function drawPart(
  from: HTMLCanvasElement,
  to: HTMLCanvasElement,
  part: () => Box,
): (own: Window | null) => void {
  const context = to.getContext('2d', { alpha: false })!;
  let isScheduled = false;
  return (own) => {
    if (isScheduled || !own) return;
    isScheduled = true;
    own.requestAnimationFrame(() => {
      isScheduled = false;
      const { x, y, width, height } = part();
      context.drawImage(from, x, y, width, height, 0, 0, width, height);
    });
  };
}
