/** A question to the person at the device, in the middle of the screen, with a time to answer. */
import type { Box } from '@drawbridge/contract/session/pictures';
import type { Connection } from './connection.ts';
import { colours, mainMonitor, openPane, type Pane } from './pane.ts';

export interface Question {
  question: string;
  seconds: number;
  signal?: AbortSignal | undefined;
}

const margin = 16;
const width = 460;
const button = { width: 120, height: 36 };
/** Whoever clicks at the very moment the window appears meant something else. */
const deafMs = 500;

export async function ask(connection: Connection, { question, seconds, signal }: Question): Promise<boolean> {
  if (signal?.aborted) return false;
  const answered = Promise.withResolvers<boolean>();
  const shownAt = performance.now();
  let left = seconds;
  const monitor = await mainMonitor(connection);
  const pane = await openPane(connection, { ...place(monitor), title: 'Drawbridge asks' }, (own) =>
    draw(own, question, left),
  );
  const answer = (agreed: boolean): void => {
    if (performance.now() - shownAt >= deafMs) answered.resolve(agreed);
  };
  fit(pane, { question, monitor, answer });
  const timer = setInterval(() => {
    left -= 1;
    if (left <= 0) answered.resolve(false);
    else pane.redraw();
  }, 1_000);
  const giveUp = (): void => answered.resolve(false);
  signal?.addEventListener('abort', giveUp, { once: true });
  connection.onClose(giveUp);
  try {
    return await answered.promise;
  } finally {
    clearInterval(timer);
    signal?.removeEventListener('abort', giveUp);
    pane.close();
  }
}

/** Where it begins, before it is known how high it must be. */
const place = ({ x, y }: Box): Box => ({ x, y, width, height: 1 });

const linesOf = ({ pen }: Pane, question: string): string[] => pen.wrap(question, width - 2 * margin);

function draw(pane: Pane, question: string, left: number): void {
  const { pen, window } = pane;
  const lines = linesOf(pane, question);
  const height = (lines.length + 1) * pen.lineHeight + 3 * margin + button.height;
  pen.fill(window, colours.paper, { x: 0, y: 0, width, height });
  [...lines, `Without an answer it is declined in ${left} s.`].forEach((line, index) =>
    pen.write(
      window,
      { ink: index < lines.length ? colours.ink : colours.faint, paper: colours.paper },
      { x: margin, y: margin + index * pen.lineHeight },
      line,
    ),
  );
}

function fit(
  pane: Pane,
  { question, monitor, answer }: { question: string; monitor: Box; answer: (agreed: boolean) => void },
): void {
  const text = (linesOf(pane, question).length + 1) * pane.pen.lineHeight;
  const height = text + 3 * margin + button.height;
  const x = monitor.x + Math.floor((monitor.width - width) / 2);
  pane.place({ x, y: monitor.y + Math.floor((monitor.height - height) / 2), width, height });
  const y = text + 2 * margin;
  pane.setButtons([
    {
      ...button,
      x: width - 2 * (button.width + margin),
      y,
      label: 'Allow',
      colour: colours.green,
      press: () => answer(true),
    },
    {
      ...button,
      x: width - button.width - margin,
      y,
      label: 'Decline',
      colour: colours.red,
      press: () => answer(false),
    },
  ]);
  pane.redraw();
}
