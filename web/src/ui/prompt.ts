/** A modal dialog that asks for a line of text. */
import { activeDocument } from './active-document.ts';
import { button } from './button.ts';
import { element } from './element.ts';

export interface PromptOptions {
  title: string;
  value: string;
  ok: string;
  cancel: string;
}

/** Resolves with undefined when the person cancels or leaves the field empty. */
export function prompt({ title, value, ok, cancel }: PromptOptions): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const field = element('input', { class: 'field', 'aria-label': title, value, maxlength: 255 });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    resolve(field.value.trim() || undefined);
    dialog.close();
  };
  const dialog = element(
    'dialog',
    { class: 'card dialog', 'aria-label': title },
    element(
      'form',
      { onsubmit: submit },
      element('h2', {}, title),
      field,
      element(
        'div',
        { class: 'row' },
        button(cancel, () => dialog.close()),
        element('button', { class: 'button primary' }, ok),
      ),
    ),
  );
  dialog.addEventListener('close', () => {
    resolve(undefined);
    dialog.remove();
  });
  activeDocument().body.append(dialog);
  dialog.showModal();
  field.select();
  return promise;
}
