/** Turns touch gestures on the screen into mouse input and zoom. */
import type { Clock } from '@drawbridge/session/ports';
import type { Viewport } from '../screen/viewport.ts';
import type { ScreenPoint } from './geometry.ts';
import { createGestureRecognizer, type Finger, type GestureListener } from './gestures.ts';
import type { RemoteInput } from './remote-input.ts';

export interface TouchOptions {
  /** Around the canvas, which is small on a phone: two fingers seldom fit into it. */
  container: HTMLElement;
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

/** Whether fingers are the main pointer, as on phones and tablets. */
export const isTouchScreen = (): boolean => matchMedia('(pointer: coarse)').matches;

export function listenToTouch(options: TouchOptions): void {
  const { container, after } = options;
  const recognizer = createGestureRecognizer(toMouseInput(options), after);
  const listen = (
    name: 'pointerdown' | 'pointermove' | 'pointerup',
    handle: (finger: Finger) => void,
  ): void =>
    container.addEventListener(name, (event) => {
      if (event.pointerType !== 'touch') return;
      event.preventDefault();
      handle({ id: event.pointerId, x: event.clientX, y: event.clientY });
    });
  listen('pointerdown', recognizer.down);
  listen('pointermove', recognizer.move);
  listen('pointerup', recognizer.up);
  container.addEventListener(
    'pointercancel',
    (event) => event.pointerType === 'touch' && recognizer.cancel(),
  );
}

function toMouseInput({ canvas, input, viewport, toDevice }: TouchOptions): GestureListener {
  const isOnScreen = ({ x, y }: ScreenPoint): boolean => {
    const box = canvas.getBoundingClientRect();
    return x >= box.left && x < box.right && y >= box.top && y < box.bottom;
  };
  const click = (windowPoint: ScreenPoint, button: number): void => {
    if (!isOnScreen(windowPoint)) return;
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
    drag: createDrag(isOnScreen, (windowPoint, isDown) =>
      input.pointer(toDevice(windowPoint), isDown ? left : 0),
    ),
    scroll: (windowPoint, x, y) => input.wheel(toDevice(windowPoint), toSteps(x), toSteps(y)),
    zoom(factor, windowPoint, moved) {
      viewport.zoomBy(factor, windowPoint);
      viewport.panBy(moved.x, moved.y);
    },
  };
}

/** A drag counts if it begins on the screen, wherever it leads. */
function createDrag(
  isOnScreen: (windowPoint: ScreenPoint) => boolean,
  send: GestureListener['drag'],
): GestureListener['drag'] {
  let counts: boolean | undefined;
  return (windowPoint, isDown) => {
    counts ??= isOnScreen(windowPoint);
    if (counts) send(windowPoint, isDown);
    if (!isDown) counts = undefined;
  };
}
