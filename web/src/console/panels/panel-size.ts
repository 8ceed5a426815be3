/** The size of the dock: the operator drags its edge or uses the arrow keys, and each panel keeps its size. */
import { element } from '../../ui/element.ts';
import { consoleTexts } from '../texts.ts';

export interface PanelSize {
  /** The edge that changes the size. */
  edge: HTMLElement;
  /** Applies the size of this panel, or the preferred one. The dock must be visible. */
  apply(panel: { id: string; preferredWidth?(): number }): void;
}

/** The side that changes: the dock is at the right, and on a phone at the bottom. */
type Side = 'width' | 'height';

const minSize = { width: 240, height: 160 } as const;
/** What remains of the screen beside the dock. */
const minScreen = { width: 160, height: 120 } as const;
const keyStep = 16;

const storageKeyOf = (panel: string, side: Side): string => `drawbridge.panel.${panel}.${side}`;
const narrow = (): boolean => matchMedia('(max-width: 640px)').matches;
const currentSide = (): Side => (narrow() ? 'height' : 'width');

/** The nearest size that leaves some of the screen visible. */
export const clampSize = (side: Side, wanted: number, available: number): number =>
  Math.round(Math.max(minSize[side], Math.min(wanted, available - minScreen[side])));

/** The size after a key; undefined for keys that do not change it. The dock grows to the left or to the top. */
export function sizeAfterKey(key: string, size: number): number | undefined {
  const sizes: Record<string, number> = {
    ArrowLeft: size + keyStep,
    ArrowUp: size + keyStep,
    ArrowRight: size - keyStep,
    ArrowDown: size - keyStep,
    Home: 0,
    End: Infinity,
  };
  return sizes[key];
}

interface State {
  dock: HTMLElement;
  edge: HTMLElement;
  panel: string;
}

export function createPanelSize(dock: HTMLElement): PanelSize {
  const edge = element('div', {
    class: 'side-edge',
    role: 'separator',
    tabindex: 0,
    'aria-label': consoleTexts.panels.resize,
    title: consoleTexts.panels.resize,
  });
  const state: State = { dock, edge, panel: '' };
  edge.addEventListener('pointerdown', (event) => drag(state, event));
  edge.addEventListener('keydown', (event) => {
    const wanted = sizeAfterKey(event.key, sizeOf(state));
    if (wanted === undefined) return;
    event.preventDefault();
    choose(state, wanted);
  });
  edge.addEventListener('focus', () => describe(state));
  return {
    edge,
    apply({ id, preferredWidth }) {
      state.panel = id;
      for (const side of ['width', 'height'] as const) {
        const stored = Number(localStorage.getItem(storageKeyOf(id, side)));
        setSize(state, side, stored > 0 ? stored : side === 'width' ? preferredWidth?.() : undefined);
      }
      describe(state);
    },
  };
}

const sizeOf = ({ dock }: State): number => dock.getBoundingClientRect()[currentSide()];

const availableFor = ({ dock }: State): number => dock.parentElement!.getBoundingClientRect()[currentSide()];

/** The style sheet limits the size to the window, so that a larger one returns with a larger window. */
function setSize({ dock }: State, side: Side, size: number | undefined): void {
  if (size === undefined) dock.style.removeProperty(`--panel-${side}`);
  else dock.style.setProperty(`--panel-${side}`, `${size}px`);
}

function choose(state: State, wanted: number): void {
  const side = currentSide();
  const size = clampSize(side, wanted, availableFor(state));
  setSize(state, side, size);
  localStorage.setItem(storageKeyOf(state.panel, side), String(size));
  describe(state);
}

function describe(state: State): void {
  const side = currentSide();
  const values = {
    'aria-orientation': side === 'width' ? 'vertical' : 'horizontal',
    'aria-valuemin': minSize[side],
    'aria-valuemax': clampSize(side, Infinity, availableFor(state)),
    'aria-valuenow': Math.round(sizeOf(state)),
  };
  for (const [name, value] of Object.entries(values)) state.edge.setAttribute(name, String(value));
}

function drag(state: State, down: PointerEvent): void {
  if (down.button !== 0) return;
  down.preventDefault();
  const { edge } = state;
  const positionOf = ({ clientX, clientY }: PointerEvent): number =>
    currentSide() === 'width' ? clientX : clientY;
  const [from, before] = [positionOf(down), sizeOf(state)];
  const move = (event: PointerEvent): void => choose(state, before + from - positionOf(event));
  edge.setPointerCapture(down.pointerId);
  edge.addEventListener('pointermove', move);
  edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), {
    once: true,
  });
}
