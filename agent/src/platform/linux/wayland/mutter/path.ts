/** The path to a GNOME desktop: Mutter's own interfaces show and control it without a prompt. */
import { NotPossible } from '../../../platform.ts';
import { openSessionBus, type SessionBus } from '../dbus/session-bus.ts';
import { requirePipeWire } from '../pipewire/library.ts';
import type { WaylandPath } from '../wayland-path.ts';
import { openMutterDesktop, type TellingDisplay } from './desktop.ts';
import { remoteDesktop } from './mutter-session.ts';
import { screenCast } from './screen-cast.ts';
import { settingsPortal } from './input-sources.ts';
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
  async warnings() {
    const bus = await openSessionBus();
    try {
      const [isPortalThere, display] = [await hasOwner(bus, settingsPortal), await findTellingDisplay()];
      if (display.untold === undefined) display.xwayland.close();
      return [
        ...(display.untold === undefined ? [] : [`${display.untold} ${policyDecides}`]),
        ...(isPortalThere ? [] : [noPortal]),
      ];
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

const policyDecides = 'The setting notice of the policy decides whether the screen is shown nevertheless.';
const noPortal =
  'No portal runs, so the keyboard layout of the person is not known, and the English one is assumed. Install the package xdg-desktop-portal-gnome.';

const findTellingDisplay = async (): Promise<TellingDisplay> => {
  try {
    return { xwayland: await connectToXwayland() };
  } catch (error) {
    if (error instanceof NotPossible) return { untold: error.message };
    throw error;
  }
};

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

function hasOwner(bus: SessionBus, name: string): Promise<boolean> {
  const service = 'org.freedesktop.DBus';
  const daemon = { service, path: '/org/freedesktop/DBus', interface: service };
  return bus.call<boolean>(daemon, 'NameHasOwner', 's', name);
}
