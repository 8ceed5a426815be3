/** Files: the operator lists folders and downloads and uploads files in chunks, with flow control in both directions. */
import { allowsDirection } from '@drawbridge/contract/policy';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import { createDeviceFileHash } from '@drawbridge/session/node/file-hash';
import { createSendWindow, type SendWindow, type WindowShare } from '@drawbridge/session/send-window';
import type { Files, PartialFile } from '../../platform/files.ts';
import { NotPossible } from '../../platform/platform.ts';
import type { FeatureContext, FeatureFactory } from '../feature.ts';
import { createPendingOpens, type PendingOpens } from './pending-opens.ts';
import { sendFile } from './send-file.ts';

const maxTransfers = 16;

type FileRequest<Name> = Extract<SessionMessage<'file'>, { do: Name }>;
type Answer = SessionMessage<'file_answer'>;

interface State {
  context: FeatureContext;
  /** The bytes of downloads that may be in flight, and the share of each download. */
  sendWindow: SendWindow;
  outgoing: Map<number, WindowShare>;
  incoming: Map<number, PartialFile>;
  /** Resolves when the files of finished uploads are in place. */
  finished: Promise<unknown>;
  pendingOpens: PendingOpens;
  opened: Promise<Files> | undefined;
}

export const filesFeature: FeatureFactory = (context) => {
  const outgoing = new Map<number, WindowShare>();
  const incoming = new Map<number, PartialFile>();
  const pendingOpens = createPendingOpens({
    isTaken: (id) => outgoing.has(id) || incoming.has(id),
    open: () => outgoing.size + incoming.size,
    most: maxTransfers,
  });
  const state: State = {
    context,
    sendWindow: createSendWindow(() => performance.now()),
    outgoing,
    incoming,
    finished: Promise.resolve(),
    pendingOpens,
    opened: undefined,
  };
  return {
    handlers: {
      async file(payload) {
        const word = payload;
        await handleRequest(state, word);
      },
      file_bytes: ({ id, at, data }) => receive(state, id, at, data),
    },
    policyChanged: () => policyChanged(state),
    stop: () => stopAll(state),
  };
};

const filesOf = (state: State): Promise<Files> => (state.opened ??= state.context.platform.files());

const answer = ({ context }: State, message: Answer): void => context.send('file_answer', message);

const reportFailure = (state: State, id: number, error: unknown): void =>
  answer(state, { is: 'failed', id, message: sentenceOf(error).slice(0, 512) });

const logOperation = ({ context }: State, operation: string): void =>
  context.log(`${context.operator.name} ${operation}`);

async function handleRequest(state: State, request: SessionMessage<'file'>): Promise<void> {
  const handle = requestHandlers[request.do] as RequestHandler<SessionMessage<'file'>>;
  try {
    requireAllowed(state, request.do);
    await handle(state, request);
  } catch (error) {
    reportFailure(state, request.id, error);
  }
}

/** The direction of each request, if it has one. */
const directions: Partial<Record<SessionMessage<'file'>['do'], 'to_device' | 'from_device'>> = {
  get: 'from_device',
  put: 'to_device',
  finish: 'to_device',
  folder: 'to_device',
  rename: 'to_device',
  remove: 'to_device',
};

const notAllowed = {
  to_device: 'The policy of this device does not allow changes of its files.',
  from_device: 'The policy of this device does not allow downloads.',
};

function requireAllowed({ context }: State, operation: SessionMessage<'file'>['do']): void {
  const direction = directions[operation];
  if (direction && !allowsDirection(context.policy.files, direction))
    throw new NotPossible(notAllowed[direction]);
}

/** Ends the transfers that the policy forbids now. */
function policyChanged(state: State): void {
  const { outgoing, incoming, context } = state;
  const end = (direction: keyof typeof notAllowed, ids: readonly number[]): void => {
    if (allowsDirection(context.policy.files, direction)) return;
    for (const id of ids) {
      reportFailure(state, id, new NotPossible(notAllowed[direction]));
      void cancelTransfer(state, { do: 'stop', id });
    }
  };
  end('from_device', [...outgoing.keys()]);
  end('to_device', [...incoming.keys()]);
}

