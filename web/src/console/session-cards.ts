/** The cards shown before and after a session: connect, wait, changed key, end. */
import type { Brand } from '@drawbridge/contract/brand';
import type { SessionSubject } from '@drawbridge/contract/session/open';
import type { SessionProblem } from '@drawbridge/contract/session/problem';
import type { ResumeToken } from '@drawbridge/session/operator/operator';
import type { OperatorSession } from '@drawbridge/session/operator/operator';
import type { ConnectionState } from '@drawbridge/session/operator/session';
import { button } from '../ui/button.ts';
import { element } from '../ui/element.ts';
import { brandMark } from '../ui/brand-mark.ts';
import { guardClicks, isFramed } from '../ui/frame-guard.ts';
import { icon } from '../ui/icons.ts';
import { askingText, screenStatus } from './session-status.ts';
import { consoleTexts } from './texts.ts';

type Child = Parameters<typeof element>[2];

const brandedCard = (brand: Pick<Brand, 'name' | 'logo'>, ...children: readonly Child[]): HTMLElement =>
  element(
    'main',
    { class: 'gate' },
    element(
      'div',
      { class: 'card' },
      element('p', { class: 'brand' }, ...brandMark(brand, consoleTexts.product)),
      ...children,
    ),
  );

const card = (...children: readonly Child[]): HTMLElement => brandedCard({ name: '', logo: '' }, ...children);

/** For a session that was open in this tab, when only its device knows whose it is. */
export const resumeCard = (connect: () => void): HTMLElement =>
  card(
    element('h1', {}, consoleTexts.start.title),
    element('p', { class: 'quiet' }, consoleTexts.start.resumeText),
    button(consoleTexts.start.again, connect, 'primary large'),
  );

/** Names the device or client, the account, and whether it is recorded. In a frame the button waits until all of it is visible. */
export function connectCard(
  { name, owner, brand, record }: SessionSubject,
  isAgain: boolean,
  connect: () => void,
): HTMLElement {
  const { start: texts } = consoleTexts;
  const press = button(isAgain ? texts.again : texts.connect, connect, 'primary large');
  const made = brandedCard(
    brand,
    element('h1', { dir: 'auto' }, texts.connectTo(name)),
    owner !== '' && element('p', { dir: 'auto' }, texts.rights(owner)),
    element('p', {}, record ? texts.recorded : texts.notRecorded),
    element('p', { class: 'quiet' }, isAgain ? texts.resumeText : texts.text),
    press,
  );
  if (isFramed()) guardClicks(made.firstElementChild!, [press]);
  return made;
}

export const invalidLinkCard = ({ code, message }: SessionProblem): HTMLElement => {
  const { title, text } = code === 'network' || code === 'busy' ? consoleTexts.busy : consoleTexts.dead;
  return card(
    element('h1', {}, title),
    element('p', { role: 'status' }, code === 'invalid' ? message : text),
  );
};

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
  const { state, device, client } = session;
  if (state.phase === 'asking')
    return progressCard(consoleTexts.asking.title(state.awaits), askingText(session), session.end);
  if (state.phase === 'reconnecting')
    return progressCard(screenStatus(session) ?? consoleTexts.reconnecting, '', session.end);
  return progressCard(
    state.phase === 'opening' ? consoleTexts.opening : consoleTexts.waiting(device.name),
    client === 'absent' ? consoleTexts.client.notJoined : '',
    session.end,
  );
}

export function blockedCard(session: OperatorSession): HTMLElement {
  const { blocked: texts } = consoleTexts;
  const trust = button(texts.trust, session.trust, 'danger');
  const made = card(
    element('h1', { class: 'alarm' }, icon('warning'), texts.title),
    element('p', {}, texts.text(session.device.name)),
    element('p', {}, texts.advice),
    element('p', { class: 'quiet key-text' }, `${texts.newKey}: ${session.state.problem?.message ?? ''}`),
    element('div', { class: 'row' }, button(texts.leave, session.end, 'primary'), trust),
  );
  if (isFramed()) guardClicks(made.firstElementChild!, [trust]);
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

/** Connects again, or reports why that is not possible. */
export type ConnectAgain = (onProblem: (problem: SessionProblem) => void) => void;

export interface EndCardOptions {
  session: OperatorSession;
  /** Resolves to undefined when only a new link helps. */
  again: Promise<ConnectAgain | undefined>;
  /** Notes can be saved only for a session that has begun. */
  hasBegun: boolean;
  note(to: ResumeToken, text: string): Promise<boolean>;
}

export function endCard({ session, again, hasBegun, note }: EndCardOptions): HTMLElement {
  const { state, resumeToken } = session;
  const { ended: texts } = consoleTexts;
  const hint = element('p', { class: 'quiet', role: 'status' });
  const noteForm = resumeToken && hasBegun ? createNoteForm((text) => note(resumeToken, text)) : undefined;
  const leave = async (go: () => void): Promise<void> => {
    if (!noteForm || (await noteForm.save())) go();
  };
  const closeButton = button(texts.close, () => void leave(() => closePage(hint)));
  const actions = element('div', { class: 'row' }, !isFramed() && closeButton);
  const showProblem = ({ code }: SessionProblem): void =>
    void (hint.textContent = consoleTexts.problems[code]);
  const offerAgain = async (): Promise<void> => {
    const connect = await again;
    hint.textContent = connect ? texts.againHint : texts.hint;
    if (connect) actions.append(button(texts.again, () => void leave(() => connect(showProblem)), 'primary'));
  };
  void offerAgain();
  return card(
    element('h1', {}, hasBegun ? texts.title : texts.notBegun),
    element('p', { role: 'status' }, endReasonText(state)),
    noteForm?.element,
    hint,
    actions,
  );
}

/** Browsers let a page close only a tab that another page opened. */
function closePage(hint: HTMLElement): void {
  window.close();
  hint.textContent = consoleTexts.ended.closeHint;
}

interface NoteForm {
  element: HTMLElement;
  /** Saves what was written since the last time; false if that failed. */
  save(): Promise<boolean>;
}

function createNoteForm(send: (text: string) => Promise<boolean>): NoteForm {
  const { ended: texts } = consoleTexts;
  let saved = '';
  const field = element('textarea', { id: 'note', class: 'field', rows: 4, placeholder: texts.noteHint });
  const result = element('span', { class: 'quiet', role: 'status' });
  const save = async (): Promise<boolean> => {
    const text = field.value;
    if (text.trim() === '' || text === saved) return true;
    saveButton.disabled = true;
    const isSaved = await send(text);
    if (isSaved) saved = text;
    result.textContent = isSaved ? texts.saved : texts.notSaved;
    saveButton.disabled = false;
    return isSaved;
  };
  const saveButton = button(texts.save, () => void save());
  const form = element(
    'div',
    { class: 'note' },
    element('label', { for: 'note' }, texts.note),
    field,
    element('div', { class: 'row' }, result, saveButton),
  );
  return { element: form, save };
}
