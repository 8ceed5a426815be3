/** The agent's windows on a compositor with layer-shell: surfaces of the topmost layer, above all windows of the person. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import {
  buttonAt,
  drawButton,
  type Pane,
  type PaneButton,
  type PaneKey,
  type PaneScreen,
  type PaneShape,
} from '../../../panes/pane.ts';
import { wrapText } from '../../../panes/wrap-text.ts';
import { NotPossible } from '../../../platform.ts';
import { loadTextBitmaps, type TextBitmaps } from '../../x11/fonts/text-bitmaps.ts';
import { fillBox, putBitmap } from './canvas.ts';
import type { CompositorContext } from './context.ts';
import { createLayerSurfaces, type LayerSurface, type LayerSurfaces } from './layer-surface.ts';
import type { PlacedOutput } from './outputs.ts';
import { createPaneKeyboard } from './pane-keyboard.ts';
import { watchSeat, type SeatEvents } from './seat-events.ts';

const leading = 4;
export const noFont =
  'The person at the device cannot be told who is connected, because the device has no TrueType font. Install one, such as the package fonts-dejavu-core.';

interface PaneDeps {
  surfaces: LayerSurfaces;
  seatEvents: SeatEvents;
  bitmaps: TextBitmaps;
  mainOutput(): PlacedOutput;
}

export async function createPaneScreen(context: CompositorContext): Promise<PaneScreen> {
  const { connection, outputs } = context;
  const bitmaps = await loadTextBitmaps();
  if (!bitmaps) throw new NotPossible(noFont);
  const mainOutput = (): PlacedOutput => {
    const [first] = outputs.list();
    if (!first) throw new NotPossible('No monitor of the device is switched on.');
    return first;
  };
  const boxOf = ({ logical: { width, height } }: PlacedOutput): Box => ({ x: 0, y: 0, width, height });
  const listeners = new Set<(monitor: Box) => void>();
  outputs.onChange(() => {
    const [first] = outputs.list();
    if (first) for (const listener of listeners) listener(boxOf(first));
  });
  const deps: PaneDeps = {
    surfaces: createLayerSurfaces(context),
    seatEvents: await watchSeat(context),
    bitmaps,
    mainOutput,
  };
  return {
    mainMonitor: async () => boxOf(mainOutput()),
    watchMainMonitor(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    openPane: async (shape, draw) => openPane(deps, shape, draw),
    onClose: (listener) => connection.onClose(listener),
  };
}

async function openPane(deps: PaneDeps, shape: PaneShape, draw: (pane: Pane) => void): Promise<Pane> {
  const { surfaces, seatEvents, bitmaps, mainOutput } = deps;
  let buttons: readonly PaneButton[] = [];
  let [onKey, onPress]: [(key: PaneKey) => void, () => void] = [() => {}, () => {}];
  const surface: LayerSurface = surfaces.open(mainOutput().object, shape, () => redraw());
  const redraw = (): void =>
    surface.paint(() => {
      draw(pane);
      for (const button of buttons) drawButton(pane, button);
    });
  const keyboard = createPaneKeyboard(surface);
  const stopWatching = seatEvents.watch(surface.object, {
    onKey: (key) => keyboard.acceptKey() && onKey(key),
    onPress(x, y) {
      onPress();
      buttonAt(buttons, x, y)?.press();
    },
  });
  const pane: Pane = {
    ...painterOf(surface, bitmaps),
    place: surface.place,
    visibleMs: surface.visibleMs,
    setButtons: (changed) => void (buttons = changed),
    redraw,
    onKey: (listener) => void (onKey = listener),
    onPress: (listener) => void (onPress = listener),
    focus: keyboard.take,
    blur: keyboard.giveBack,
    close() {
      keyboard.giveBack();
      stopWatching();
      surface.close();
    },
  };
  return pane;
}

const painterOf = (
  surface: LayerSurface,
  bitmaps: TextBitmaps,
): Pick<Pane, 'lineHeight' | 'widthOf' | 'wrap' | 'fill' | 'write'> => ({
  lineHeight: bitmaps.height + leading,
  widthOf: bitmaps.widthOf,
  wrap: (text, width) => wrapText(text, width, bitmaps.widthOf),
  fill: (colour, box) => fillBox(surface.canvas(), colour, box),
  write: (colours, { x, y }, text) =>
    putBitmap(surface.canvas(), bitmaps.draw(colours, text), { x, y: y + leading / 2 }),
});
