/** The page during a visit: operators, shared screen, messages, and an End button that is always visible. */
import { button } from '../ui/button.ts';
import { element, fill } from '../ui/element.ts';
import { icon } from '../ui/icons.ts';
import { createBrandMark } from './brand.ts';
import { spinner } from './cards.ts';
import { createChatSection } from './chat-section.ts';
import type { ConnectedOperator } from './connected-operators.ts';
import { createShareSection } from './share-section.ts';
import { joinTexts } from './texts.ts';
import type { ClientSession } from './client-session.ts';

export interface ClientPageOptions {
  client: ClientSession;
  /** The person wants to run the program instead. */
  program(): void;
  end(): void;
}

export function createClientPage({ client, program, end }: ClientPageOptions): HTMLElement {
  const banner = element('p', { class: 'banner', role: 'status', 'aria-live': 'polite' });
  const people = element('section', { class: 'box', 'aria-label': joinTexts.people.title, hidden: true });
  const call = element('section', { class: 'box call', hidden: true });
  const share = createShareSection(client, program);
  const chat = createChatSection(client);
  const mark = createBrandMark();
  const refresh = (): void => {
    mark.show(client.brand);
    drawBanner(client, banner);
    drawPeople(client, people);
    drawCall(client, call);
    share.refresh();
    chat.refresh();
  };
  client.onChange(refresh);
  refresh();
  return element(
    'div',
    { class: 'client-page' },
    element('header', { class: 'top' }, mark.element, banner, button(joinTexts.end, end, 'danger end')),
    element('main', { class: 'columns' }, share.element, people, call, chat.element),
  );
}

const namesOf = (operators: readonly ConnectedOperator[]): string =>
  operators.map(({ name }) => name).join(joinTexts.and);

function drawBanner({ phase, operators, share }: ClientSession, banner: HTMLElement): void {
  const live = operators.live();
  const isMany = live.length > 1;
  banner.classList.toggle('watched', live.length > 0 && share !== undefined);
  if (phase === 'lost') return fill(banner, spinner(), joinTexts.lost);
  if (phase === 'busy') return fill(banner, spinner(), joinTexts.busy);
  const away = operators.away().join(joinTexts.and);
  if (live.length === 0)
    return fill(banner, spinner(), away === '' ? joinTexts.waiting : joinTexts.away(away));
  const texts = share
    ? [joinTexts.watching, joinTexts.watchingMany]
    : [joinTexts.connected, joinTexts.connectedMany];
  fill(banner, icon('eye'), texts[isMany ? 1 : 0]!(namesOf(live)));
}

function drawPeople({ operators }: ClientSession, section: HTMLElement): void {
  const live = operators.live();
  const { people: texts } = joinTexts;
  section.hidden = live.length === 0;
  fill(
    section,
    element('h2', {}, texts.title),
    element('ul', { class: 'people' }, ...live.map((operator) => personOf(operator, operators))),
    element('p', { class: 'quiet' }, texts.codeHint),
  );
}

function personOf(operator: ConnectedOperator, operators: ClientSession['operators']): HTMLElement {
  const { people: texts } = joinTexts;
  return element(
    'li',
    { class: 'person' },
    element(
      'div',
      {},
      element('strong', { dir: 'auto' }, operator.name),
      ' ',
      element('span', { class: 'quiet' }, texts.from(operator.address)),
      element('div', { class: 'safety' }, `${texts.code}: `, element('span', {}, operator.session.code)),
    ),
    button(texts.disconnect, () => operators.end(operator, joinTexts.state.disconnected)),
  );
}

function drawCall({ call }: ClientSession, section: HTMLElement): void {
  const { call: texts } = joinTexts;
  section.hidden = call.operator === undefined;
  if (!call.operator) return fill(section);
  fill(
    section,
    element('p', { class: 'waiting' }, icon('voice'), texts.talking(call.operator.name)),
    element(
      'div',
      { class: 'row' },
      button(call.isMuted ? texts.unmute : texts.mute, () => call.mute(!call.isMuted)),
      button(texts.hangUp, call.hangUp, 'danger'),
    ),
  );
}
