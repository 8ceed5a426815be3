/** Screen casts of Mutter: a stream of the whole desktop, alone or as the surface on which input is positioned. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { variant, type BusObject, type SessionBus } from '../dbus/session-bus.ts';
import { gnomeShell } from './locked.ts';

const service = 'org.gnome.Mutter.ScreenCast';
export const screenCast: BusObject = { service, path: '/org/gnome/Mutter/ScreenCast', interface: service };
const cursorModes = { drawn: 1, besidePicture: 2 } as const;
/** GNOME 43 crashes when it describes the pointer beside the picture and a program shows it again; 44 to 47 were not tried. */
const firstVersionBesidePicture = 48;

export interface ScreenCast {
  session: BusObject;
  stream: BusObject;
}

/** Creates a cast that is not started yet. With `remoteSessionId` it belongs to a session for remote input, which starts it. */
export async function createScreenCast(
  bus: SessionBus,
  area: Box,
  remoteSessionId?: string,
): Promise<ScreenCast> {
  const options =
    remoteSessionId === undefined ? {} : { 'remote-desktop-session-id': variant('s', remoteSessionId) };
  const path = await bus.call<string>(screenCast, 'CreateSession', 'a{sv}', options);
  const session = { service, path, interface: `${service}.Session` };
  const { x, y, width, height } = area;
  const stream = await bus.call<string>(session, 'RecordArea', 'iiiia{sv}', x, y, width, height, {
    'cursor-mode': variant('u', await cursorModeOf(bus)),
  });
  return { session, stream: { service, path: stream, interface: `${service}.Stream` } };
}

async function cursorModeOf(bus: SessionBus): Promise<number> {
  const version = await bus.property<string>(gnomeShell, 'ShellVersion').catch(() => '');
  const isSafe = Number.parseInt(version) >= firstVersionBesidePicture;
  return isSafe ? cursorModes.besidePicture : cursorModes.drawn;
}

/** Starts a cast and returns the node of its stream in PipeWire. */
export async function startScreenCast(bus: SessionBus, { session, stream }: ScreenCast): Promise<number> {
  const added = Promise.withResolvers<number>();
  const unsubscribe = await bus.onSignal(stream, 'PipeWireStreamAdded', (node) =>
    added.resolve(node as number),
  );
  bus.onClose(() => added.reject(new Error('The session bus was closed.')));
  await bus.call(session, 'Start');
  return added.promise.finally(unsubscribe);
}
