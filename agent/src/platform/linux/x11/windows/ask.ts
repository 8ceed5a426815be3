/** Shows a question or a notice to the person at the device, in the middle of the screen, with a timeout. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { X11Connection } from '../connection.ts';
import { paneColours, mainMonitor, openPane, watchMainMonitor, type Pane } from './pane.ts';

export interface PersonQuestion {
  question: string;
  seconds: number;
  signal?: AbortSignal | undefined;
}

interface QuestionTexts {
  title: string;
  /** The text below the question: what happens if nobody answers. */
  unanswered(secondsLeft: number): string;
  /** From left to right. */
  answers: readonly { label: string; colour: number; agreed: boolean }[];
}

const askTexts: QuestionTexts = {
  title: 'Drawbridge request',
  unanswered: (left) => `Declined in ${left} s if nobody answers.`,
  answers: [
    { label: 'Allow', colour: paneColours.green, agreed: true },
    { label: 'Decline', colour: paneColours.red, agreed: false },
  ],
};
const messageTexts: QuestionTexts = {
  title: 'Drawbridge notice',
  unanswered: (left) => `This closes in ${left} s.`,
  answers: [{ label: 'OK', colour: paneColours.line, agreed: true }],
};

const margin = 16;
const width = 460;
const button = { width: 120, height: 36 };
/**
 * Clicks are ignored right after the window appears or becomes visible again, because the person may have meant or read
 * something else.
 */
const ignoreClicksMs = 500;

export const askQuestion = (connection: X11Connection, question: PersonQuestion): Promise<boolean> =>
  showQuestion(connection, question, askTexts);

/** Shows a notice that needs no answer; resolves when it was confirmed, or after its time. */
export const showMessage = async (connection: X11Connection, question: PersonQuestion): Promise<void> =>
  void (await showQuestion(connection, question, messageTexts));

async function showQuestion(
  connection: X11Connection,
  { question, seconds, signal }: PersonQuestion,
  texts: QuestionTexts,
): Promise<boolean> {
  if (signal?.aborted) return false;
  const answered = Promise.withResolvers<boolean>();
  let left = seconds;
  const monitor = await mainMonitor(connection);
  const shape = { ...initialBox(monitor), title: texts.title, isQuestion: true };
  const pane = await openPane(connection, shape, (own) => draw(own, question, texts.unanswered(left)));
  const answer = (agreed: boolean): void => {
    if (pane.visibleMs() >= ignoreClicksMs) answered.resolve(agreed);
  };
  const fitTo = (current: Box): void => fit(pane, { question, monitor: current, texts, answer });
  fitTo(monitor);
  const stopWatching = watchMainMonitor(connection, fitTo);
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
    stopWatching();
    signal?.removeEventListener('abort', giveUp);
    pane.close();
  }
}

/** The box before the height of the text is known. */
const initialBox = ({ x, y }: Box): Box => ({ x, y, width, height: 1 });

const linesOf = ({ painter }: Pane, question: string): string[] => painter.wrap(question, width - 2 * margin);

function draw(pane: Pane, question: string, last: string): void {
  const { painter, window } = pane;
  const lines = linesOf(pane, question);
  const height = (lines.length + 1) * painter.lineHeight + 3 * margin + button.height;
  painter.fill(window, paneColours.background, { x: 0, y: 0, width, height });
  [...lines, last].forEach((line, index) =>
    painter.write(
      window,
      {
        foreground: index < lines.length ? paneColours.foreground : paneColours.faint,
        background: paneColours.background,
      },
      { x: margin, y: margin + index * painter.lineHeight },
      line,
    ),
  );
}

interface Fitting {
  question: string;
  monitor: Box;
  texts: QuestionTexts;
  answer(agreed: boolean): void;
}

function fit(pane: Pane, { question, monitor, texts: { answers }, answer }: Fitting): void {
  const text = (linesOf(pane, question).length + 1) * pane.painter.lineHeight;
  const height = text + 3 * margin + button.height;
  const x = monitor.x + Math.floor((monitor.width - width) / 2);
  pane.place({ x, y: monitor.y + Math.floor((monitor.height - height) / 2), width, height });
  pane.setButtons(
    answers.map(({ label, colour, agreed }, index) => ({
      ...button,
      x: width - (answers.length - index) * (button.width + margin),
      y: text + 2 * margin,
      label,
      colour,
      press: () => answer(agreed),
    })),
  );
  pane.redraw();
}
