/** Sends mouse and pen input over the canvas to the device. */
import { toButtons, toNotches, type ScreenPoint } from './geometry.ts';
import type { RemoteInput } from './remote-input.ts';

export function listenToPointer(
  canvas: HTMLCanvasElement,
  input: RemoteInput,
  toDevice: (windowPoint: ScreenPoint) => ScreenPoint,
): void {
  /** Browsers report a second button as a move, so every event sends the full button mask. */
  const sendPointer = (event: PointerEvent): void => {
    if (event.pointerType === 'touch') return;
    input.pointer(toDevice({ x: event.clientX, y: event.clientY }), toButtons(event.buttons));
  };
  canvas.addEventListener('pointerdown', (event) => {
    // The capture keeps a drag that leaves the canvas.
    if (event.pointerType !== 'touch') canvas.setPointerCapture(event.pointerId);
    sendPointer(event);
  });
  for (const name of ['pointermove', 'pointerup', 'pointercancel'] as const)
    canvas.addEventListener(name, sendPointer);
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
