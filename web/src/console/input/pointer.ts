/** Mouse and pen over the picture. */
import { toButtons, toNotches, type ScreenPoint } from './geometry.ts';
import type { RemoteInput } from './remote-input.ts';

export function listenToPointer(
  canvas: HTMLCanvasElement,
  input: RemoteInput,
  toDevice: (windowPoint: ScreenPoint) => ScreenPoint,
): void {
  /** While one button is down, another one is told as a move: all are looked at alike. */
  const take = (event: PointerEvent): void => {
    if (event.pointerType === 'touch') return;
    input.pointer(toDevice({ x: event.clientX, y: event.clientY }), toButtons(event.buttons));
  };
  canvas.addEventListener('pointerdown', (event) => {
    // What is dragged out of the picture is still held.
    if (event.pointerType !== 'touch') canvas.setPointerCapture(event.pointerId);
    take(event);
  });
  for (const name of ['pointermove', 'pointerup', 'pointercancel'] as const)
    canvas.addEventListener(name, take);
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const { deltaX, deltaY, deltaMode } = event;
      const point = toDevice({ x: event.clientX, y: event.clientY });
      input.wheel(point, toNotches(deltaX, deltaMode), toNotches(deltaY, deltaMode));
    },
    { passive: false },
  );
  for (const name of ['contextmenu', 'dragstart', 'auxclick'] as const)
    canvas.addEventListener(name, (event) => event.preventDefault());
}
