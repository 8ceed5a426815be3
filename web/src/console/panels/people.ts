/** Who is connected to the device, and who holds mouse and keyboard. */
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { RemoteSession } from '../../session/session.ts';
import { button } from '../../ui/button.ts';
import { element, fill } from '../../ui/element.ts';
import { consoleTexts } from '../texts.ts';
import type { ConsolePanel } from './console-panel.ts';

const { people: texts } = consoleTexts.panels;
type Person = SessionMessage<'people'>['people'][number];

export function createPeoplePanel(): ConsolePanel {
  let people: readonly Person[] = [];
  let changed = (): void => {};
  return {
    id: 'people',
    title: texts.title,
    icon: 'people',
    permission: null,
    subscribe(session, notify) {
      session.on('people', (word) => {
        if (word.people.length > people.length && people.length > 0) notify();
        people = word.people;
        changed();
      });
    },
    open(container, session) {
      changed = () => fill(container, ...draw(people, session));
      changed();
      return () => (changed = () => {});
    },
  };
}

function draw(people: readonly Person[], session: RemoteSession): HTMLElement[] {
  const driver = people.find((person) => person.driver);
  const mayDrive = session.permissions.has('agent_control');
  const drive = (to: SessionMessage<'drive'>['to']) => (): void => void session.send('drive', { to });
  const you = people.find((person) => person.you);
  const mayHand = mayDrive && (driver === undefined || driver.you);
  return [
    element(
      'ul',
      { class: 'people' },
      ...people.map((person) =>
        element(
          'li',
          { class: 'person' },
          element(
            'span',
            { class: 'person-name' },
            element('bdi', {}, person.name),
            person.you && ` (${texts.you})`,
          ),
          person.driver && element('span', { class: 'person-driver' }, texts.holds),
          mayHand && !person.you && button(texts.give, drive(person.seat), 'small'),
        ),
      ),
    ),
    element('p', { class: 'quiet' }, people.length < 2 ? texts.alone : driver ? '' : texts.free),
    element(
      'div',
      { class: 'row' },
      mayDrive && people.length > 1 && !you?.driver && button(texts.take, drive('me'), 'primary'),
      mayDrive && driver?.you && button(texts.everyone, drive('everyone')),
    ),
  ];
}
