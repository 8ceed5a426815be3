/** A modal dialog that asks a question. */
import { activeDocument } from './active-document.ts';
import { button } from './button.ts';
import { element } from './element.ts';
import { guardClicks, isFramed } from './frame-guard.ts';

export interface DialogQuestion<Answer> {
  title: string;
  text: string;
  answers: readonly { text: string; answer: Answer; look?: string }[];
  /** The text of the button that closes the dialog without an answer. */
  cancel: string;
  /** Withdraws the question. */
  signal?: AbortSignal;
  /** Disables the answers, except cancel, for this long: a click right after opening was meant for something else. */
  enableAfterMs?: number;
}

/** Resolves with undefined when the person cancels or the question is withdrawn. */
export function askInDialog<Answer>(question: DialogQuestion<Answer>): Promise<Answer | undefined> {
  const { title, text, answers, cancel, signal, enableAfterMs = 0 } = question;
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
  const closeWith = (answer: Answer | undefined) => (): void => {
    resolve(answer);
    dialog.close();
  };
  const choices = answers.map(({ text: label, answer, look }) =>
    button(label, closeWith(answer), look ?? 'primary'),
  );
  const dialog = element(
    'dialog',
    { class: 'card dialog', 'aria-label': title },
    element('h2', {}, title),
    element('p', {}, text),
    element('div', { class: 'row' }, button(cancel, closeWith(undefined)), ...choices),
  );
  dialog.addEventListener('close', () => {
    resolve(undefined);
    dialog.remove();
  });
  signal?.addEventListener('abort', () => dialog.close(), { once: true });
  if (signal?.aborted) return Promise.resolve(undefined);
  const setDisabled = (isDisabled: boolean): void =>
    choices.forEach((each) => void (each.disabled = isDisabled));
  activeDocument().body.append(dialog);
  dialog.showModal();
  if (isFramed()) guardClicks(dialog, choices);
  else if (enableAfterMs > 0) {
    setDisabled(true);
    setTimeout(setDisabled, enableAfterMs, false);
  }
  return promise;
}
