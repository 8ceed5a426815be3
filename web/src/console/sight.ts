/** How large the picture is shown: fitted into the window, pixel by pixel, and closer when fingers ask for it. */

export type Mode = 'fit' | 'original';

export interface Sight {
  mode: Mode;
  /** Times closer, with this point of the window staying where it is. */
  zoomBy(factor: number, at: { x: number; y: number }): void;
  /** Moves the picture below the window. */
  panBy(x: number, y: number): void;
  /** Anew, as after a change of the window or of the picture. */
  apply(): void;
  /** Pixels of the device there is room for. */
  room(): { width: number; height: number };
}

const closest = 6;

/** `changed` is called whenever the picture has another place or size. */
export function createSight(stage: HTMLElement, canvas: HTMLCanvasElement, changed: () => void): Sight {
  let mode: Mode = 'fit';
  let zoom = 1;
  const scale = (): number => {
    const fitted = Math.min(stage.clientWidth / canvas.width, stage.clientHeight / canvas.height);
    return (mode === 'fit' ? fitted : 1 / devicePixelRatio) * zoom;
  };
  const apply = (): void => {
    const factor = scale();
    canvas.style.width = `${canvas.width * factor}px`;
    canvas.style.height = `${canvas.height * factor}px`;
    stage.classList.toggle('sharp', mode === 'original' && zoom === 1);
    // Without bars that would take room from what was just fitted.
    stage.classList.toggle('fitted', mode === 'fit' && zoom === 1);
    changed();
  };
  new ResizeObserver(apply).observe(stage);
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
      zoom = Math.min(closest, Math.max(1, zoom * factor));
      apply();
      const after = canvas.getBoundingClientRect();
      stage.scrollBy(after.left + right * after.width - x, after.top + down * after.height - y);
    },
    panBy: (x, y) => stage.scrollBy(x, y),
    apply,
    room: () => ({
      width: Math.round(stage.clientWidth * devicePixelRatio),
      height: Math.round(stage.clientHeight * devicePixelRatio),
    }),
  };
}
