/** The chat section of the page. */
import { addLine } from '../ui/chat-lines.ts';
import { element, fill } from '../ui/element.ts';
import type { ChatMessage } from '../ui/saved-chat.ts';
import type { PageSection } from './share-section.ts';
import { joinTexts } from './texts.ts';
import type { ClientSession } from './client-session.ts';

const { chat: texts } = joinTexts;

export function createChatSection(client: ClientSession): PageSection {
  const list = element('ol', { class: 'chat-list', 'aria-live': 'polite', 'aria-label': texts.title });
  const field = element('textarea', {
    class: 'field',
    rows: 2,
    maxlength: 4_096,
    placeholder: texts.field,
    'aria-label': texts.field,
  });
  const press = element('button', { class: 'button primary' }, texts.send);
  const send = (): void => {
    const text = field.value.trim();
    if (text !== '' && client.messages.send(text)) field.value = '';
  };
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  });
  const form = element('form', { class: 'chat-writing', onsubmit: submit(send) }, field, press);
  let drawn = 0;
  let wasAlone: boolean | undefined;
  return {
    element: element('section', { class: 'box chat' }, element('h2', {}, texts.title), list, form),
    refresh() {
      const isAlone = !mayWrite(client);
      [field.disabled, press.disabled] = [isAlone, isAlone];
      const { all, count } = client.messages;
      if (count === 0 && isAlone !== wasAlone) fill(list, emptyLine((wasAlone = isAlone)));
      if (count === drawn) return;
      if (drawn === 0) fill(list);
      const isNew = Math.min(count - drawn, all.length);
      drawn = count;
      for (const message of all.slice(-isNew)) addLine(list, lineOf(message));
    },
  };
}

const submit =
  (send: () => void) =>
  (event: SubmitEvent): void => {
    event.preventDefault();
    send();
  };

const mayWrite = ({ operators }: ClientSession): boolean =>
  operators.live().some(({ session }) => session.grant.permissions.includes('agent_chat'));

const emptyLine = (isAlone: boolean): HTMLElement =>
  element('li', { class: 'quiet' }, isAlone ? texts.alone : texts.empty);

const lineOf = ({ name, text, mine }: ChatMessage): HTMLElement =>
  element(
    'li',
    { class: mine ? 'chat-line mine' : 'chat-line' },
    element('span', { class: 'chat-name', dir: 'auto' }, mine ? texts.you : name),
    element('span', { class: 'chat-text', dir: 'auto' }, text),
  );
