/** Shows a question or a notice to the person at the device, in the middle of the screen, with a timeout. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { paneColours, type Pane, type PaneScreen } from './pane.ts';
import { boxInCentre } from './window-boxes.ts';

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
const fullWidth = 460;
const button = { width: 120, height: 36 };
/**
 * Clicks are ignored right after the window appears or becomes visible again, because the person may have meant or read
 * something else.
 */
const ignoreClicksMs = 500;

export const askQuestion = (screen: PaneScreen, question: PersonQuestion): Promise<boolean> =>
  showQuestion(screen, question, askTexts);

/** Shows a notice that needs no answer; resolves when it was confirmed, or after its time. */
export const showMessage = async (screen: PaneScreen, question: PersonQuestion): Promise<void> =>
  void (await showQuestion(screen, question, messageTexts));

async function showQuestion(
  screen: PaneScreen,
  { question, seconds, signal }: PersonQuestion,
  texts: QuestionTexts,
): Promise<boolean> {
  if (signal?.aborted) return false;
  const answered = Promise.withResolvers<boolean>();
  let left = seconds;
  const monitor = await screen.mainMonitor();
  let box = initialBox(monitor);
  const shape = { ...box, title: texts.title, isQuestion: true };
  const pane = await screen.openPane(shape, (own) =>
    draw(own, { question, box, last: texts.unanswered(left) }),
  );
  const answer = (agreed: boolean): void => {
    if (pane.visibleMs() >= ignoreClicksMs) answered.resolve(agreed);
  };
  const fitTo = (current: Box): void => {
    box = boxOf(pane, question, current);
    fit(pane, { box, texts, answer });
  };
  fitTo(monitor);
  const stopWatching = screen.watchMainMonitor(fitTo);
  const timer = setInterval(() => {
    left -= 1;
    if (left <= 0) answered.resolve(false);
    else pane.redraw();
  }, 1_000);
  const giveUp = (): void => answered.resolve(false);
  signal?.addEventListener('abort', giveUp, { once: true });
  screen.onClose(giveUp);
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
const initialBox = ({ x, y }: Box): Box => ({ x, y, width: 1, height: 1 });

const linesOf = (pane: Pane, question: string, width: number): string[] =>
  pane.wrap(question, width - 2 * margin);

/** As large as the text needs and the monitor allows. */
function boxOf(pane: Pane, question: string, monitor: Box): Box {
  const width = Math.min(fullWidth, monitor.width);
  const text = (linesOf(pane, question, width).length + 1) * pane.lineHeight;
  return boxInCentre(monitor, { width, height: text + 3 * margin + button.height });
}

interface ShownQuestion {
  question: string;
  box: Box;
  /** The line below the question. */
  last: string;
}

/** On a monitor that is too small for the question, its end is left out and the buttons stay visible. */
function draw(pane: Pane, { question, box: { width, height }, last }: ShownQuestion): void {
  const fits = Math.floor((height - 3 * margin - button.height) / pane.lineHeight) - 1;
  const all = linesOf(pane, question, width);
  const lines = all.length > fits ? [...all.slice(0, Math.max(0, fits - 1)), '…'] : all;
  pane.fill(paneColours.background, { x: 0, y: 0, width, height });
  [...lines, last].forEach((line, index) =>
    pane.write(
      {
        foreground: index < lines.length ? paneColours.foreground : paneColours.faint,
        background: paneColours.background,
      },
      { x: margin, y: margin + index * pane.lineHeight },
      line,
    ),
  );
}

interface Fitting {
  box: Box;
  texts: QuestionTexts;
  answer(agreed: boolean): void;
}

function fit(pane: Pane, { box, texts: { answers }, answer }: Fitting): void {
  pane.place(box);
  pane.setButtons(
    answers.map(({ label, colour, agreed }, index) => ({
      ...button,
      x: box.width - (answers.length - index) * (button.width + margin),
      y: box.height - margin - button.height,
      label,
      colour,
      press: () => answer(agreed),
    })),
  );
  pane.redraw();
}
