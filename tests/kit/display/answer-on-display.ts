/** The person at a display, who answers the agent's question there. */
import { clickOnDisplay, findWindow } from './desktop-programs.ts';
import { eventually } from '../eventually.ts';

type ConsentAnswer = 'Allow' | 'Decline';

/** The centre of a button of the question, as soon as the question is on the display. */
export async function answerButtonPoint(
  button: ConsentAnswer,
  display = process.env['DISPLAY'],
): Promise<{ x: number; y: number }> {
  const fromRight = button === 'Allow' ? 16 + 120 + 16 + 60 : 16 + 60;
  // The window appears before it has its position.
  const { x, y, width, height } = await eventually(
    () => findWindow('Drawbridge request', display),
    (window) => window.height > 50,
  );
  return { x: x + width - fromRight, y: y + height - 16 - 18 };
}

/**
 * Presses a button of the question on the display until it has an effect: the window ignores input for a
 * moment after it opens.
 */
export async function answerOnDisplay(button: ConsentAnswer, isDone: () => boolean): Promise<void> {
  const { x, y } = await answerButtonPoint(button);
  await eventually(async () => {
    if (!isDone()) await clickOnDisplay(x, y);
    return isDone();
  }, Boolean);
}
