/** The file system of the device: folders to look into, files to fetch and to bring. A lost connection only delays. */
import type { FileEntry, SessionMessage } from '@drawbridge/contract/session/messages';
import { bringFile, type Bringing } from './bring.ts';
import { fetchFile, type Fetched } from './fetch.ts';
import { Cut, type Talks, type WishWords } from './talk.ts';

/** What lies in a folder. */
export interface Listing {
  entries: FileEntry[];
  /** More than the entries where the folder is larger than the device shows. */
  total: number;
}

export interface Remote {
  list(path: string): Promise<Listing>;
  folder(path: string): Promise<void>;
  rename(path: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  fetch(path: string, signal: AbortSignal): Promise<Fetched>;
  bring(file: Bringing, signal: AbortSignal): Promise<void>;
}

type Answer = SessionMessage<'file_answer'>;

export function createRemote(talks: Talks): Remote {
  const done = async (wish: WishWords): Promise<void> => void (await askOnce(talks, wish));
  return {
    list: (path) => list(talks, path),
    folder: (path) => done({ do: 'folder', path }),
    rename: (path, to) => done({ do: 'rename', path, to }),
    remove: (path) => done({ do: 'remove', path }),
    fetch: (path, signal) => fetchFile(talks, path, signal),
    bring: (file, signal) => bringFile(talks, file, signal),
  };
}

async function ask(talks: Talks, wish: WishWords): Promise<Answer> {
  const talk = talks.open();
  try {
    talk.say(wish);
    return (await talk.hear()) as Answer;
  } finally {
    talk.close();
  }
}

/** Of a wish that changes something nobody knows after a cut whether it was carried out. */
const askOnce = (talks: Talks, wish: WishWords): Promise<Answer> =>
  ask(talks, wish).catch((error: unknown) => {
    throw error instanceof Cut ? new Error('The connection was lost. Try again.') : error;
  });

async function askAgain(talks: Talks, wish: WishWords): Promise<Answer> {
  for (;;)
    try {
      return await ask(talks, wish);
    } catch (error) {
      if (!(error instanceof Cut)) throw error;
      await talks.live();
    }
}

/** The agent lists fewer; a hostile device could send pages without end. */
const maxListed = 100_000;

async function list(talks: Talks, path: string): Promise<Listing> {
  const entries: FileEntry[] = [];
  for (;;) {
    const after = entries.at(-1)?.name;
    const answer = await askAgain(talks, { do: 'list', path, ...(after !== undefined && { after }) });
    if (entries.length > maxListed) throw new Error('The device lists too many entries.');
    if (answer.is !== 'list') throw new Error('The device gave an unexpected answer.');
    entries.push(...answer.entries);
    if (!answer.more || answer.entries.length === 0)
      return { entries, total: Math.max(answer.total ?? 0, entries.length) };
  }
}
