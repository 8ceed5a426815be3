/** The window that says who is connected: at the top of the screen, small, with a button that ends it. */
import type { Box } from '@drawbridge/contract/session/pictures';
import type { Banner } from '../../desktop.ts';
import type { Connection } from './connection.ts';
import { colours, mainMonitor, openPane, type Pane } from './pane.ts';

const margin = 8;
const stopLabel = 'Stop';
const mostLines = 6;

export async function showBanner(connection: Connection, text: string): Promise<Banner> {
  let lines = linesOf(text);
  const listeners = new Set<() => void>();
  const monitor = await mainMonitor(connection);
  const pane = await openPane(connection, { ...place(monitor), title: 'Drawbridge' }, ({ pen, window }) => {
    pen.fill(window, colours.paper, { x: 0, y: 0, width: monitor.width, height: monitor.height });
    lines.forEach((line, index) =>
      pen.write(
        window,
        { ink: colours.ink, paper: colours.paper },
        { x: margin, y: margin + index * pen.lineHeight },
        line,
      ),
    );
  });
  const fit = (): void => {
    const { box, stop } = measure(pane, lines, monitor);
    pane.place(box);
    const press = (): void => listeners.forEach((tell) => tell());
    pane.setButtons([{ ...stop, label: stopLabel, colour: colours.red, press }]);
    pane.redraw();
  };
  fit();
  return {
    onStop: (listener) => void listeners.add(listener),
    say(next) {
      lines = linesOf(next);
      fit();
    },
    close: () => pane.close(),
  };
}

/** Where it begins, before it is known how large it must be. */
const place = ({ x, y }: Box): Box => ({ x, y, width: 1, height: 1 });

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.length <= mostLines
    ? lines
    : [...lines.slice(0, mostLines - 1), `and ${lines.length - mostLines + 1} more`];
}

function measure({ pen }: Pane, lines: readonly string[], monitor: Box): { box: Box; stop: Box } {
  const textWidth = Math.max(...lines.map((line) => pen.widthOf(line)));
  const stopWidth = pen.widthOf(stopLabel) + 4 * margin;
  const width = Math.min(textWidth + stopWidth + 3 * margin, monitor.width);
  const height = lines.length * pen.lineHeight + 2 * margin;
  const x = monitor.x + Math.floor((monitor.width - width) / 2);
  const stop = {
    x: width - stopWidth - margin / 2,
    y: margin / 2,
    width: stopWidth,
    height: height - margin,
  };
  return { box: { x, y: monitor.y, width, height }, stop };
}
