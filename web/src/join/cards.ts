/** The cards shown before and after a visit: code, errors, thanks. */
import type { SessionSubject } from '@drawbridge/contract/session/open';
import { button } from '../ui/button.ts';
import { element } from '../ui/element.ts';
import { guardClicks, isFramed } from '../ui/frame-guard.ts';
import { icon } from '../ui/icons.ts';
import { codeIn, grouped } from './code.ts';
import type { EndReason } from './lobby-connection.ts';
import { joinTexts } from './texts.ts';

type Child = Node | string | undefined | false;

const card = (...children: readonly Child[]): HTMLElement =>
  element('main', { class: 'gate' }, element('section', { class: 'card wide-card' }, ...children));

export const spinner = (): HTMLElement => element('span', { class: 'spinner', 'aria-hidden': 'true' });

export const codeText = (code: string): HTMLElement =>
  element('p', { class: 'code', translate: 'no', 'aria-label': [...code].join(' ') }, grouped(code));

/** The address has no code, so the person types or pastes it. */
export function fieldCard(mark: HTMLElement, go: (code: string) => void): HTMLElement {
  const { field: texts } = joinTexts;
  const field = element('input', {
    id: 'code',
    class: 'field code-field',
    inputmode: 'numeric',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: '123 456 789',
    'aria-describedby': 'code-hint',
  });
  const press = element('button', { class: 'button primary large', disabled: true }, texts.go);
  // No maximum length is set, because a pasted link is longer than the code in it.
  field.addEventListener('input', () => {
    const isAtEnd = field.selectionEnd === field.value.length;
    const tidy = grouped(field.value);
    if (isAtEnd || codeIn(field.value)) field.value = tidy;
    press.disabled = codeIn(tidy) === undefined;
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const code = codeIn(field.value);
    if (code !== undefined) go(code);
  };
  queueMicrotask(() => field.focus());
  return card(
    mark,
    element('h1', {}, texts.title),
    element(
      'form',
      { class: 'stack', onsubmit: submit },
      element('label', { for: 'code' }, texts.label),
      field,
      element('p', { id: 'code-hint', class: 'quiet' }, texts.hint),
      press,
    ),
  );
}

export interface StartCardOptions {
  mark: HTMLElement;
  code: string;
  inviter: SessionSubject;
  go(): void;
  /** The person has another code. */
  other(): void;
}

/**
 * Names who invites, and whether it is recorded. The visit begins with the button, so that loading the page, as mail
 * scanners do, does not use the code. In a frame, which may be small, the button waits until the whole card is visible.
 */
export function startCard({ mark, code, inviter, go, other }: StartCardOptions): HTMLElement {
  const { start: texts } = joinTexts;
  const framed = isFramed();
  const recording = inviter.record ? texts.recorded : texts.notRecorded;
  const press = button(texts.go, go, 'primary large');
  const made = card(
    mark,
    element('h1', {}, texts.title),
    element('p', { dir: 'auto' }, `${joinTexts.invitedBy} `, element('strong', {}, inviter.owner)),
    !framed && element('p', { class: 'quiet' }, texts.code),
    codeText(code),
    element('p', { class: 'advice' }, icon('safe'), element('span', {}, `${texts.text} ${recording}`)),
    press,
    !framed && button(texts.other, other, 'plain'),
  );
  if (framed) guardClicks(made.firstElementChild!, [press]);
  return made;
}

export const waitingCard = (text: string): HTMLElement =>
  card(element('p', { class: 'waiting', role: 'status' }, spinner(), text));

export const tooOldCard = (): HTMLElement =>
  card(element('h1', {}, joinTexts.tooOld.title), element('p', {}, joinTexts.tooOld.text));

export function endedCard(reason: EndReason, again: () => void, other: () => void): HTMLElement {
  const { title, text } = joinTexts.ended[reason];
  const isDone = reason === 'closed';
  return card(
    isDone && element('span', { class: 'done' }, icon('check')),
    element('h1', {}, title),
    element('p', { role: 'status' }, text),
    reason === 'taken' && button(joinTexts.tryAgain, again, 'primary large'),
    reason === 'unknown' && button(joinTexts.start.other, other, 'primary large'),
  );
}

export const thanksCard = (again: () => void): HTMLElement =>
  card(
    element('span', { class: 'done' }, icon('check')),
    element('h1', {}, joinTexts.over.thanks),
    element('p', { role: 'status' }, joinTexts.over.thanksText),
    button(joinTexts.over.again, again),
  );
