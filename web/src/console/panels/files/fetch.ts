/** Fetches a file of the device piece by piece, and checks at the end that it is the one that was sent. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { Cut, Refused, type Talk, type Talks } from './talk.ts';

export interface Fetched {
  size: number;
  /** Unix time of the last change. */
  time: number;
  /** The content, in order. It must be read to its end: a file that is not whole ends in an error. */
  content: AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

interface Progress {
  at: number;
  /** As announced by the device, again after each reconnect. */
  size: number;
  hash: ReturnType<typeof sha256.create>;
}

export async function fetchFile(talks: Talks, path: string, signal: AbortSignal): Promise<Fetched> {
  for (;;) {
    const talk = talks.open();
    try {
      const { size, time } = await begin(talk, path);
      return { size, time, content: contentOf(talks, talk, { path, size, signal }) };
    } catch (error) {
      talk.close();
      if (!(error instanceof Cut)) throw error;
      await talks.live();
    }
  }
}

async function begin(talk: Talk, path: string) {
  talk.say({ do: 'get', path, from: 0 });
  const begun = await talk.hear();
  if (begun.is !== 'get') throw new Refused('The device gave an unexpected answer.');
  return begun;
}

async function* contentOf(
  talks: Talks,
  first: Talk,
  { path, size, signal }: { path: string; size: number; signal: AbortSignal },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const progress: Progress = { at: 0, size, hash: sha256.create() };
  for (let talk = first; ; talk = talks.open()) {
    try {
      if (talk !== first) talk.say({ do: 'get', path, from: progress.at });
      return yield* pieces(talk, progress, signal);
    } catch (error) {
      if (!(error instanceof Cut)) throw error;
      await talks.live();
    } finally {
      talk.close();
    }
  }
}

async function* pieces(
  talk: Talk,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (;;) {
    const heard = await talk.hear();
    if (signal.aborted) {
      talk.say({ do: 'stop' });
      signal.throwIfAborted();
    }
    if (heard.is === 'sent') return check(progress, heard.sha256);
    if (heard.is === 'get') progress.size = heard.size;
    if (heard.is !== 'bytes') continue;
    if (heard.at !== progress.at) throw new Refused('A piece of the file is missing.');
    progress.hash.update(heard.data);
    progress.at += heard.data.length;
    if (progress.at > progress.size) {
      talk.say({ do: 'stop' });
      throw new Refused('The device sent more bytes than it announced.');
    }
    yield heard.data as Uint8Array<ArrayBuffer>;
    // Only now: the device must not send faster than the file is put away.
    talk.say({ do: 'taken', bytes: progress.at });
  }
}

function check({ hash }: Progress, sent: string): void {
  if (bytesToHex(hash.digest()) !== sent)
    throw new Refused('The file changed during the download. Download it again.');
}
