/** Runs on Windows: answers the agent's own windows with mouse and keyboard, as the person at the device does. */
import type { Desktop, DesktopInput } from '@drawbridge/agent/platform/desktop';
import { eventually } from '../../../kit/eventually.ts';

export function click(input: DesktopInput, x: number, y: number): void {
  input.pointer(x, y, 0);
  input.pointer(x, y, 1);
  input.pointer(x, y, 0);
}

const [attempts, attemptMs] = [30, 3_000];

/** Repeats the work until it has an effect, because a program that starts may not listen yet. */
export async function untilEffect(
  work: (attempt: number) => void,
  hasEffect: () => boolean,
  withinMs = attemptMs,
) {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    work(attempt);
    const isDone = await eventually(hasEffect, Boolean, withinMs).catch(() => false);
    if (isDone) return;
  }
  throw new Error('it had no effect');
}

/** The places of the buttons depend on the font, so the clicks move along a line. */
const clickMs = 200;

/** Presses Stop on the banner, at the top of a screen of this width. */
export const pressStop = (input: DesktopInput, width: number, isStopped: () => boolean): Promise<void> =>
  untilEffect((attempt) => click(input, width / 2 + attempt * 6, 12), isStopped, clickMs);

/** Asks a question, and allows it. */
export async function answerQuestion(
  desktop: Pick<Desktop, 'ask' | 'layout'>,
  input: DesktopInput,
): Promise<boolean | undefined> {
  const { width, height } = await desktop.layout();
  let answer: boolean | undefined;
  void desktop.ask('May Ann connect?', 60).then((agreed) => (answer = agreed));
  await untilEffect(
    (attempt) => click(input, width / 2 + 18, height / 2 - 60 + ((attempt * 8) % 120)),
    () => answer !== undefined,
    clickMs,
  );
  return answer;
}
