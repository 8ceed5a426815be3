/** The cards shown before and after a session: connect, wait, changed key, end. */
import type { ResumeToken } from '@drawbridge/session/operator/operator';
import type { OperatorSession } from '@drawbridge/session/operator/operator';
import type { ConnectionState } from '@drawbridge/session/operator/session';
import { button } from '../ui/button.ts';
import { element } from '../ui/element.ts';
import { icon } from '../ui/icons.ts';
import { consoleTexts } from './texts.ts';

type Child = Parameters<typeof element>[2];

const card = (...children: readonly Child[]): HTMLElement =>
  element(
    'main',
    { class: 'gate' },
    element(
      'div',
      { class: 'card' },
      element('p', { class: 'brand' }, icon('bridge'), consoleTexts.product),
      ...children,
    ),
  );

export const connectCard = (isAgain: boolean, connect: () => void): HTMLElement =>
  card(
    element('h1', {}, consoleTexts.start.title),
    element('p', { class: 'quiet' }, isAgain ? consoleTexts.start.resumeText : consoleTexts.start.text),
    button(isAgain ? consoleTexts.start.again : consoleTexts.start.connect, connect, 'primary large'),
  );

export const unsupportedCard = (): HTMLElement =>
  card(element('h1', {}, consoleTexts.tooOld.title), element('p', {}, consoleTexts.tooOld.text));

const progressCard = (title: string, text: string, cancel: () => void): HTMLElement =>
  card(
    element(
      'div',
      { class: 'wait', role: 'status' },
      element('span', { class: 'spinner' }),
      element('h1', {}, title),
    ),
    text !== '' && element('p', { class: 'quiet' }, text),
    button(consoleTexts.cancel, cancel),
  );

/** For every phase before the session is live for the first time. */
export function waitCard(session: OperatorSession): HTMLElement {
  const { state, device } = session;
  if (state.phase === 'asking')
    return progressCard(consoleTexts.asking.title, consoleTexts.asking.text(device.name), session.end);
  if (state.phase === 'reconnecting')
    return progressCard(consoleTexts.reconnecting, state.message, session.end);
  return progressCard(
    state.phase === 'opening' ? consoleTexts.opening : consoleTexts.waiting(device.name),
    '',
    session.end,
  );
}

export function blockedCard(session: OperatorSession): HTMLElement {
  const { blocked: texts } = consoleTexts;
  const made = card(
    element('h1', { class: 'alarm' }, icon('warning'), texts.title),
    element('p', {}, texts.text(session.device.name)),
    element('p', {}, texts.advice),
    element('p', { class: 'quiet key-text' }, `${texts.newKey}: ${session.state.problem?.message ?? ''}`),
    element(
      'div',
      { class: 'row' },
      button(texts.leave, session.end, 'primary'),
      button(texts.trust, session.trust, 'danger'),
    ),
  );
  made.classList.add('red');
  made.setAttribute('role', 'alertdialog');
  return made;
}

/** Says why the session ended, with the message of the side that ended it. */
function endReasonText({ problem, by, message }: ConnectionState): string {
  if (problem)
    return [consoleTexts.problems[problem.code], problem.code === 'broken' ? '' : problem.message]
      .join(' ')
      .trim();
  const { ended } = consoleTexts;
  const who = {
    operator: ended.byOperator,
    device: ended.byDevice,
    server: ended.byServer,
    fault: ended.byFault,
  };
  return [by ? who[by] : '', message].join(' ').trim();
}

export interface EndCardOptions {
  session: OperatorSession;
  /** Resumes or opens the session again; undefined when only a new link helps. */
  again: (() => void) | undefined;
  /** Notes can be saved only for a session that has begun. */
  hasBegun: boolean;
  note(to: ResumeToken, text: string): Promise<boolean>;
}

export function endCard({ session, again, hasBegun, note }: EndCardOptions): HTMLElement {
  const { state, resumeToken } = session;
  return card(
    element('h1', {}, hasBegun ? consoleTexts.ended.title : consoleTexts.ended.notBegun),
    element('p', { role: 'status' }, endReasonText(state)),
    resumeToken && hasBegun && noteForm((text) => note(resumeToken, text)),
    element('p', { class: 'quiet' }, again ? consoleTexts.ended.againHint : consoleTexts.ended.hint),
    again && button(consoleTexts.ended.again, again, 'primary'),
  );
}

function noteForm(save: (text: string) => Promise<boolean>): HTMLElement {
  const { ended: texts } = consoleTexts;
  const field = element('textarea', { id: 'note', class: 'field', rows: 4, placeholder: texts.noteHint });
  const result = element('span', { class: 'quiet', role: 'status' });
  const press = async (): Promise<void> => {
    if (field.value.trim() === '') return;
    saveButton.disabled = true;
    result.textContent = (await save(field.value)) ? texts.saved : texts.notSaved;
    saveButton.disabled = false;
  };
  const saveButton = button(texts.save, () => void press());
  return element(
    'div',
    { class: 'note' },
    element('label', { for: 'note' }, texts.note),
    field,
    element('div', { class: 'row' }, result, saveButton),
  );
}
