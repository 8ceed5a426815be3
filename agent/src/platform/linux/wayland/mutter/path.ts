/** The path to a GNOME desktop: Mutter's own interfaces show and control it without a prompt. */
import { NotPossible } from '../../../platform.ts';
import { openSessionBus, type SessionBus } from '../dbus/session-bus.ts';
import { requirePipeWire } from '../pipewire/library.ts';
import type { WaylandPath } from '../wayland-path.ts';
import { openMutterDesktop } from './desktop.ts';
import { remoteDesktop } from './mutter-session.ts';
import { screenCast } from './screen-cast.ts';
import { connectToXwayland } from './xwayland.ts';

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
  async open(memory) {
    const xwayland = await connectToXwayland();
    try {
      return openMutterDesktop(await openSessionBus(), memory, xwayland);
    } catch (error) {
      xwayland.close();
      throw error;
    }
  },
};

async function requireMutter(): Promise<void> {
  const bus = await openSessionBus();
  try {
    if (!(await hasMutter(bus)))
      throw new NotPossible('The desktop is not GNOME, or does not allow remote control.');
    await requirePipeWire();
    (await connectToXwayland()).close();
  } finally {
    bus.close();
  }
}

async function hasMutter(bus: SessionBus): Promise<boolean> {
  const service = 'org.freedesktop.DBus';
  const daemon = { service, path: '/org/freedesktop/DBus', interface: service };
  const found = [remoteDesktop, screenCast].map((each) =>
    bus.call<boolean>(daemon, 'NameHasOwner', 's', each.service),
  );
  return (await Promise.all(found)).every(Boolean);
}
