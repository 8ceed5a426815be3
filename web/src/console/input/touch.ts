/** Turns touch gestures on the canvas into mouse input and zoom. */
import type { Clock } from '@drawbridge/session/ports';
import type { Viewport } from '../screen/viewport.ts';
import type { ScreenPoint } from './geometry.ts';
import { createGestureRecognizer, type Finger, type GestureListener } from './gestures.ts';
import type { RemoteInput } from './remote-input.ts';

export interface TouchOptions {
  canvas: HTMLCanvasElement;
  input: RemoteInput;
  viewport: Viewport;
  toDevice(windowPoint: ScreenPoint): ScreenPoint;
  after: Clock['after'];
}

/** Window pixels per wheel notch. */
const notchPixels = 40;
const left = 1;
const right = 4;

export function listenToTouch(options: TouchOptions): void {
  const { canvas, after } = options;
  const recognizer = createGestureRecognizer(toMouseInput(options), after);
  const listen = (
    name: 'pointerdown' | 'pointermove' | 'pointerup',
    handle: (finger: Finger) => void,
  ): void =>
    canvas.addEventListener(name, (event) => {
      if (event.pointerType !== 'touch') return;
      event.preventDefault();
      handle({ id: event.pointerId, x: event.clientX, y: event.clientY });
    });
  listen('pointerdown', recognizer.down);
  listen('pointermove', recognizer.move);
  listen('pointerup', recognizer.up);
  canvas.addEventListener('pointercancel', (event) => event.pointerType === 'touch' && recognizer.cancel());
}

function toMouseInput({ input, viewport, toDevice }: TouchOptions): GestureListener {
  const click = (windowPoint: ScreenPoint, button: number): void => {
    const point = toDevice(windowPoint);
    input.pointer(point, 0);
    input.pointer(point, button);
    input.pointer(point, 0);
  };
  const toSteps = (pixels: number): number => Math.round((pixels / notchPixels) * 120);
  return {
    click: (windowPoint) => click(windowPoint, left),
    rightClick(windowPoint) {
      navigator.vibrate?.(15);
      click(windowPoint, right);
    },
    drag: (windowPoint, isDown) => input.pointer(toDevice(windowPoint), isDown ? left : 0),
    scroll: (windowPoint, x, y) => input.wheel(toDevice(windowPoint), toSteps(x), toSteps(y)),
    zoom(factor, windowPoint, moved) {
      viewport.zoomBy(factor, windowPoint);
      viewport.panBy(moved.x, moved.y);
    },
  };
}
