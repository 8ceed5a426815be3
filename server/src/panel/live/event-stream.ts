/** One open stream of events to a browser, as Server-Sent Events. */
import { Readable } from 'node:stream';
import type { eventNames, PanelEvent } from '@drawbridge/contract/panel/events';

export interface EventStream {
  readable: Readable;
  closed: boolean;
  /** Sends the first bytes with the id from which the client can resume. */
  open(id: string): void;
  sendChange(event: PanelEvent, id: string): void;
  sendReset(id: string): void;
  /** Tells the client that it is signed out, and closes. */
  endSignedOut(): void;
  /** Keeps proxies from closing an idle connection. */
  keepAlive(): void;
  close(): void;
}

/** A client that does not read this many bytes is disconnected; it reconnects and fetches everything again. */
const maxBufferedBytes = 64 * 1_024;
/** How soon a browser reconnects after the connection breaks. */
const retryMs = 2_000;

export function openEventStream(onClose: () => void): EventStream {
  const readable = new Readable({ read: () => {} });
  let closed = false;
  const write = (text: string): void => {
    if (closed) return;
    readable.push(text);
    if (readable.readableLength > maxBufferedBytes) readable.destroy();
  };
  const writeEvent = (name: (typeof eventNames)[number], data: object, id?: string): void =>
    write(`${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  const close = (): void => {
    if (!closed) readable.push(null);
    markClosed();
  };
  const markClosed = (): void => {
    if (closed) return;
    closed = true;
    onClose();
  };
  readable.once('close', markClosed);
  return {
    readable,
    get closed() {
      return closed;
    },
    open: (id) => write(`retry: ${retryMs}\nid: ${id}\n\n`),
    sendChange: (event, id) => writeEvent('change', event, id),
    sendReset: (id) => writeEvent('reset', {}, id),
    endSignedOut() {
      writeEvent('end', {});
      close();
    },
    keepAlive: () => write(':\n\n'),
    close,
  };
}
