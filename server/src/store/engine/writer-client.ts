/** The main thread's side of the writer thread: sends changes to it and settles their promises. */
import { Worker } from 'node:worker_threads';
import type { DatabaseOptions } from './database.ts';
import type { ChangeJob } from './transaction.ts';
import type { CommitMessage, WriteReply, WriteRequest, WriterData } from './write-messages.ts';

interface PendingWrite {
  resolve(outcome: unknown): void;
  reject(error: Error): void;
}

interface WriterListeners extends Pick<DatabaseOptions, 'onCommit' | 'onBroken'> {
  /** Called after each commit, before the promises of its changes settle. */
  renewReads(): void;
}

interface State {
  worker: Worker;
  listeners: WriterListeners;
  pending: Map<number, PendingWrite>;
  /** Submitted in this turn of the event loop and not sent yet. */
  submitted: WriteRequest[];
  lastNumber: number;
  broken: Error | undefined;
  closing: boolean;
}

export interface WriterClient {
  submit(job: ChangeJob): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts the worker thread that owns the writing connection. */
export function startWriter(workerData: WriterData, listeners: WriterListeners): WriterClient {
  const workerFile = import.meta.url.endsWith('.ts') ? './writer.ts' : './writer.js';
  const worker = new Worker(new URL(workerFile, import.meta.url), { workerData });
  const state: State = {
    worker,
    listeners,
    pending: new Map(),
    submitted: [],
    lastNumber: 0,
    broken: undefined,
    closing: false,
  };
  worker.on('message', (commit: CommitMessage) => settleCommit(state, commit));
  worker.on('error', (error: Error) => fail(state, error));
  const ended = new Promise<void>((resolve) =>
    worker.once('exit', () => (fail(state, new Error('The store is closed.')), resolve())),
  );
  return {
    submit: (job) => submit(state, job),
    async close() {
      requestClose(state);
      await ended;
    },
  };
}

function settleCommit({ listeners, pending }: State, { answers, seconds }: CommitMessage): void {
  listeners.onCommit?.(answers.length, seconds);
  listeners.renewReads();
  for (const answer of answers) settle(pending, answer);
}

function settle(pending: Map<number, PendingWrite>, answer: WriteReply): void {
  const write = pending.get(answer.number);
  pending.delete(answer.number);
  if ('error' in answer) write?.reject(Object.assign(new Error(answer.error), { code: answer.code }));
  else write?.resolve(answer.outcome);
}

function fail(state: State, error: Error): void {
  if (!state.broken && !state.closing) state.listeners.onBroken?.(error);
  state.broken ??= error;
  for (const write of state.pending.values()) write.reject(error);
  state.pending.clear();
}

/** The writer begins with this many, while the main thread still receives others in the same turn of the event loop. */
const messageSize = 16;

/** Changes that are submitted in one turn of the event loop share messages. */
const submit = (state: State, job: ChangeJob): Promise<unknown> =>
  new Promise((resolve, reject) => {
    if (state.broken) return reject(state.broken);
    const number = ++state.lastNumber;
    state.pending.set(number, { resolve, reject });
    const waiting = state.submitted.push({ number, job });
    if (waiting === messageSize) post(state);
    else if (waiting === 1) setImmediate(() => post(state));
  });

function post(state: State): void {
  if (state.submitted.length === 0) return;
  state.worker.postMessage(state.submitted);
  state.submitted = [];
}

function requestClose(state: State): void {
  state.closing = true;
  post(state);
  state.worker.postMessage('close');
}
