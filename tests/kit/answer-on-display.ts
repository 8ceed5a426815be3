/** The person at a display, who answers the question of the agent there. */
import { click, findWindow } from './desktop-programs.ts';
import { seen } from './seen.ts';

/** Presses a button of the question on the display until something comes of it. */
export async function answerOnDisplay(button: 'Allow' | 'Decline', isDone: () => boolean): Promise<void> {
  const fromRight = button === 'Allow' ? 16 + 120 + 16 + 60 : 16 + 60;
  // It appears before it has its place, and is deaf for a moment.
  const { x, y, width, height } = await seen(
    () => findWindow('Drawbridge asks'),
    (window) => window.height > 50,
  );
  await seen(async () => {
    if (!isDone()) await click(x + width - fromRight, y + height - 16 - 18);
    return isDone();
  }, Boolean);
}
