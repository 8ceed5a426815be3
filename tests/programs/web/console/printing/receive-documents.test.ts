/** Tests of what the page takes from a device that does not keep to the protocol. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxDocumentBytes } from '@drawbridge/contract/session/features/printing';
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { receiveDocuments } from '@drawbridge/web/console/printing/receive-documents';

type Message = Record<string, unknown>;

/** A page that receives, and what it did. */
function start() {
  const listeners = new Map<string, (payload: never) => void>();
  const sent: unknown[] = [];
  const events: unknown[] = [];
  const state = { phase: 'live' };
  let onChange = (): void => {};
  const session = {
    state,
    on: (kind: string, listener: (payload: never) => void) => listeners.set(kind, listener),
    onChange: (listener: () => void) => void (onChange = listener),
    send: (_kind: string, message: unknown) => sent.push(message),
  };
  const cancel = receiveDocuments(session as unknown as RemoteSession, {
    onBegin: (name) => events.push(`begin ${name}`),
    onProgress: () => {},
    onDocument: (name, content) => events.push([name, content.type, content.size]),
    onFailed: (name, reason) => events.push(`failed ${name}: ${reason}`),
  });
  const message = (payload: Message): void => listeners.get('document')!(payload as never);
  const chunk = (id: number, at: number, data: Uint8Array): void =>
    listeners.get('document_bytes')!({ id, at, data } as never);
  const lose = (): void => {
    state.phase = 'reconnecting';
    onChange();
  };
  return { message, chunk, lose, cancel, sent, events };
}

const begin = (id: number): Message => ({ is: 'begin', id, name: `n${id}` });

test('a document that arrived without gaps is a PDF, and each chunk is acknowledged', () => {
  const { message, chunk, sent, events } = start();
  message(begin(1));
  chunk(1, 0, new Uint8Array(3));
  chunk(1, 3, new Uint8Array(4));
  message({ is: 'end', id: 1, size: 7 });

  assert.deepEqual(events, ['begin n1', ['n1', 'application/pdf', 7]]);
  assert.deepEqual(sent, [
    { is: 'taken', id: 1, bytes: 3 },
    { is: 'taken', id: 1, bytes: 7 },
  ]);
});

test('a document with a gap, of another size or beyond the limit is given up', () => {
  const { message, chunk, sent, events } = start();
  message(begin(1));
  chunk(1, 5, new Uint8Array(3));
  message(begin(2));
  chunk(2, 0, new Uint8Array(3));
  message({ is: 'end', id: 2, size: 4 });
  message(begin(3));
  chunk(3, 0, new Uint8Array(1));
  chunk(3, 1, { length: maxDocumentBytes } as Uint8Array);

  const notWhole = 'It did not arrive completely.';
  assert.deepEqual(events, [
    'begin n1',
    `failed n1: ${notWhole}`,
    'begin n2',
    `failed n2: ${notWhole}`,
    'begin n3',
    'failed n3: It is too large.',
  ]);
  assert.deepEqual(
    sent.filter((each) => (each as Message)['is'] === 'stop'),
    [
      { is: 'stop', id: 1 },
      { is: 'stop', id: 3 },
    ],
  );
});

test('chunks and ends of documents that did not begin are ignored', () => {
  const { message, chunk, sent, events } = start();
  chunk(1, 0, new Uint8Array(3));
  message({ is: 'end', id: 1, size: 3 });
  message(begin(2));
  chunk(1, 0, new Uint8Array(3));
  message({ is: 'end', id: 1, size: 0 });

  assert.deepEqual([events, sent], [['begin n2'], []]);
});

test('a lost connection or the next document ends the one that arrives', () => {
  const { message, chunk, lose, events } = start();
  message(begin(1));
  message(begin(2));
  lose();
  lose();
  chunk(2, 0, new Uint8Array(3));

  const notWhole = 'It did not arrive completely.';
  assert.deepEqual(events, ['begin n1', `failed n1: ${notWhole}`, 'begin n2', `failed n2: ${notWhole}`]);
});

test('a page that is left stops the document that arrives', () => {
  const { message, cancel, sent } = start();
  cancel();
  message(begin(4));
  cancel();

  assert.deepEqual(sent, [{ is: 'stop', id: 4 }]);
});
