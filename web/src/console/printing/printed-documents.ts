/** The documents that were printed on the device, offered to the operator. Nothing is opened or saved without a click. */
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { button } from '../../ui/button.ts';
import { element } from '../../ui/element.ts';
import type { Notices } from '../../ui/notices.ts';
import { readableBytes } from '../../ui/readable.ts';
import { readableName } from '../../ui/readable-text.ts';
import { saveFile } from '../../ui/save-file.ts';
import { receiveDocuments } from './receive-documents.ts';
import { printingTexts as texts } from './texts.ts';

export interface PrintedDocuments {
  element: HTMLElement;
  close(): void;
}

/** The oldest ones are discarded beyond these, because any program on the device can print. */
const [maxDocuments, maxBytes] = [10, 300 * 1_024 * 1_024];

interface OfferedDocument {
  card: HTMLElement;
  bytes: number;
  /** Releases the content. */
  discard(): void;
}

interface State {
  list: HTMLElement;
  /** Shows the document that arrives. */
  arriving: HTMLElement;
  offered: OfferedDocument[];
}

export function createPrintedDocuments(session: RemoteSession, show: Notices['show']): PrintedDocuments {
  const arriving = element('div', { class: 'document', hidden: true });
  const list = element('section', { class: 'documents', 'aria-label': texts.documents, role: 'log' });
  list.append(arriving);
  const state: State = { list, arriving, offered: [] };
  const cancel = receiveDocuments(session, {
    onBegin: (name) => showArriving(state, name),
    onProgress: (bytes) => showProgress(state, bytes),
    onDocument: (name, content) => offer(state, readableName(name) || texts.unnamed, content),
    onFailed(name, reason) {
      arriving.hidden = true;
      show(texts.failed(readableName(name), reason), 'bad');
    },
  });
  return {
    element: list,
    close() {
      cancel();
      for (const { discard } of state.offered.splice(0)) discard();
    },
  };
}

function showArriving({ arriving }: State, name: string): void {
  const title = element('p', { dir: 'auto' }, readableName(name) || texts.unnamed);
  arriving.replaceChildren(element('p', { class: 'document-kind' }, texts.title), title, element('small'));
  arriving.hidden = false;
}

function showProgress({ arriving }: State, bytes: number): void {
  arriving.querySelector('small')!.textContent = texts.arriving(readableBytes(bytes));
}

function offer(state: State, name: string, content: Blob): void {
  state.arriving.hidden = true;
  const url = URL.createObjectURL(content);
  const fileName = /\.pdf$/i.test(name) ? name : `${name}.pdf`;
  const card = element(
    'div',
    { class: 'document' },
    element('p', { class: 'document-kind' }, texts.title),
    element('p', { dir: 'auto' }, name),
    element('small', {}, readableBytes(content.size)),
    element(
      'div',
      { class: 'document-actions' },
      element('a', { class: 'button primary', href: url, target: '_blank', rel: 'noopener' }, texts.open),
      button(texts.save, () => saveFile(content, fileName)),
      button(texts.dismiss, () => remove(state, document)),
    ),
  );
  const document: OfferedDocument = { card, bytes: content.size, discard: () => URL.revokeObjectURL(url) };
  state.offered.push(document);
  state.list.prepend(card);
  while (state.offered.length > maxDocuments || bytesOf(state) > maxBytes) remove(state, state.offered[0]!);
}

const bytesOf = ({ offered }: State): number => offered.reduce((sum, { bytes }) => sum + bytes, 0);

function remove(state: State, document: OfferedDocument): void {
  document.card.remove();
  document.discard();
  state.offered = state.offered.filter((each) => each !== document);
}
