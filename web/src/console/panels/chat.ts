/** The chat panel: messages between the operators and the person at the device. */
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { addLine, maxLines } from '../../ui/chat-lines.ts';
import { element, fill } from '../../ui/element.ts';
import type { ChatMessage, SavedChat } from '../../ui/saved-chat.ts';
import { consoleTexts } from '../texts.ts';
import type { ConsolePanel } from './console-panel.ts';

const { chat: texts } = consoleTexts.panels;

export function createChatPanel(saved: SavedChat): ConsolePanel {
  const messages = saved.load().slice(-maxLines);
  let show = (_message: ChatMessage): void => {};
  const add = (message: ChatMessage): void => {
    messages.push(message);
    messages.splice(0, messages.length - maxLines);
    saved.save(messages);
    show(message);
  };
  return {
    id: 'chat',
    title: texts.title,
    icon: 'chat',
    kind: 'chat',
    subscribe(session, notify) {
      session.on('chat', ({ name, text }) => {
        add({ name: name || texts.them, text, mine: false });
        notify();
      });
    },
    open(container, session) {
      const list = element('ol', { class: 'chat-list', 'aria-live': 'polite', 'aria-label': texts.title });
      fill(list, ...(messages.length > 0 ? messages.map(draw) : [emptyLine()]));
      show = (message) => {
        if (messages.length === 1) fill(list);
        addLine(list, draw(message));
      };
      container.append(list, messageForm(session, add));
      list.scrollTop = list.scrollHeight;
      return () => (show = () => {});
    },
  };
}

const emptyLine = (): HTMLElement => element('li', { class: 'quiet' }, texts.empty);

const draw = ({ name, text, mine }: ChatMessage): HTMLElement =>
  element(
    'li',
    { class: mine ? 'chat-line mine' : 'chat-line' },
    element('span', { class: 'chat-name', dir: 'auto' }, mine ? texts.you : name),
    element('span', { class: 'chat-text', dir: 'auto' }, text),
  );

function messageForm(session: RemoteSession, add: (message: ChatMessage) => void): HTMLElement {
  const field = element('textarea', {
    class: 'field',
    rows: 2,
    maxlength: 4_096,
    placeholder: texts.field,
    'aria-label': texts.field,
  });
  const send = (): void => {
    const text = field.value.trim();
    if (text === '' || !session.send('chat', { text, name: session.name })) return;
    add({ name: session.name, text, mine: true });
    field.value = '';
  };
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  });
  queueMicrotask(() => field.focus());
  return element(
    'div',
    { class: 'chat-writing' },
    field,
    element('button', { type: 'button', class: 'button primary', onclick: send }, texts.send),
  );
}
