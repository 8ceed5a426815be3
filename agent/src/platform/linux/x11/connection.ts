/** A connection to an X11 display with promises instead of callbacks. */
import type x11 from 'x11';
import { NotPossible } from '../../platform.ts';
import { findDisplays, type DisplayAddress } from '../display.ts';
import { openDisplay } from './open-display.ts';

export interface X11Connection {
  /** Such as `:0`. */
  display: string;
  client: x11.Client;
  screen: x11.Screen;
  root: number;
  /** Sends a request and resolves with its answer: `call((done) => client.GetGeometry(window, done))`. */
  call<Result>(send: (done: x11.Done<Result>) => void): Promise<Result>;
  /** Returns an extension of the display; rejects with NotPossible if the display does not have it. */
  extension<Name extends keyof x11.Extensions>(name: Name): Promise<x11.Extensions[Name]>;
  /** Sends a request that the package does not support; `fields` are the 32-bit numbers after the header. */
  request<Result>(
    codes: { major: number; minor: number },
    fields: readonly number[],
    read: (body: Buffer) => Result,
  ): Promise<Result>;
  /** Subscribes to all events of the display; the returned function unsubscribes. */
  onEvent(listener: (event: x11.Event) => void): () => void;
  /** Called when the display is gone or the connection is closed. */
  onClose(listener: () => void): void;
  isOpen(): boolean;
  close(): void;
}

/** Errors of a socket whose display server has ended. */
const gone: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOENT']);

/** Connects to the first of these displays that accepts the agent in time; by default in the order of `findDisplays`. */
export async function connectToDisplay(
  addresses?: readonly DisplayAddress[],
  timeoutMs?: number,
): Promise<X11Connection> {
  const failures: string[] = [];
  for (const address of addresses ?? (await findDisplays()))
    try {
      return createX11Connection(await openDisplay(address, timeoutMs), address.display);
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      const isLeftOver = address.socket !== undefined && gone.has(code);
      if (!isLeftOver)
        failures.push(`The display ${address.display} could not be opened: ${message.trim()}.`);
    }
  throw new NotPossible(
    failures.join(' ') || 'Nobody is using a screen on this device, or the screen is not an X11 screen.',
  );
}

interface State {
  client: x11.Client;
  eventListeners: Set<(event: x11.Event) => void>;
  closeListeners: Set<() => void>;
  /** Rejects the calls that wait for an answer. */
  pending: Set<(error: Error) => void>;
  isClosed: boolean;
}

function createX11Connection({ client, screen: [screen] }: x11.Opened, display: string): X11Connection {
  // The package shares one table between all displays, although each display has its own atom numbers.
  client.atoms = { ...client.atoms };
  const state: State = {
    client,
    eventListeners: new Set(),
    closeListeners: new Set(),
    pending: new Set(),
    isClosed: false,
  };
  client.on('event', (event) => state.eventListeners.forEach((listener) => listener(event)));
  client.on('end', () => end(state));
  client.stream.on('close', () => end(state));
  return {
    display,
    client,
    screen: screen!,
    root: screen!.root,
    call: (send) => call(state, send),
    extension: (name) =>
      call<x11.Extensions[typeof name]>(state, (done) => client.require(name, done)).catch(() => {
        throw new NotPossible(`The display does not have the extension ${name}.`);
      }),
    request: (codes, fields, read) =>
      call(state, (done) => sendRequest(client, codes, { fields, read, done })),
    onEvent(listener) {
      state.eventListeners.add(listener);
      return () => state.eventListeners.delete(listener);
    },
    onClose: (listener) => void state.closeListeners.add(listener),
    isOpen: () => !state.isClosed,
    close() {
      if (state.isClosed) return;
      client.terminate();
      end(state);
    },
  };
}

function end(state: State): void {
  if (state.isClosed) return;
  state.isClosed = true;
  for (const reject of state.pending) reject(new NotPossible('The display was closed.'));
  for (const listener of state.closeListeners) listener();
}

function call<Result>({ pending, isClosed }: State, send: (done: x11.Done<Result>) => void): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  if (isClosed) reject(new NotPossible('The display was closed.'));
  else {
    pending.add(reject);
    send((error, result) => {
      pending.delete(reject);
      if (error) reject(error);
      else resolve(result);
      return true;
    });
  }
  return promise;
}

function sendRequest<Result>(
  client: x11.Client,
  { major, minor }: { major: number; minor: number },
  {
    fields,
    read,
    done,
  }: { fields: readonly number[]; read: (body: Buffer) => Result; done: x11.Done<Result> },
): void {
  const request = Buffer.alloc(4 + 4 * fields.length);
  request.set([major, minor]);
  request.writeUInt16LE(1 + fields.length, 2);
  fields.forEach((field, index) => request.writeUInt32LE(field >>> 0, 4 + 4 * index));
  client.seq_num += 1;
  client.replies[client.seq_num] = [read, done];
  client.pack_stream.put(request);
  client.pack_stream.submit(true);
}
