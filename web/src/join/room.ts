/** The page while the person takes part: who is there, what is shared, messages, and a way to end it that is always in sight. */
import { button } from '../ui/button.ts';
import { element, fill } from '../ui/element.ts';
import { icon } from '../ui/icons.ts';
import { createBrandMark } from './brand.ts';
import { spinner } from './cards.ts';
import { createChatBox } from './chat-box.ts';
import type { Guest } from './guests.ts';
import { createShareBox } from './share-box.ts';
import { texts } from './texts.ts';
import type { Visit } from './visit.ts';

export interface RoomOptions {
  visit: Visit;
  /** The person would rather run the program. */
  program(): void;
  end(): void;
}

export function createRoom({ visit, program, end }: RoomOptions): HTMLElement {
  const banner = element('p', { class: 'banner', role: 'status', 'aria-live': 'polite' });
  const people = element('section', { class: 'box', 'aria-label': texts.people.title, hidden: true });
  const call = element('section', { class: 'box call', hidden: true });
  const share = createShareBox(visit, program);
  const chat = createChatBox(visit);
  const mark = createBrandMark();
  const refresh = (): void => {
    mark.show(visit.brand);
    drawBanner(visit, banner);
    drawPeople(visit, people);
    drawCall(visit, call);
    share.refresh();
    chat.refresh();
  };
  visit.onChange(refresh);
  refresh();
  return element(
    'div',
    { class: 'room' },
    element('header', { class: 'top' }, mark.element, banner, button(texts.end, end, 'danger end')),
    element('main', { class: 'columns' }, share.element, people, call, chat.element),
  );
}

const namesOf = (guests: readonly Guest[]): string => guests.map(({ name }) => name).join(texts.and);

function drawBanner({ phase, guests, share }: Visit, place: HTMLElement): void {
  const live = guests.live();
  const isMany = live.length > 1;
  place.classList.toggle('watched', live.length > 0 && share !== undefined);
  if (phase === 'lost') return fill(place, spinner(), texts.lost);
  if (phase === 'busy') return fill(place, spinner(), texts.busy);
  if (live.length === 0) return fill(place, spinner(), texts.waiting);
  const words = share ? [texts.watching, texts.watchingMany] : [texts.connected, texts.connectedMany];
  fill(place, icon('eye'), words[isMany ? 1 : 0]!(namesOf(live)));
}

function drawPeople({ guests }: Visit, place: HTMLElement): void {
  const live = guests.live();
  const { people: words } = texts;
  place.hidden = live.length === 0;
  fill(
    place,
    element('h2', {}, words.title),
    element('ul', { class: 'people' }, ...live.map((guest) => personOf(guest, guests))),
    element('p', { class: 'quiet' }, words.codeHint),
  );
}

function personOf(guest: Guest, guests: Visit['guests']): HTMLElement {
  const { people: words } = texts;
  return element(
    'li',
    { class: 'person' },
    element(
      'div',
      {},
      element('strong', { dir: 'auto' }, guest.name),
      ' ',
      element('span', { class: 'quiet' }, words.from(guest.address)),
      element('div', { class: 'safety' }, `${words.code}: `, element('span', {}, guest.session.code)),
    ),
    button(words.disconnect, () => guests.end(guest, texts.state.disconnected)),
  );
}

function drawCall({ call }: Visit, place: HTMLElement): void {
  const { call: words } = texts;
  place.hidden = call.guest === undefined;
  if (!call.guest) return fill(place);
  fill(
    place,
    element('p', { class: 'waiting' }, icon('voice'), words.talking(call.guest.name)),
    element(
      'div',
      { class: 'row' },
      button(call.isMuted ? words.unmute : words.mute, () => call.mute(!call.isMuted)),
      button(words.hangUp, call.hangUp, 'danger'),
    ),
  );
}
