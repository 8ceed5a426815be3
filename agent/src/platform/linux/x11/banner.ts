/** The window that says who is connected: at the top of the screen, small, with a button that ends it. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Banner } from '../../desktop.ts';
import type { X11Connection } from './connection.ts';
import { paneColours, mainMonitor, openPane, watchMainMonitor, type Pane } from './pane.ts';

const margin = 8;
const stopLabel = 'Stop';

export async function showBanner(connection: X11Connection, text: string): Promise<Banner> {
  let said = text;
  let lines: readonly string[] = [];
  const listeners = new Set<() => void>();
  let monitor = await mainMonitor(connection);
  const pane = await openPane(
    connection,
    { ...place(monitor), title: 'Drawbridge' },
    ({ painter, window }) => {
      painter.fill(window, paneColours.background, {
        x: 0,
        y: 0,
        width: monitor.width,
        height: monitor.height,
      });
      lines.forEach((line, index) =>
        painter.write(
          window,
          { foreground: paneColours.foreground, background: paneColours.background },
          { x: margin, y: margin + index * painter.lineHeight },
          line,
        ),
      );
    },
  );
  const fit = (): void => {
    lines = linesOf(pane, said, monitor);
    const { box, stop } = measure(pane, lines, monitor);
    pane.place(box);
    const press = (): void => listeners.forEach((tell) => tell());
    pane.setButtons([{ ...stop, label: stopLabel, colour: paneColours.red, press }]);
    pane.redraw();
  };
  fit();
  // An operator can change the size of the screen, but not push the banner off it.
  const stopWatching = watchMainMonitor(connection, (now) => {
    monitor = now;
    fit();
  });
  return {
    onStop: (listener) => void listeners.add(listener),
    setText(next) {
      said = next;
      fit();
    },
    close() {
      stopWatching();
      pane.close();
    },
  };
}

/** Where it begins, before it is known how large it must be. */
const place = ({ x, y }: Box): Box => ({ x, y, width: 1, height: 1 });

const stopWidth = ({ painter }: Pane): number => painter.widthOf(stopLabel) + 4 * margin;

/** Everybody is named: what is too wide goes on in the next line, and only what is too high for the screen is counted. */
function linesOf(pane: Pane, text: string, monitor: Box): string[] {
  const lines = pane.painter.wrap(text, monitor.width - stopWidth(pane) - 3 * margin);
  const most = Math.max(2, Math.floor((monitor.height - 2 * margin) / pane.painter.lineHeight));
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `and ${lines.length - most + 1} more lines`];
}

function measure(pane: Pane, lines: readonly string[], monitor: Box): { box: Box; stop: Box } {
  const { painter } = pane;
  const textWidth = Math.max(...lines.map((line) => painter.widthOf(line)));
  const wide = stopWidth(pane);
  const width = Math.min(textWidth + wide + 3 * margin, monitor.width);
  const height = lines.length * painter.lineHeight + 2 * margin;
  const x = monitor.x + Math.floor((monitor.width - width) / 2);
  const stop = { x: width - wide - margin / 2, y: margin / 2, width: wide, height: height - margin };
  return { box: { x, y: monitor.y, width, height }, stop };
}
