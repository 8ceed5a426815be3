/** The session bus of the person whose process this is: method calls, signals, and file descriptors in replies. */
import dbus from 'dbus-native';
import { NotPossible } from '../../../platform.ts';
import { connectFdStream } from './fd-stream.ts';

/** An object of a program on the bus, seen through one of its interfaces. */
export interface BusObject {
  service: string;
  path: string;
  interface: string;
}

export interface SessionBus {
  /** Our own name on the bus. */
  name: string;
  /** Returns the first value of the reply; a file descriptor then belongs to the caller. Throws NotPossible with what the program says. */
  call<Result = unknown>(
    object: BusObject,
    member: string,
    signature?: string,
    ...body: unknown[]
  ): Promise<Result>;
  /** Returns all values of the reply. */
  callAll<Result extends unknown[]>(
    object: BusObject,
    member: string,
    signature?: string,
    ...body: unknown[]
  ): Promise<Result>;
  property<Value>(object: BusObject, name: string): Promise<Value>;
  /** Resolves when signals arrive; the returned function unsubscribes. */
  onSignal(object: BusObject, member: string, listener: (...values: unknown[]) => void): Promise<() => void>;
  onClose(listener: () => void): void;
  close(): void;
}

export const variant = (signature: string, value: unknown): dbus.Variant =>
  new dbus.Variant(signature, value);

/** Programs reply at once; the answers of people arrive as signals. */
const replyTimeoutMs = 10_000;

export async function openSessionBus(address = process.env['DBUS_SESSION_BUS_ADDRESS']): Promise<SessionBus> {
  const stream = await connectFdStream(socketOf(address)).catch((error: Error) => {
    throw new NotPossible(`The session bus of the person at the device cannot be reached: ${error.message}`);
  });
  const client = dbus.createClient({ stream, timeout: replyTimeoutMs });
  const fds = new Map<number, number[]>();
  const closed = Promise.withResolvers<void>();
  client.connection.on('error', () => stream.destroy());
  client.connection.on('close', () => closed.resolve());
  // Before the client's own listener, which resolves the call.
  client.connection.prependListener('message', (message: dbus.Message) => {
    if (message.fds && message.replySerial !== undefined) fds.set(message.replySerial, message.fds);
  });
  const callAll = <Result>(
    object: BusObject,
    member: string,
    signature = '',
    ...body: unknown[]
  ): Promise<Result> => invoke(client, fds, { object, member, signature, body }) as Promise<Result>;
  return {
    name: await helloOf(client, closed.promise),
    call: async <Result>(...call: Parameters<SessionBus['call']>) => (await callAll<Result[]>(...call))[0]!,
    callAll,
    property: async <Value>({ service, path, interface: of }: BusObject, name: string) =>
      (await callAll<[Value]>({ service, path, interface: properties }, 'Get', 'ss', of, name))[0],
    onSignal: (object, member, listener) => subscribe(client, object, member, listener),
    onClose: (listener) => void closed.promise.then(listener),
    close: () => void stream.destroy(),
  };
}

const properties = 'org.freedesktop.DBus.Properties';

/** Reads the first usable address, such as `unix:path=/run/user/1000/bus,guid=…`. */
export function socketOf(addresses: string | undefined): string {
  for (const address of addresses?.split(';') ?? []) {
    const [, kind, value] = /^unix:(?:.*,)?(path|abstract)=([^,]+)/.exec(address) ?? [];
    if (value !== undefined) return (kind === 'abstract' ? '\0' : '') + decodeURIComponent(value);
  }
  throw new NotPossible(
    'The person at the device has no session bus, without which their desktop cannot be reached.',
  );
}

async function helloOf(client: dbus.MessageBus, closed: Promise<void>): Promise<string> {
  const bus = {
    service: 'org.freedesktop.DBus',
    path: '/org/freedesktop/DBus',
    interface: 'org.freedesktop.DBus',
  };
  const refused = closed.then(() => {
    throw new NotPossible('The session bus of the person at the device does not admit the agent.');
  });
  await Promise.race([
    invoke(client, new Map(), { object: bus, member: 'GetId', signature: '', body: [] }),
    refused,
  ]);
  return client.name!;
}

interface Invocation {
  object: BusObject;
  member: string;
  signature: string;
  body: unknown[];
}

function invoke(
  client: dbus.MessageBus,
  fds: Map<number, number[]>,
  { object, member, signature, body }: Invocation,
): Promise<unknown[]> {
  const { service: destination, path, interface: of } = object;
  const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
  const message: dbus.Message = {
    destination,
    path,
    interface: of,
    member,
    ...(signature && { signature, body }),
  };
  client.invoke(message, (error, ...values: unknown[]) => {
    const received = fds.get(message.serial!);
    fds.delete(message.serial!);
    if (error) reject(new NotPossible(`The desktop of the device refuses ${member}: ${error.message}`));
    // In the body, a descriptor is its place in the list of descriptors.
    else resolve(received ? values.map((value, at) => (at === 0 ? received[Number(value)] : value)) : values);
  });
  return promise;
}

async function subscribe(
  client: dbus.MessageBus,
  { path, interface: of }: BusObject,
  member: string,
  listener: (...values: unknown[]) => void,
): Promise<() => void> {
  const event = client.mangle(path, of, member);
  const onBody = (body: unknown[]): void => listener(...(body ?? []));
  client.signals.on(event, onBody);
  const rule = `type='signal',path='${path}',interface='${of}',member='${member}'`;
  await client.addMatch(rule);
  return () => {
    client.signals.off(event, onBody);
    // Fails only if the bus has gone, and the rule with it.
    void client.removeMatch(rule).catch(() => undefined);
  };
}
