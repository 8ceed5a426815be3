/** A question over the page that wants an answer before anything else. */
import { button } from './button.ts';
import { element } from './element.ts';

export interface DialogQuestion<Answer> {
  title: string;
  text: string;
  answers: readonly { text: string; answer: Answer; look?: string }[];
  /** The button that answers nothing. */
  cancel: string;
  /** Takes the question back. */
  signal?: AbortSignal;
  /** So long nothing but no can be answered: anyone who clicks as the question comes up meant something else. */
  enableAfterMs?: number;
}

/** Undefined when the person would rather not. */
export function askInDialog<Answer>(question: DialogQuestion<Answer>): Promise<Answer | undefined> {
  const { title, text, answers, cancel, signal, enableAfterMs = 0 } = question;
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
  const closeWith = (answer: Answer | undefined) => (): void => {
    resolve(answer);
    dialog.close();
  };
  const choices = answers.map(({ text: word, answer, look }) =>
    button(word, closeWith(answer), look ?? 'primary'),
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
  if (enableAfterMs > 0) {
    setDisabled(true);
    setTimeout(setDisabled, enableAfterMs, false);
  }
  document.body.append(dialog);
  dialog.showModal();
  return promise;
}
