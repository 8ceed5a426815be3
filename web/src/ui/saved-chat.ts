/** Keeps the messages of a chat in this tab, so that they survive a reload. They are never sent to the server. */

export interface ChatMessage {
  name: string;
  text: string;
  mine: boolean;
}

export interface SavedChat {
  load(): ChatMessage[];
  /** Keeps the newest messages that fit. */
  save(messages: readonly ChatMessage[]): void;
  clear(): void;
}

/** Characters of all messages together; browsers allow a page a few million. */
const maxCharacters = 200_000;

const isMessage = (value: unknown): value is ChatMessage => {
  const { name, text, mine } = (value ?? {}) as Partial<ChatMessage>;
  return typeof name === 'string' && typeof text === 'string' && typeof mine === 'boolean';
};

/** `of` names the session or invitation. */
export function createSavedChat(of: string, storage: Storage = sessionStorage): SavedChat {
  const name = `drawbridge.chat.${of}`;
  return {
    load() {
      try {
        const kept: unknown = JSON.parse(storage.getItem(name) ?? '[]');
        return Array.isArray(kept) ? kept.filter(isMessage) : [];
      } catch {
        return [];
      }
    },
    save(messages) {
      try {
        storage.setItem(name, JSON.stringify(newestOf(messages)));
      } catch {
        // Without storage the messages are lost with the page.
      }
    },
    clear: () => storage.removeItem(name),
  };
}

function newestOf(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  let left = maxCharacters;
  const first = messages.findLastIndex(({ name, text }) => (left -= name.length + text.length) < 0);
  return messages.slice(first + 1);
}
