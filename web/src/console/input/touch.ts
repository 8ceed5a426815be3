/** Fingers on the picture. */
import type { Clock } from '../../session/clock.ts';
import type { Viewport } from '../viewport.ts';
import type { Spot } from './geometry.ts';
import { createFingers, type Finger } from './gestures.ts';
import type { RemoteInput } from './remote-input.ts';

export interface TouchOptions {
  canvas: HTMLCanvasElement;
  input: RemoteInput;
  viewport: Viewport;
  at(place: Spot): Spot;
  after: Clock['after'];
}

/** Window pixels that fingers move for a notch. */
const notchPixels = 40;
const left = 1;
const right = 4;

export function listenToTouch({ canvas, input, viewport, at, after }: TouchOptions): void {
  const click = (place: Spot, button: number): void => {
    const spot = at(place);
    input.pointer(spot, 0);
    input.pointer(spot, button);
    input.pointer(spot, 0);
  };
  const fingers = createFingers(
    {
      click: (place) => click(place, left),
      rightClick(place) {
        navigator.vibrate?.(15);
        click(place, right);
      },
      drag: (place, isDown) => input.pointer(at(place), isDown ? left : 0),
      scroll: (place, x, y) =>
        input.wheel(at(place), Math.round((x / notchPixels) * 120), Math.round((y / notchPixels) * 120)),
      zoom(factor, place, moved) {
        viewport.zoomBy(factor, place);
        viewport.panBy(moved.x, moved.y);
      },
    },
    after,
  );
  const listen = (name: 'pointerdown' | 'pointermove' | 'pointerup', take: (finger: Finger) => void): void =>
    canvas.addEventListener(name, (event) => {
      if (event.pointerType !== 'touch') return;
      event.preventDefault();
      take({ id: event.pointerId, x: event.clientX, y: event.clientY });
    });
  listen('pointerdown', fingers.down);
  listen('pointermove', fingers.move);
  listen('pointerup', fingers.up);
  canvas.addEventListener('pointercancel', (event) => event.pointerType === 'touch' && fingers.cancel());
}
