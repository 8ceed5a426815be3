/** Files: an operator looks into folders, fetches and brings files in pieces, and never faster than the other side takes them. */
import { createHash } from 'node:crypto';
import { pieceBytes, readPiece } from '@drawbridge/contract/session/bytes';
import { readWord, wordBytes, type Word } from '@drawbridge/contract/session/words';
import type { Files, GrowingFile, ReadableFile } from '../../platform/files.ts';
import { NotPossible } from '../../platform/platform.ts';
import { misshapen } from '../misshapen.ts';
import type { Leg, PartOf } from '../part.ts';

const mostTransfers = 16;
const pieceLength = 64 * 1_024;
/** Bytes on their way to the operator that were not acknowledged yet. */
const mostUntaken = 2 * 1_024 * 1_024;
/** Entries in one answer. */
const pageLength = 500;

type Asked<Name> = Extract<Word<'file'>, { do: Name }>;
type Answer = Word<'file_answer'>;

interface Outgoing {
  file: ReadableFile;
  sent: number;
  taken: number;
  stopped: boolean;
  /** Lets the sending go on. */
  wake(): void;
}

interface Incoming {
  file: GrowingFile;
  /** Pieces are written one after the other. */
  last: Promise<void>;
}

export const files: PartOf = (leg) => {
  const outgoing = new Map<number, Outgoing>();
  const incoming = new Map<number, Incoming>();
  let opened: Promise<Files> | undefined;
  const root = (): Promise<Files> => (opened ??= leg.platform.files());
  const isTaken = (id: number): boolean => outgoing.has(id) || incoming.has(id);
  const answer = (word: Answer): void => leg.send('file_answer', wordBytes('file_answer', word));
  const failed = (id: number, error: unknown): void =>
    answer({ is: 'failed', id, message: sentenceOf(error).slice(0, 512) });

  const asked: { [Name in Word<'file'>['do']]: (word: Asked<Name>) => void | Promise<void> } = {
    async list({ id, path, after }) {
      const entries = (await (await root()).list(path)).filter(
        ({ name }) => after === undefined || name > after,
      );
      answer({
        is: 'list',
        id,
        path,
        entries: entries.slice(0, pageLength),
        more: entries.length > pageLength,
      });
    },
    async get({ id, path, from }) {
      room(id);
      const file = await (await root()).open(path);
      leg.log(`${leg.operator.name} fetches ${path}`);
      const transfer = { file, sent: from, taken: from, stopped: false, wake: () => {} };
      outgoing.set(id, transfer);
      answer({ is: 'get', id, size: file.size, time: file.time });
      // Not waited for: what the operator says meanwhile keeps it going, or stops it.
      void pour(leg, id, transfer)
        .catch((error: unknown) => failed(id, error))
        .then(() => outgoing.delete(id))
        .then(() => file.close());
    },
    async put({ id, ...wish }) {
      room(id);
      const file = await (await root()).create(wish);
      leg.log(`${leg.operator.name} brings ${wish.path}`);
      incoming.set(id, { file, last: Promise.resolve() });
      answer({ is: 'put', id, from: file.from });
    },
    async finish({ id, sha256 }) {
      const transfer = incoming.get(id);
      if (!transfer) return;
      incoming.delete(id);
      await transfer.last;
      await transfer.file.finish(sha256);
      answer({ is: 'done', id });
    },
    async stop({ id }) {
      halt(outgoing.get(id));
      const transfer = incoming.get(id);
      incoming.delete(id);
      await transfer?.last.catch(() => {});
      await transfer?.file.close();
    },
    folder: async ({ id, path }) => {
      await (await root()).folder(path);
      answer({ is: 'done', id });
    },
    rename: async ({ id, path, to }) => {
      await (await root()).rename(path, to);
      leg.log(`${leg.operator.name} renamed ${path} to ${to}`);
      answer({ is: 'done', id });
    },
    remove: async ({ id, path }) => {
      await (await root()).remove(path);
      leg.log(`${leg.operator.name} removed ${path}`);
      answer({ is: 'done', id });
    },
    taken({ id, bytes }) {
      const transfer = outgoing.get(id);
      if (!transfer) return;
      transfer.taken = Math.max(transfer.taken, bytes);
      transfer.wake();
    },
  };

  function room(id: number): void {
    if (isTaken(id)) throw new NotPossible('There is a transfer of this number already.');
    if (outgoing.size + incoming.size >= mostTransfers) throw new NotPossible('Too many files at once.');
  }

  function take(id: number, at: number, data: Uint8Array): void {
    const transfer = incoming.get(id);
    if (!transfer) return;
    transfer.last = transfer.last
      .then(() => transfer.file.write(at, data))
      .then(() => answer({ is: 'taken', id, bytes: at + data.length }));
    transfer.last.catch((error: unknown) => {
      if (!incoming.delete(id)) return;
      failed(id, error);
      void transfer.file.close();
    });
  }

  return {
    hear: {
      async file(payload) {
        const word = readWord('file', payload) ?? misshapen('file');
        await Promise.resolve((asked[word.do] as (word: Word<'file'>) => void | Promise<void>)(word)).catch(
          (error: unknown) => failed(word.id, error),
        );
      },
      file_bytes(payload) {
        const { id, at, data } = readPiece(payload) ?? misshapen('file_bytes');
        // The frame's memory is used again: what is written later must be a copy.
        take(id, at, Uint8Array.from(data));
      },
    },
    async stop() {
      for (const transfer of outgoing.values()) halt(transfer);
      await Promise.all(
        [...incoming.values()].map(({ last, file }) => last.catch(() => {}).then(() => file.close())),
      );
      incoming.clear();
    },
  };
};

function halt(transfer: Outgoing | undefined): void {
  if (!transfer) return;
  transfer.stopped = true;
  transfer.wake();
}

/** Sends a file from where it stands to its end, with its hash at last. A file that is gone on with is hashed from its beginning. */
async function pour(leg: Leg, id: number, transfer: Outgoing): Promise<void> {
  const { file } = transfer;
  const hash = createHash('sha256');
  for (let at = 0; !transfer.stopped;) {
    const data = await file.read(at, pieceLength);
    if (data.length === 0) break;
    hash.update(data);
    const end = at + data.length;
    if (end > transfer.sent) {
      const fresh = data.subarray(Math.max(0, transfer.sent - at));
      leg.send('file_bytes', pieceBytes({ id, at: transfer.sent, data: fresh }));
      transfer.sent = end;
      await flow(leg, transfer);
    }
    at = end;
  }
  if (!transfer.stopped)
    leg.send('file_answer', wordBytes('file_answer', { is: 'sent', id, sha256: hash.digest('hex') }));
}

/** Waits while the operator has much to take in, or the line has much to carry. */
async function flow(leg: Leg, transfer: Outgoing): Promise<void> {
  if (leg.buffered() > mostUntaken) await leg.drained();
  while (!transfer.stopped && transfer.sent - transfer.taken >= mostUntaken) {
    const { promise, resolve } = Promise.withResolvers<void>();
    transfer.wake = resolve;
    await promise;
  }
}

const sentenceOf = (error: unknown): string =>
  error instanceof NotPossible ? error.message : 'The device could not do it.';
