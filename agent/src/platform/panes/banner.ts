/** The banner that shows who is connected: a small window at the top of the screen with a button to stop. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Banner } from '../desktop.ts';
import { paneColours, type Pane, type PaneScreen } from './pane.ts';

const margin = 8;
const stopLabel = 'Stop';

interface State {
  text: string;
  lines: readonly string[];
  monitor: Box;
  stopListeners: Set<() => void>;
}

export async function showBanner(screen: PaneScreen, text: string): Promise<Banner> {
  const monitor = await screen.mainMonitor();
  const state: State = { text, lines: [], monitor, stopListeners: new Set() };
  const shape = { ...initialBox(monitor), title: 'Drawbridge', isPlacedLater: true };
  const pane = await screen.openPane(shape, (own) => draw(own, state));
  fit(pane, state);
  // An operator can change the size of the screen, but must not push the banner off it.
  const stopWatching = screen.watchMainMonitor((changed) => {
    state.monitor = changed;
    fit(pane, state);
  });
  return {
    onStop: (listener) => void state.stopListeners.add(listener),
    setText(changed) {
      state.text = changed;
      fit(pane, state);
    },
    close() {
      stopWatching();
      pane.close();
    },
  };
}

function draw(pane: Pane, { lines, monitor: { width, height } }: State): void {
  pane.fill(paneColours.background, { x: 0, y: 0, width, height });
  lines.forEach((line, index) =>
    pane.write(
      { foreground: paneColours.foreground, background: paneColours.background },
      { x: margin, y: margin + index * pane.lineHeight },
      line,
    ),
  );
}

/** Wraps the text and sets size, position and button of the banner. */
function fit(pane: Pane, state: State): void {
  state.lines = linesOf(pane, state.text, state.monitor);
  const { box, stop } = measure(pane, state.lines, state.monitor);
  pane.place(box);
  const press = (): void => state.stopListeners.forEach((listener) => listener());
  pane.setButtons([{ ...stop, label: stopLabel, colour: paneColours.red, press }]);
  pane.redraw();
}

/** The box before the size of the text is known. */
const initialBox = ({ x, y }: Box): Box => ({ x, y, width: 1, height: 1 });

const stopWidth = (pane: Pane): number => pane.widthOf(stopLabel) + 4 * margin;

/** Wraps long lines, so that everyone is named; lines that do not fit on the screen are only counted. */
function linesOf(pane: Pane, text: string, monitor: Box): string[] {
  const lines = pane.wrap(text, monitor.width - stopWidth(pane) - 3 * margin);
  const maxLines = Math.max(2, Math.floor((monitor.height - 2 * margin) / pane.lineHeight));
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines - 1), `and ${lines.length - maxLines + 1} more lines`];
}

function measure(pane: Pane, lines: readonly string[], monitor: Box): { box: Box; stop: Box } {
  const textWidth = Math.max(...lines.map((line) => pane.widthOf(line)));
  const buttonWidth = stopWidth(pane);
  const width = Math.min(textWidth + buttonWidth + 3 * margin, monitor.width);
  const height = lines.length * pane.lineHeight + 2 * margin;
  const x = monitor.x + Math.floor((monitor.width - width) / 2);
  const stop = {
    x: width - buttonWidth - margin / 2,
    y: margin / 2,
    width: buttonWidth,
    height: height - margin,
  };
  return { box: { x, y: monitor.y, width, height }, stop };
}
