/** Why a GNOME desktop sends no picture: at a locked screen and at the login screen, Mutter refuses all remote control. */
import type { BusObject, SessionBus } from '../dbus/session-bus.ts';

const busObject = (service: string, path: string): BusObject => ({ service, path, interface: service });
const screenSaver = busObject('org.gnome.ScreenSaver', '/org/gnome/ScreenSaver');
export const gnomeShell = busObject('org.gnome.Shell', '/org/gnome/Shell');
/** The mode in which GNOME Shell shows the login screen. */
const loginMode = 'gdm';

const lockedSentence =
  'The screen of the device is locked, and GNOME does not show a locked screen to operators. It is shown as soon as somebody unlocks it at the device.';
const loginSentence =
  'Nobody is signed in at the device, and GNOME does not show its login screen to operators. The screen is shown as soon as somebody signs in there.';

/** Returns `otherwise` if the screen is neither locked nor the login screen. */
export async function whyMissing(bus: SessionBus, otherwise: string): Promise<string> {
  if (await bus.call<boolean>(screenSaver, 'GetActive').catch(() => false)) return lockedSentence;
  const mode = await bus.property<string>(gnomeShell, 'Mode').catch(() => undefined);
  return mode === loginMode ? loginSentence : otherwise;
}
