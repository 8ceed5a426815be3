/** Shows in the toolbar how long the session has lasted. */
import { element } from '../ui/element.ts';
import { readableClock } from '../ui/readable.ts';
import { consoleTexts } from './texts.ts';

const refreshMs = 1_000;

/** `startedAt` in milliseconds since 1970. */
export function showSessionTimer(startedAt: number): { element: HTMLElement; stop(): void } {
  const { duration: title } = consoleTexts.bar;
  const shown = element('span', { class: 'timer', role: 'timer', title, 'aria-label': title });
  const draw = (): void => void (shown.textContent = readableClock(Date.now() - startedAt));
  draw();
  const timer = setInterval(draw, refreshMs);
  return { element: shown, stop: () => clearInterval(timer) };
}
