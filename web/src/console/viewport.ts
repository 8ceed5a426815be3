/** How large the picture is shown: fitted into the window, pixel by pixel, and closer when fingers ask for it. */

export type ScaleMode = 'fit' | 'original';

export interface Viewport {
  mode: ScaleMode;
  /** Times closer, with this point of the window staying where it is. */
  zoomBy(factor: number, at: { x: number; y: number }): void;
  /** Moves the picture below the window. */
  panBy(x: number, y: number): void;
  /** Anew, as after a change of the window or of the picture. */
  apply(): void;
  /** Pixels of the device there is room for. */
  pixelSize(): { width: number; height: number };
}

const maxZoom = 6;

/** `changed` is called whenever the picture has another place or size. */
export function createViewport(
  container: HTMLElement,
  canvas: HTMLCanvasElement,
  changed: () => void,
): Viewport {
  let mode: ScaleMode = 'fit';
  let zoom = 1;
  const scale = (): number => {
    const fitted = Math.min(container.clientWidth / canvas.width, container.clientHeight / canvas.height);
    return (mode === 'fit' ? fitted : 1 / devicePixelRatio) * zoom;
  };
  const apply = (): void => {
    const factor = scale();
    canvas.style.width = `${canvas.width * factor}px`;
    canvas.style.height = `${canvas.height * factor}px`;
    container.classList.toggle('sharp', mode === 'original' && zoom === 1);
    // Without bars that would take room from what was just fitted.
    container.classList.toggle('fitted', mode === 'fit' && zoom === 1);
    changed();
  };
  new ResizeObserver(apply).observe(container);
  return {
    get mode() {
      return mode;
    },
    set mode(next) {
      mode = next;
      zoom = 1;
      apply();
    },
    zoomBy(factor, { x, y }) {
      const before = canvas.getBoundingClientRect();
      const [right, down] = [(x - before.left) / before.width, (y - before.top) / before.height];
      zoom = Math.min(maxZoom, Math.max(1, zoom * factor));
      apply();
      const after = canvas.getBoundingClientRect();
      container.scrollBy(after.left + right * after.width - x, after.top + down * after.height - y);
    },
    panBy: (x, y) => container.scrollBy(x, y),
    apply,
    pixelSize: () => ({
      width: Math.round(container.clientWidth * devicePixelRatio),
      height: Math.round(container.clientHeight * devicePixelRatio),
    }),
  };
}
