/** One open stream of events to a browser, as Server-Sent Events. */
import { Readable } from 'node:stream';
import type { eventNames, PanelEvent } from '@drawbridge/contract/panel/events';

export interface Line {
  stream: Readable;
  closed: boolean;
  /** The first bytes: from which id on somebody may come back. */
  open(id: string): void;
  change(event: PanelEvent, id: string): void;
  reset(id: string): void;
  /** Says that one is signed out, and closes. */
  end(): void;
  /** A sign of life, so that nobody between takes the connection for dead. */
  beat(): void;
  close(): void;
}

/** Whoever does not take that many bytes is cut off; they come back, and ask for all anew. */
const mostWaiting = 64 * 1_024;
/** How soon a browser comes back when the connection breaks. */
const retryMs = 2_000;

export function openLine(onClose: () => void): Line {
  const stream = new Readable({ read: () => {} });
  let closed = false;
  const write = (text: string): void => {
    if (closed) return;
    stream.push(text);
    if (stream.readableLength > mostWaiting) stream.destroy();
  };
  const say = (name: (typeof eventNames)[number], data: object, id?: string): void =>
    write(`${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  const close = (): void => {
    if (!closed) stream.push(null);
    gone();
  };
  const gone = (): void => {
    if (closed) return;
    closed = true;
    onClose();
  };
  stream.once('close', gone);
  return {
    stream,
    get closed() {
      return closed;
    },
    open: (id) => write(`retry: ${retryMs}\nid: ${id}\n\n`),
    change: (event, id) => say('change', event, id),
    reset: (id) => say('reset', {}, id),
    end() {
      say('end', {});
      close();
    },
    beat: () => write(':\n\n'),
    close,
  };
}
