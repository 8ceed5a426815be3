/** A client of WebDriver BiDi, the protocol that browsers have in common: JSON messages over a WebSocket. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Fields } from './devtools.ts';
import { createPendingRequests } from './pending-requests.ts';

export interface Bidi {
  /** Sends a command and resolves with the result. */
  send<Result = Fields>(method: string, params?: Fields): Promise<Result>;
  /** Calls the listener with the events of one page, after they were subscribed to. */
  on(method: string, context: string, listener: (event: Fields) => void): void;
}

interface Message {
  id?: number;
  method?: string;
  params?: Fields & { context?: string; source?: { context?: string } };
  result?: Fields;
  error?: string;
  message?: string;
}

export async function openBidi(address: string): Promise<Bidi> {
  const socket = new WebSocket(`${address}/session`, { perMessageDeflate: false });
  const { ask, answer, hangUp } = createPendingRequests();
  const listeners = new Map<string, ((event: Fields) => void)[]>();

  const receive = ({ id, method, params, result, error, message }: Message): void => {
    const context = params?.context ?? params?.source?.context;
    if (id === undefined) listeners.get(`${context} ${method}`)?.forEach((listen) => listen(params ?? {}));
    else answer(id, error === undefined ? { result } : { error: new Error(`${error}: ${message}`) });
  };
  socket.on('message', (data) => receive(JSON.parse(String(data)) as Message));
  socket.on('error', hangUp);
  socket.once('close', hangUp);
  await once(socket, 'open');
  return {
    send: (method, params = {}) => ask((id) => socket.send(JSON.stringify({ id, method, params }))),
    on(method, context, listener) {
      const key = `${context} ${method}`;
      listeners.set(key, [...(listeners.get(key) ?? []), listener]);
    },
  };
}

/** A value of the page in the encoding of the protocol. */
export type RemoteValue =
  | { type: 'undefined' | 'null' }
  | { type: 'array'; value: RemoteValue[] }
  | { type: 'object'; value: [string, RemoteValue][] }
  | { type: 'string' | 'number' | 'boolean'; value: unknown }
  | { type: 'node' };

/** Decodes the value; anything that is not a plain value is left out. */
export function toPlainValue(remote: RemoteValue): unknown {
  if (remote.type === 'null') return null;
  if (!('value' in remote)) return undefined;
  if (remote.type === 'array') return remote.value.map(toPlainValue);
  if (remote.type === 'object')
    return Object.fromEntries(remote.value.map(([name, value]) => [name, toPlainValue(value)]));
  return remote.value;
}
