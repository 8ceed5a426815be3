/** The scale of the remote screen: fitted into the window or pixel by pixel, with zoom by touch gestures. */

type ScaleMode = 'fit' | 'original';

export interface Viewport {
  mode: ScaleMode;
  /** Zooms by a factor; the given point of the window keeps its place. */
  zoomBy(factor: number, at: { x: number; y: number }): void;
  /** Scrolls the screen in the window. */
  panBy(x: number, y: number): void;
  /** Applies the scale again, after a change of the window or of the screen. */
  apply(): void;
  /** The size of the window in physical pixels. */
  pixelSize(): { width: number; height: number };
}

const maxZoom = 6;

interface ViewportState {
  container: HTMLElement;
  canvas: HTMLCanvasElement;
  mode: ScaleMode;
  zoom: number;
  onChanged(): void;
}

/** `onChanged` is called when the position or the size of the canvas has changed. */
export function createViewport(
  container: HTMLElement,
  canvas: HTMLCanvasElement,
  onChanged: () => void,
): Viewport {
  const state: ViewportState = { container, canvas, mode: 'fit', zoom: 1, onChanged };
  const apply = (): void => applyScale(state);
  new ResizeObserver(apply).observe(container);
  return {
    get mode() {
      return state.mode;
    },
    set mode(next) {
      state.mode = next;
      state.zoom = 1;
      apply();
    },
    zoomBy: (factor, at) => zoomBy(state, factor, at),
    panBy: (x, y) => container.scrollBy(x, y),
    apply,
    pixelSize: () => ({
      width: Math.round(container.clientWidth * devicePixelRatio),
      height: Math.round(container.clientHeight * devicePixelRatio),
    }),
  };
}

function scaleOf({ container, canvas, mode, zoom }: ViewportState): number {
  const fitted = Math.min(container.clientWidth / canvas.width, container.clientHeight / canvas.height);
  return (mode === 'fit' ? fitted : 1 / devicePixelRatio) * zoom;
}

function applyScale(state: ViewportState): void {
  const { container, canvas, mode, zoom } = state;
  const scale = scaleOf(state);
  canvas.style.width = `${canvas.width * scale}px`;
  canvas.style.height = `${canvas.height * scale}px`;
  container.classList.toggle('sharp', mode === 'original' && zoom === 1);
  // Without scroll bars, which would take space from the fitted screen.
  container.classList.toggle('fitted', mode === 'fit' && zoom === 1);
  state.onChanged();
}

function zoomBy(state: ViewportState, factor: number, { x, y }: { x: number; y: number }): void {
  const { container, canvas } = state;
  const before = canvas.getBoundingClientRect();
  const [right, down] = [(x - before.left) / before.width, (y - before.top) / before.height];
  state.zoom = Math.min(maxZoom, Math.max(1, state.zoom * factor));
  applyScale(state);
  const after = canvas.getBoundingClientRect();
  container.scrollBy(after.left + right * after.width - x, after.top + down * after.height - y);
}
