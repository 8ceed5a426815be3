/** The people panel: who is connected to the device, and who controls mouse and keyboard. */
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { button } from '../../ui/button.ts';
import { element, fill } from '../../ui/element.ts';
import { mayUse } from '../offers.ts';
import { consoleTexts } from '../texts.ts';
import type { ConsolePanel } from './console-panel.ts';

const { people: texts } = consoleTexts.panels;
type Person = SessionMessage<'people'>['people'][number];

export function createPeoplePanel(): ConsolePanel {
  let people: readonly Person[] = [];
  let onChanged = (): void => {};
  return {
    id: 'people',
    title: texts.title,
    icon: 'people',
    kind: 'people',
    subscribe(session, notify) {
      session.on('people', (update) => {
        if (update.people.length > people.length && people.length > 0) notify();
        people = update.people;
        onChanged();
      });
    },
    open(container, session) {
      onChanged = () => fill(container, ...draw(people, session));
      onChanged();
      return () => (onChanged = () => {});
    },
  };
}

function draw(people: readonly Person[], session: RemoteSession): HTMLElement[] {
  const driver = people.find((person) => person.driver);
  const mayDrive = mayUse(session, 'drive');
  const drive = (to: SessionMessage<'drive'>['to']) => (): void => void session.send('drive', { to });
  const you = people.find((person) => person.you);
  const mayHandOver = mayDrive && (driver === undefined || driver.you);
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
          mayHandOver && !person.you && button(texts.give, drive(person.seat), 'small'),
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