type RequestHandler<Request> = (state: State, request: Request) => void | Promise<void>;

const requestHandlers: {
  [Name in SessionMessage<'file'>['do']]: RequestHandler<FileRequest<Name>>;
} = {
  get: download,
  put: upload,
  finish: finishUpload,
  stop: cancelTransfer,
  async list(state, { id, path, after }) {
    const files = await filesOf(state);
    answer(state, { is: 'list', id, path, ...(await files.list(path, after)) });
  },
  async folder(state, { id, path }) {
    await (await filesOf(state)).folder(path);
    answer(state, { is: 'done', id });
  },
  async rename(state, { id, path, to }) {
    await (await filesOf(state)).rename(path, to);
    logOperation(state, `renamed ${path} to ${to}`);
    answer(state, { is: 'done', id });
  },
  async remove(state, { id, path }) {
    await (await filesOf(state)).remove(path);
    logOperation(state, `removed ${path}`);
    answer(state, { is: 'done', id });
  },
  taken: ({ outgoing }, { id, bytes }) => outgoing.get(id)?.acknowledge(bytes),
};

function download(state: State, { id, path, from, hash }: FileRequest<'get'>): Promise<void> {
  const { context, outgoing, pendingOpens } = state;
  return pendingOpens.reserve(id, {
    open: async () => (await filesOf(state)).open(path),
    drop: (file) => file.close(),
    keep(file) {
      logOperation(state, `downloads ${path}`);
      const window = state.sendWindow.join();
      outgoing.set(id, window);
      answer(state, { is: 'get', id, size: file.size, time: file.time, hash });
      // Not awaited, because later messages of the operator continue or stop the transfer.
      void sendFile(context, id, { file, from, window, hash: createDeviceFileHash(hash) })
        .catch((error: unknown) => reportFailure(state, id, error))
        .then(() => window.leave())
        .then(() => outgoing.delete(id))
        .then(() => file.close());
    },
  });
}

function upload(state: State, { id, ...target }: FileRequest<'put'>): Promise<void> {
  const { incoming, pendingOpens } = state;
  return pendingOpens.reserve(id, {
    open: async () => (await filesOf(state)).create(target),
    // If the session was cut, the operator may resume the upload later.
    drop: (file) => (pendingOpens.isOver() ? file.close() : file.discard()),
    keep(file) {
      logOperation(state, `uploads ${target.path}`);
      incoming.set(id, file);
      answer(state, { is: 'put', id, from: file.from, hash: target.hash });
    },
  });
}

function receive(state: State, id: number, at: number, data: Uint8Array): void {
  const { incoming } = state;
  const file = incoming.get(id);
  if (!file) return;
  file.write(at, data).then(
    () => answer(state, { is: 'taken', id, bytes: at + data.length }),
    (error: unknown) => {
      if (!incoming.delete(id)) return;
      reportFailure(state, id, error);
      void file.discard();
    },
  );
}

async function finishUpload(state: State, { id, sha256 }: FileRequest<'finish'>): Promise<void> {
  const file = state.incoming.get(id);
  if (!file) return;
  state.incoming.delete(id);
  const finishing = file.finish(sha256);
  state.finished = Promise.allSettled([state.finished, finishing]);
  await finishing;
  answer(state, { is: 'done', id });
}

async function cancelTransfer(state: State, { id }: FileRequest<'stop'>): Promise<void> {
  const { outgoing, incoming, pendingOpens } = state;
  pendingOpens.cancel(id);
  outgoing.get(id)?.leave();
  const file = incoming.get(id);
  incoming.delete(id);
  await file?.discard();
}

async function stopAll(state: State): Promise<void> {
  const { outgoing, incoming, pendingOpens } = state;
  pendingOpens.end();
  for (const window of outgoing.values()) window.leave();
  const closing = [...incoming.values()].map((file) => file.close());
  incoming.clear();
  await Promise.all([...closing, state.finished]);
}

const sentenceOf = (error: unknown): string =>
  error instanceof NotPossible ? error.message : 'The device could not do this.';
