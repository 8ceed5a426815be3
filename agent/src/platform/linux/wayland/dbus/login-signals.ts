/** Calls back when the login manager (logind) reports on the system bus that who is signed in, in front or locked has changed. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import dbus from 'dbus-native';
import { socketOf } from './session-bus.ts';

const defaultAddress = 'unix:path=/var/run/dbus/system_bus_socket';
const manager = 'org.freedesktop.login1';
const changes = `type='signal',sender='${manager}',interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'`;
const sessions = `type='signal',sender='${manager}',interface='${manager}.Manager'`;
const rules = [
  `${changes},arg0='${manager}.Session'`,
  `${changes},arg0='${manager}.Seat'`,
  `${sessions},member='SessionNew'`,
  `${sessions},member='SessionRemoved'`,
  // The login manager itself was started or has ended.
  `type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='${manager}'`,
];
const watchedProperties: ReadonlySet<string> = new Set([
  'Active',
  'ActiveSession',
  'LockedHint',
  'Type',
  'Display',
]);

const [firstRetryMs, maxRetryMs, replyTimeoutMs] = [1_000, 60_000, 10_000];

interface SharedWatch {
  listeners: Set<() => void>;
  isConnected: boolean;
  end: AbortController;
}
let shared: SharedWatch | undefined;

/**
 * Also calls back each time the bus has been reached, because something may have changed before. Without a system bus, it
 * never does. All watchers share one connection. The returned function stops watching.
 */
export function watchLogins(onChange: () => void): () => void {
  const listener = (): void => onChange();
  const own = (shared ??= startWatch());
  own.listeners.add(listener);
  if (own.isConnected) queueMicrotask(() => own.listeners.has(listener) && listener());
  return () => {
    if (!own.listeners.delete(listener) || own.listeners.size > 0) return;
    own.end.abort();
    if (shared === own) shared = undefined;
  };
}

function startWatch(): SharedWatch {
  const watch = { listeners: new Set<() => void>(), isConnected: false, end: new AbortController() };
  void keepConnected(watch);
  return watch;
}

/** A bus that is away, or that a device does not have, is tried less and less often. */
async function keepConnected(watch: SharedWatch): Promise<void> {
  const { signal } = watch.end;
  for (let retryMs = firstRetryMs; !signal.aborted; retryMs = Math.min(maxRetryMs, retryMs * 2)) {
    const tell = (): void => watch.listeners.forEach((listener) => listener());
    await followSignals(signal, tell, () => {
      [watch.isConnected, retryMs] = [true, firstRetryMs];
      tell();
    }).catch(() => undefined);
    watch.isConnected = false;
    await pause(retryMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}

/** Resolves or rejects when the bus cannot be reached, or its connection has ended. */
async function followSignals(signal: AbortSignal, onChange: () => void, onReady: () => void): Promise<void> {
  // Unlike the buses of desktops without file descriptors, which anybody on the device could send.
  const stream = connect(socketOf(process.env['DBUS_SYSTEM_BUS_ADDRESS'] ?? defaultAddress)).unref();
  const stop = (): void => void stream.destroy();
  signal.addEventListener('abort', stop);
  try {
    await once(stream, 'connect', { signal });
    const client = dbus.createClient({ stream, timeout: replyTimeoutMs });
    const closed = Promise.withResolvers<void>();
    client.connection.on('error', stop);
    client.connection.on('close', () => closed.resolve());
    client.connection.on('message', (message: dbus.Message) => isChange(message) && onChange());
    const ready = Promise.all(rules.map((rule) => client.addMatch(rule)));
    await Promise.race([ready, closed.promise]);
    if (!stream.destroyed) onReady();
    await closed.promise;
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** Everybody on the device can send the agent a signal; what has no destination is there because of the rules. */
function isChange({ type, destination, member, body }: dbus.Message): boolean {
  if (type !== dbus.messageType.signal || destination !== undefined) return false;
  if (member !== 'PropertiesChanged') return true;
  const [, values, names] = (body ?? []) as [string?, Record<string, unknown>?, string[]?];
  return [...Object.keys(values ?? {}), ...(names ?? [])].some((name) => watchedProperties.has(name));
}
