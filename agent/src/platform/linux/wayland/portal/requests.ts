/** Calls of the desktop portal, whose answers arrive later as signals, because the person may have to be asked. */
import { randomUUID } from 'node:crypto';
import { variant, type BusObject, type SessionBus } from '../dbus/session-bus.ts';

const service = 'org.freedesktop.portal.Desktop';
const root = '/org/freedesktop/portal/desktop';

export const portalInterface = (name: string, path: string = root): BusObject => ({
  service,
  path,
  interface: `org.freedesktop.portal.${name}`,
});

type Options = Record<string, ReturnType<typeof variant>>;

export interface PortalCall {
  /** The interface, such as ScreenCast. */
  of: string;
  member: string;
  /** Without that of the options, which come last. */
  signature?: string;
  values?: readonly unknown[];
  options?: Options;
}

/** How a request ended. */
export const outcomes = { allowed: 0, declined: 1 } as const;

export interface PortalReply {
  outcome: number;
  results: Record<string, unknown>;
}

/** A name that the portal accepts as a part of a path. */
export const newHandle = (): string => `drawbridge_${randomUUID().replaceAll('-', '')}`;

/** Waits as long as the person takes; the signal withdraws the question. */
export async function requestPortal(
  bus: SessionBus,
  { of, member, signature = '', values = [], options = {} }: PortalCall,
  signal?: AbortSignal,
): Promise<PortalReply> {
  const handle = newHandle();
  const sender = bus.name.slice(1).replaceAll('.', '_');
  const request = portalInterface('Request', `${root}/request/${sender}/${handle}`);
  const answered = Promise.withResolvers<PortalReply>();
  const unsubscribe = await bus.onSignal(request, 'Response', (outcome, results) =>
    answered.resolve({ outcome: outcome as number, results: results as Record<string, unknown> }),
  );
  bus.onClose(() => answered.reject(new Error('The session bus was closed.')));
  const withdraw = (): void => void bus.call(request, 'Close').catch(() => {});
  signal?.addEventListener('abort', withdraw, { once: true });
  try {
    const all = { ...options, handle_token: variant('s', handle) };
    await bus.call(portalInterface(of), member, `${signature}a{sv}`, ...values, all);
    return await answered.promise;
  } finally {
    signal?.removeEventListener('abort', withdraw);
    unsubscribe();
  }
}
