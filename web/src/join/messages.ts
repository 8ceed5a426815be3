/** What was written, by the person and by all operators; everybody who is connected reads all of it. */
import type { Guest } from './guests.ts';
import { maxLines } from '../ui/chat-lines.ts';
import { texts } from './texts.ts';

export interface Message {
  name: string;
  text: string;
  mine: boolean;
}

export interface Messages {
  readonly all: readonly Message[];
  /** How many there were, also those that are not kept any more. */
  readonly count: number;
  attend(guest: Guest): void;
  /** False when nobody is there to read it. */
  say(text: string): boolean;
}

export function createMessages(live: () => readonly Guest[], changed: () => void): Messages {
  const all: Message[] = [];
  let count = 0;
  const add = (message: Message): void => {
    all.push(message);
    all.splice(0, all.length - maxLines);
    count += 1;
    changed();
  };
  const tell = (to: readonly Guest[], name: string, text: string): boolean =>
    to.map(({ session }) => session.send('chat', { name, text })).includes(true);
  return {
    all,
    get count() {
      return count;
    },
    attend(guest) {
      guest.session.on('chat', ({ text }) => {
        // Under the name that the server has signed, whatever the operator calls itself.
        add({ name: guest.name, text, mine: false });
        tell(
          live().filter((each) => each !== guest),
          guest.name,
          text,
        );
      });
    },
    say(text) {
      if (!tell(live(), texts.chat.client, text)) return false;
      add({ name: texts.chat.you, text, mine: true });
      return true;
    },
  };
}
