/**
 * A client of the DevTools protocol over the two pipes the browser was started with: JSON messages, each
 * terminated by NUL.
 */
import type { Readable, Writable } from 'node:stream';
import { createPendingRequests } from './pending-requests.ts';

export type Fields = Record<string, unknown>;
type Listener = (event: Fields) => void;

export interface Devtools {
  /** Sends a command to the browser or to one of its pages, and resolves with the result. */
  send<Result = Fields>(method: string, params?: Fields, session?: string): Promise<Result>;
  on(method: string, session: string, listener: Listener): void;
}

interface Message {
  id?: number;
  method?: string;
  sessionId?: string;
  params?: Fields;
  result?: Fields;
  error?: { message: string };
}

export function openDevtools(toBrowser: Writable, fromBrowser: Readable): Devtools {
  const { ask, answer, hangUp } = createPendingRequests();
  const listeners = new Map<string, Listener[]>();

  const receive = ({ id, method, sessionId, params, result, error }: Message): void => {
    if (id === undefined) listeners.get(`${sessionId} ${method}`)?.forEach((listen) => listen(params ?? {}));
    else answer(id, error ? { error: new Error(error.message) } : { result });
  };
  readMessages(fromBrowser, receive);
  fromBrowser.once('close', hangUp);
  toBrowser.on('error', hangUp);
  return {
    send: (method, params = {}, session) =>
      ask((id) => toBrowser.write(`${JSON.stringify({ id, method, params, sessionId: session })}\0`)),
    on(method, session, listener) {
      const key = `${session} ${method}`;
      listeners.set(key, [...(listeners.get(key) ?? []), listener]);
    },
  };
}

function readMessages(from: Readable, receive: (message: Message) => void): void {
  let parts: string[] = [];
  from.setEncoding('utf8').on('data', (chunk: string) => {
    const [first = '', ...rest] = chunk.split('\0');
    parts.push(first);
    for (const next of rest) {
      receive(JSON.parse(parts.join('')) as Message);
      parts = [next];
    }
  });
}
