/** The path to a GNOME desktop: Mutter's own interfaces show and control it without a prompt. */
import { NotPossible } from '../../../platform.ts';
import { openSessionBus, type BusObject, type SessionBus } from '../dbus/session-bus.ts';
import { requirePipeWire } from '../pipewire/library.ts';
import type { WaylandPath } from '../wayland-path.ts';
import { findTellingDisplay, warningsOfDisplay } from '../xwayland/agent-windows.ts';
import { openMutterDesktop } from './desktop.ts';
import { remoteDesktop } from './mutter-session.ts';
import { screenCast } from './screen-cast.ts';
import { settingsPortal } from './input-sources.ts';

export const gnomePath: WaylandPath = {
  name: 'GNOME',
  async whyNot() {
    try {
      await requireMutter();
      return undefined;
    } catch (error) {
      if (error instanceof NotPossible) return error.message;
      throw error;
    }
  },
  async warnings() {
    const bus = await openSessionBus();
    try {
      return [...(await warningsOfDisplay()), ...((await hasPortal(bus)) ? [] : [noPortal])];
    } finally {
      bus.close();
    }
  },
  async open(memory) {
    const bus = await openSessionBus();
    try {
      return openMutterDesktop(bus, memory, await findTellingDisplay());
    } catch (error) {
      bus.close();
      throw error;
    }
  },
};

const noPortal =
  'No portal runs, so the keyboard layout of the person is not known, and the English one is assumed. Install the package xdg-desktop-portal-gnome.';

async function requireMutter(): Promise<void> {
  const bus = await openSessionBus();
  try {
    if (!(await hasMutter(bus)))
      throw new NotPossible('The desktop is not GNOME, or does not allow remote control.');
    await requirePipeWire();
  } finally {
    bus.close();
  }
}

const hasMutter = async (bus: SessionBus): Promise<boolean> =>
  (await Promise.all([remoteDesktop, screenCast].map(({ service }) => hasOwner(bus, service)))).every(
    Boolean,
  );

const service = 'org.freedesktop.DBus';
const busDaemon: BusObject = { service, path: '/org/freedesktop/DBus', interface: service };

const hasOwner = (bus: SessionBus, name: string): Promise<boolean> =>
  bus.call<boolean>(busDaemon, 'NameHasOwner', 's', name);

/** The bus starts the portal when its settings are read, if it does not run yet. */
const hasPortal = async (bus: SessionBus): Promise<boolean> =>
  (await hasOwner(bus, settingsPortal)) ||
  (await bus.call<string[]>(busDaemon, 'ListActivatableNames')).includes(settingsPortal);
