/** A connection to an X11 display with promises instead of callbacks. */
import type x11 from 'x11';
import { NotPossible } from '../../platform.ts';
import { findDisplays } from '../display.ts';
import { openDisplay } from './open-display.ts';

export interface X11Connection {
  /** Such as `:0`. */
  display: string;
  client: x11.Client;
  screen: x11.Screen;
  root: number;
  /** Awaits the answer of a request: `call((done) => client.GetGeometry(window, done))`. */
  call<Result>(send: (done: x11.Done<Result>) => void): Promise<Result>;
  /** An extension of the display; refuses with a sentence where the display does not have it. */
  extension<Name extends keyof x11.Extensions>(name: Name): Promise<x11.Extensions[Name]>;
  /** A request the package has no function for; `fields` are its numbers of 4 bytes after the header. */
  request<Result>(
    codes: { major: number; minor: number },
    fields: readonly number[],
    read: (body: Buffer) => Result,
  ): Promise<Result>;
  /** Hears every event of the display; the answer ends it. */
  onEvent(listener: (event: x11.Event) => void): () => void;
  /** The display is gone, or the connection was closed here. */
  onClose(listener: () => void): void;
  isOpen(): boolean;
  close(): void;
}

/** Where a display was whose server is gone. */
const gone: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOENT']);

/** Connects to the display somebody works on: to the first that lets the agent in. */
export async function connectToDisplay(): Promise<X11Connection> {
  const failures: string[] = [];
  for (const place of await findDisplays())
    try {
      return createX11Connection(await openDisplay(place), place.display);
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      const isLeftOver = place.socket !== undefined && gone.has(code);
      if (!isLeftOver) failures.push(`The display ${place.display} could not be opened: ${message.trim()}.`);
    }
  throw new NotPossible(
    failures.join(' ') || 'Nobody is using a screen on this device, or the screen is not an X11 screen.',
  );
}

function createX11Connection({ client, screen: [screen] }: x11.Opened, display: string): X11Connection {
  // The package keeps one table for all displays, though another display numbers its atoms otherwise.
  client.atoms = { ...client.atoms };
  const [listeners, closers] = [new Set<(event: x11.Event) => void>(), new Set<() => void>()];
  const waiting = new Set<(error: Error) => void>();
  let closed = false;
  const end = (): void => {
    if (closed) return;
    closed = true;
    for (const reject of waiting) reject(new NotPossible('The display was closed.'));
    for (const tell of closers) tell();
  };
  client.on('event', (event) => listeners.forEach((hear) => hear(event)));
  client.on('end', end);
  client.stream.on('close', end);

  const call = <Result>(send: (done: x11.Done<Result>) => void): Promise<Result> => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    if (closed) reject(new NotPossible('The display was closed.'));
    else {
      waiting.add(reject);
      send((error, result) => {
        waiting.delete(reject);
        if (error) reject(error);
        else resolve(result);
        return true;
      });
    }
    return promise;
  };

  return {
    display,
    client,
    screen: screen!,
    root: screen!.root,
    call,
    extension: (name) =>
      call<x11.Extensions[typeof name]>((done) => client.require(name, done)).catch(() => {
        throw new NotPossible(`The display does not have the extension ${name}.`);
      }),
    request: (codes, fields, read) => call((done) => sendRequest(client, codes, { fields, read, done })),
    onEvent: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onClose: (listener) => void closers.add(listener),
    isOpen: () => !closed,
    close: () => {
      if (closed) return;
      client.terminate();
      end();
    },
  };
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
