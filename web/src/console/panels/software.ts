/** The software panel: lists the programs installed on the device. */
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { button } from '../../ui/button.ts';
import { element, fill } from '../../ui/element.ts';
import type { ConsolePanel } from './console-panel.ts';
import { consolePanelTexts } from './texts.ts';

const { software: texts } = consolePanelTexts;
type Program = SessionMessage<'programs'>['programs'][number];

export const createSoftwarePanel = (): ConsolePanel => ({
  id: 'software',
  title: texts.title,
  icon: 'software',
  kind: 'software',
  open,
});

function open(container: HTMLElement, session: RemoteSession): () => void {
  let programs: readonly Program[] | undefined;
  let problem = '';
  const search = element('input', {
    class: 'field',
    type: 'search',
    placeholder: texts.search,
    'aria-label': texts.search,
    oninput: () => draw(),
  });
  const results = element('div', { class: 'software-list' });
  const draw = (): void => fill(results, ...content(programs, problem, search.value));
  const request = (): void => {
    problem = '';
    programs = undefined;
    session.send('software', {});
    draw();
  };
  const unsubscribes = [
    session.on('programs', (answer) => {
      programs = answer.programs;
      draw();
    }),
    session.on('refused', (refusal) => {
      if (refusal.kind !== 'software') return;
      problem = refusal.message;
      draw();
    }),
  ];
  container.append(element('div', { class: 'row' }, search, button(texts.again, request)), results);
  request();
  return () => unsubscribes.forEach((each) => each());
}

function content(programs: readonly Program[] | undefined, problem: string, search: string): Node[] {
  if (problem !== '') return [element('p', { class: 'notice bad' }, problem)];
  if (!programs) return [element('p', { class: 'quiet' }, texts.loading)];
  if (programs.length === 0) return [element('p', { class: 'quiet' }, texts.none)];
  const wanted = search.trim().toLowerCase();
  const shown = programs.filter(({ name }) => name.toLowerCase().includes(wanted));
  return [
    element('p', { class: 'quiet' }, texts.count(shown.length, programs.length)),
    element(
      'table',
      { class: 'list' },
      element('thead', {}, element('tr', {}, heading(texts.name), heading(texts.version))),
      element('tbody', {}, ...shown.map(row)),
    ),
  ];
}

const heading = (text: string): HTMLElement => element('th', { scope: 'col' }, text);

const row = ({ name, version }: Program): HTMLElement =>
  element('tr', {}, element('td', {}, name), element('td', {}, version));
