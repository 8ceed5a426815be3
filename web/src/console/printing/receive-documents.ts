/** Receives the documents that were printed on the device, one at a time, and acknowledges their bytes. */
import { maxDocumentBytes } from '@drawbridge/contract/session/features/printing';
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { printingTexts as texts } from './texts.ts';

export interface ReceivedDocuments {
  onBegin(name: string): void;
  onProgress(bytes: number): void;
  /** The type of the content is PDF, whatever the device has sent. */
  onDocument(name: string, content: Blob): void;
  /** The name is empty if it is not known. */
  onFailed(name: string, reason: string): void;
}

interface Incoming {
  id: number;
  name: string;
  chunks: Uint8Array<ArrayBuffer>[];
  bytes: number;
}

interface State {
  session: RemoteSession;
  incoming: Incoming | undefined;
  received: ReceivedDocuments;
}

/** Returns a function that gives up the document that arrives. */
export function receiveDocuments(session: RemoteSession, received: ReceivedDocuments): () => void {
  const state: State = { session, incoming: undefined, received };
  session.on('document', (message) => {
    if (message.is === 'begin') begin(state, message);
    if (message.is === 'end') finish(state, message);
    if (message.is === 'failed') fail(state, message.message);
  });
  session.on('document_bytes', ({ id, at, data }) => append(state, id, at, data));
  session.onChange(() => {
    if (session.state.phase !== 'live') fail(state, state.incoming && texts.notWhole);
  });
  return () => {
    const { incoming } = state;
    if (!incoming) return;
    session.send('document', { is: 'stop', id: incoming.id });
    state.incoming = undefined;
  };
}

function begin(state: State, { id, name }: { id: number; name: string }): void {
  fail(state, state.incoming && texts.notWhole);
  state.incoming = { id, name, chunks: [], bytes: 0 };
  state.received.onBegin(name);
}

function append(state: State, id: number, at: number, data: Uint8Array): void {
  const { session, incoming, received } = state;
  if (incoming?.id !== id) return;
  if (at !== incoming.bytes) return refuse(state, texts.notWhole);
  if (at + data.length > maxDocumentBytes) return refuse(state, texts.tooLarge);
  incoming.chunks.push(new Uint8Array(data));
  incoming.bytes += data.length;
  session.send('document', { is: 'taken', id, bytes: incoming.bytes });
  received.onProgress(incoming.bytes);
}

function finish(state: State, { id, size }: { id: number; size: number }): void {
  const { incoming, received } = state;
  if (incoming?.id !== id) return;
  if (size !== incoming.bytes) return fail(state, texts.notWhole);
  state.incoming = undefined;
  received.onDocument(incoming.name, new Blob(incoming.chunks, { type: 'application/pdf' }));
}

function refuse(state: State, reason: string): void {
  state.session.send('document', { is: 'stop', id: state.incoming!.id });
  fail(state, reason);
}

/** Without a reason nothing has failed. */
function fail(state: State, reason: string | undefined): void {
  if (reason === undefined) return;
  const name = state.incoming?.name ?? '';
  state.incoming = undefined;
  state.received.onFailed(name, reason);
}
