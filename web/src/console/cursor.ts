/** The device's pointer: as the shape of one's own where one holds the mouse, and drawn over the picture where one does not. */
import type { CursorUpdate } from '@drawbridge/contract/session/screen-frames';
import { isShapeFit } from './picture-limits.ts';
import type { RemoteSession } from '../session/session.ts';

export interface CursorOptions {
  session: Pick<RemoteSession, 'on'>;
  canvas: HTMLCanvasElement;
  overlay: HTMLImageElement;
  /** Where one's own pointer was sent last, if it moves the device's. */
  localPointer(): { x: number; y: number } | undefined;
}

/** Browsers take no larger ones. */
const largestShape = 128;
/** Nearer than this, the device's pointer is one's own. */
const nearPixels = 12;
/** One's own pointer needs this long to arrive and be reported. */
const arrivalMs = 700;

type Shape = NonNullable<CursorUpdate['shape']>;

export function showCursor({ session, canvas, overlay, localPointer }: CursorOptions): {
  refresh(): void;
} {
  let position = { x: 0, y: 0 };
  let hotspot = { x: 0, y: 0 };
  let shapeUrl = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  const applyShape = (shape: Shape): void => {
    URL.revokeObjectURL(shapeUrl);
    hotspot = { x: shape.hotX, y: shape.hotY };
    const isHidden = shape.png.length === 0 || shape.width === 0;
    if (isHidden || !isShapeFit(shape.png)) {
      shapeUrl = '';
      overlay.removeAttribute('src');
      canvas.style.cursor = isHidden ? 'none' : 'default';
      return;
    }
    shapeUrl = URL.createObjectURL(new Blob([shape.png as Uint8Array<ArrayBuffer>], { type: 'image/png' }));
    overlay.src = shapeUrl;
    const fits = Math.max(shape.width, shape.height) <= largestShape;
    canvas.style.cursor = fits ? `url("${shapeUrl}") ${shape.hotX} ${shape.hotY}, default` : 'default';
  };
  const draw = (): void => {
    const mine = localPointer();
    const isMine = mine && Math.hypot(mine.x - position.x, mine.y - position.y) < nearPixels;
    overlay.hidden = isMine === true || shapeUrl === '';
    const scale = canvas.clientWidth / canvas.width;
    const [x, y] = [
      canvas.offsetLeft + (position.x - hotspot.x) * scale,
      canvas.offsetTop + (position.y - hotspot.y) * scale,
    ];
    overlay.style.transform = `translate(${x}px, ${y}px)`;
  };
  /** While one's own pointer moves, the device's is always a little behind. */
  const refresh = (): void => {
    clearTimeout(timer);
    if (localPointer()) timer = setTimeout(draw, arrivalMs);
    else draw();
  };
  session.on('cursor', ({ x, y, shape }) => {
    position = { x, y };
    if (shape) applyShape(shape);
    refresh();
  });
  return { refresh };
}
