/** Shows the device's pointer: as the shape of the local pointer while it is used, otherwise drawn over the screen. */
import type { CursorUpdate } from '@drawbridge/contract/session/screen-frames';
import { isShapeFit } from './picture-limits.ts';
import type { RemoteSession } from '@drawbridge/session/operator/session';

export interface CursorOptions {
  session: Pick<RemoteSession, 'on'>;
  canvas: HTMLCanvasElement;
  overlay: HTMLImageElement;
  /** The position that was last sent to the device; undefined when the local pointer does not move the device's. */
  localPointer(): { x: number; y: number } | undefined;
  /** Where the corner of the canvas is in the picture; by default it shows the whole picture. */
  origin?(): { x: number; y: number };
  /** The pointer as it is now, if it is known. */
  cursor?: CursorUpdate | undefined;
}

/** Browsers ignore larger cursor images. */
const maxShapeSide = 128;
/** Closer than this, the device's pointer and the local one count as the same. */
const nearPixels = 12;
/** The time until the device reports a movement of the local pointer. */
const reportDelayMs = 700;

type Shape = NonNullable<CursorUpdate['shape']>;

interface CursorState extends CursorOptions {
  position: { x: number; y: number };
  hotspot: { x: number; y: number };
  /** An object URL; empty when there is nothing to draw. */
  shapeUrl: string;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export function showCursor(options: CursorOptions): { refresh(): void; close(): void } {
  const state: CursorState = {
    ...options,
    position: { x: 0, y: 0 },
    hotspot: { x: 0, y: 0 },
    shapeUrl: '',
    timer: undefined,
  };
  const show = ({ x, y, shape }: CursorUpdate): void => {
    state.position = { x, y };
    if (shape) applyShape(state, shape);
    refresh(state);
  };
  if (options.cursor) show(options.cursor);
  const unsubscribe = options.session.on('cursor', show);
  return {
    refresh: () => refresh(state),
    close() {
      unsubscribe();
      clearTimeout(state.timer);
      URL.revokeObjectURL(state.shapeUrl);
    },
  };
}

function applyShape(state: CursorState, shape: Shape): void {
  const { canvas, overlay } = state;
  URL.revokeObjectURL(state.shapeUrl);
  state.hotspot = { x: shape.hotX, y: shape.hotY };
  const isHidden = shape.png.length === 0 || shape.width === 0;
  if (isHidden || !isShapeFit(shape.png)) {
    state.shapeUrl = '';
    overlay.removeAttribute('src');
    canvas.style.cursor = isHidden ? 'none' : 'default';
    return;
  }
  const image = new Blob([shape.png as Uint8Array<ArrayBuffer>], { type: 'image/png' });
  state.shapeUrl = URL.createObjectURL(image);
  overlay.src = state.shapeUrl;
  const fits = Math.max(shape.width, shape.height) <= maxShapeSide;
  canvas.style.cursor = fits ? `url("${state.shapeUrl}") ${shape.hotX} ${shape.hotY}, default` : 'default';
}

function draw({ canvas, overlay, localPointer, origin, position, hotspot, shapeUrl }: CursorState): void {
  const local = localPointer();
  const isLocal = local && Math.hypot(local.x - position.x, local.y - position.y) < nearPixels;
  const corner = origin?.() ?? { x: 0, y: 0 };
  const [inX, inY] = [position.x - corner.x, position.y - corner.y];
  const isOutside = inX < 0 || inY < 0 || inX >= canvas.width || inY >= canvas.height;
  overlay.hidden = isLocal === true || isOutside || shapeUrl === '';
  const scale = canvas.clientWidth / canvas.width;
  const [x, y] = [
    canvas.offsetLeft + (inX - hotspot.x) * scale,
    canvas.offsetTop + (inY - hotspot.y) * scale,
  ];
  overlay.style.transform = `translate(${x}px, ${y}px)`;
}

/** Waits while the local pointer moves, because the device's reports lag behind it. */
function refresh(state: CursorState): void {
  clearTimeout(state.timer);
  if (state.localPointer()) state.timer = setTimeout(draw, reportDelayMs, state);
  else draw(state);
}
