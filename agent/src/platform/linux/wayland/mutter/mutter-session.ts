/** Sessions of Mutter for remote input: they press keys, move the pointer and share the clipboard. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { BusObject, SessionBus } from '../dbus/session-bus.ts';
import { createScreenCast } from './screen-cast.ts';

const service = 'org.gnome.Mutter.RemoteDesktop';
export const remoteDesktop: BusObject = {
  service,
  path: '/org/gnome/Mutter/RemoteDesktop',
  interface: service,
};

export interface MutterSession {
  object: BusObject;
  /** The stream on whose picture positions of the pointer are; absent without an area. */
  stream?: string;
  close(): void;
}

/** `onClosed` is called when Mutter has ended the session. `area`: the part of the desktop that positions of the pointer refer to. */
export async function startMutterSession(
  bus: SessionBus,
  onClosed: () => void,
  area?: Box,
): Promise<MutterSession> {
  const path = await bus.call<string>(remoteDesktop, 'CreateSession');
  const object = { service, path, interface: `${service}.Session` };
  const cast = area && (await createScreenCast(bus, area, await bus.property<string>(object, 'SessionId')));
  const unsubscribe = await bus.onSignal(object, 'Closed', () => {
    unsubscribe();
    onClosed();
  });
  const close = (): void => {
    unsubscribe();
    void bus.call(object, 'Stop').catch(() => {});
  };
  try {
    await bus.call(object, 'Start');
  } catch (error) {
    close();
    throw error;
  }
  return { object, ...(cast && { stream: cast.stream.path }), close };
}
