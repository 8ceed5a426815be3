/** Files: an operator looks into folders, fetches and brings files in pieces, and never faster than the other side takes them. */
import { decodeDataChunk } from '@drawbridge/contract/session/binary-frames';
import { decodeMessage, encodeMessage, type SessionMessage } from '@drawbridge/contract/session/messages';
import type { Files, PartialFile } from '../../platform/files.ts';
import { NotPossible } from '../../platform/platform.ts';
import { malformed } from '../malformed-frame.ts';
import type { FeatureFactory } from '../feature.ts';
import { createPendingOpens } from './pending-opens.ts';
import { stopTransfer, sendFile, type OutgoingTransfer } from './send-file.ts';

const maxTransfers = 16;

type FileRequest<Name> = Extract<SessionMessage<'file'>, { do: Name }>;
type Answer = SessionMessage<'file_answer'>;

interface IncomingTransfer {
  file: PartialFile;
  /** Pieces are written one after the other. */
  last: Promise<void>;
}

export const filesFeature: FeatureFactory = (context) => {
  const outgoing = new Map<number, OutgoingTransfer>();
  const incoming = new Map<number, IncomingTransfer>();
  let opened: Promise<Files> | undefined;
  const root = (): Promise<Files> => (opened ??= context.platform.files());
  const pendingOpens = createPendingOpens({
    isTaken: (id) => outgoing.has(id) || incoming.has(id),
    open: () => outgoing.size + incoming.size,
    most: maxTransfers,
  });
  const answer = (word: Answer): void => context.send('file_answer', encodeMessage('file_answer', word));
  const failed = (id: number, error: unknown): void =>
    answer({ is: 'failed', id, message: sentenceOf(error).slice(0, 512) });

  const requestHandlers: {
    [Name in SessionMessage<'file'>['do']]: (word: FileRequest<Name>) => void | Promise<void>;
  } = {
    async list({ id, path, after }) {
      answer({ is: 'list', id, path, ...(await (await root()).list(path, after)) });
    },
    async get({ id, path, from }) {
      await pendingOpens.reserve(id, {
        open: async () => (await root()).open(path),
        drop: (file) => file.close(),
        keep(file) {
          context.log(`${context.operator.name} downloads ${path}`);
          const transfer = { file, sent: from, acknowledged: from, stopped: false, wake: () => {} };
          outgoing.set(id, transfer);
          answer({ is: 'get', id, size: file.size, time: file.time });
          // Not waited for: what the operator says meanwhile keeps it going, or stops it.
          void sendFile(context, id, transfer)
            .catch((error: unknown) => failed(id, error))
            .then(() => outgoing.delete(id))
            .then(() => file.close());
        },
      });
    },
    async put({ id, ...target }) {
      await pendingOpens.reserve(id, {
        open: async () => (await root()).create(target),
        // Of a session that was cut, somebody may go on with what there is.
        drop: (file) => (pendingOpens.isOver() ? file.close() : file.discard()),
        keep(file) {
          context.log(`${context.operator.name} uploads ${target.path}`);
          incoming.set(id, { file, last: Promise.resolve() });
          answer({ is: 'put', id, from: file.from });
        },
      });
    },
    async finish({ id, sha256 }) {
      const transfer = incoming.get(id);
      if (!transfer) return;
      incoming.delete(id);
      await transfer.last.catch(async (error: unknown) => {
        await transfer.file.discard();
        throw error;
      });
      await transfer.file.finish(sha256);
      answer({ is: 'done', id });
    },
    async stop({ id }) {
      pendingOpens.cancel(id);
      stopTransfer(outgoing.get(id));
      const transfer = incoming.get(id);
      incoming.delete(id);
      await transfer?.last.catch(() => {});
      await transfer?.file.discard();
    },
    folder: async ({ id, path }) => {
      await (await root()).folder(path);
      answer({ is: 'done', id });
    },
    rename: async ({ id, path, to }) => {
      await (await root()).rename(path, to);
      context.log(`${context.operator.name} renamed ${path} to ${to}`);
      answer({ is: 'done', id });
    },
    remove: async ({ id, path }) => {
      await (await root()).remove(path);
      context.log(`${context.operator.name} removed ${path}`);
      answer({ is: 'done', id });
    },
    taken({ id, bytes }) {
      const transfer = outgoing.get(id);
      if (!transfer) return;
      transfer.acknowledged = Math.max(transfer.acknowledged, bytes);
      transfer.wake();
    },
  };

  function receive(id: number, at: number, data: Uint8Array): void {
    const transfer = incoming.get(id);
    if (!transfer) return;
    transfer.last = transfer.last
      .then(() => transfer.file.write(at, data))
      .then(() => answer({ is: 'taken', id, bytes: at + data.length }));
    transfer.last.catch((error: unknown) => {
      if (!incoming.delete(id)) return;
      failed(id, error);
      void transfer.file.discard();
    });
  }

  return {
    handlers: {
      async file(payload) {
        const word = decodeMessage('file', payload) ?? malformed('file');
        await Promise.resolve(
          (requestHandlers[word.do] as (word: SessionMessage<'file'>) => void | Promise<void>)(word),
        ).catch((error: unknown) => failed(word.id, error));
      },
      file_bytes(payload) {
        const { id, at, data } = decodeDataChunk(payload) ?? malformed('file_bytes');
        // The frame's memory is used again: what is written later must be a copy.
        receive(id, at, Uint8Array.from(data));
      },
    },
    async stop() {
      pendingOpens.end();
      for (const transfer of outgoing.values()) stopTransfer(transfer);
      await Promise.all(
        [...incoming.values()].map(({ last, file }) => last.catch(() => {}).then(() => file.close())),
      );
      incoming.clear();
    },
  };
};

const sentenceOf = (error: unknown): string =>
  error instanceof NotPossible ? error.message : 'The device could not do this.';
