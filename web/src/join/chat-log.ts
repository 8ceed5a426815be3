/** The messages of the person and all operators. Everybody who is connected receives all of them. */
import type { ConnectedOperator } from './connected-operators.ts';
import { maxLines } from '../ui/chat-lines.ts';
import type { ChatMessage, SavedChat } from '../ui/saved-chat.ts';
import { joinTexts } from './texts.ts';

export interface ChatLog {
  readonly all: readonly ChatMessage[];
  /** The total number of messages, including those no longer kept. */
  readonly count: number;
  addOperator(operator: ConnectedOperator): void;
  /** Returns false when no operator received it. */
  send(text: string): boolean;
}

export function createChatLog(
  live: () => readonly ConnectedOperator[],
  saved: SavedChat,
  changed: () => void,
): ChatLog {
  const all: ChatMessage[] = saved.load().slice(-maxLines);
  let count = all.length;
  const add = (message: ChatMessage): void => {
    all.push(message);
    all.splice(0, all.length - maxLines);
    saved.save(all);
    count += 1;
    changed();
  };
  const broadcast = (to: readonly ConnectedOperator[], name: string, text: string): boolean =>
    to.map(({ session }) => session.send('chat', { name, text })).includes(true);
  return {
    all,
    get count() {
      return count;
    },
    addOperator(operator) {
      operator.session.on('chat', ({ text }) => {
        // Uses the name that the server signed, not the one in the message.
        add({ name: operator.name, text, mine: false });
        broadcast(
          live().filter((each) => each !== operator),
          operator.name,
          text,
        );
      });
    },
    send(text) {
      if (!broadcast(live(), joinTexts.chat.client, text)) return false;
      add({ name: joinTexts.chat.you, text, mine: true });
      return true;
    },
  };
}
