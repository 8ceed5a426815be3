/** The keyboard layout that the person at a GNOME desktop uses at the moment, from the settings that the portal shows. */
import type { BusObject, SessionBus } from '../dbus/session-bus.ts';

export interface KeyboardLayout {
  /** Such as `de`. */
  layout: string;
  /** Such as `nodeadkeys`; empty for the usual one. */
  variant: string;
  /** Such as `lv3:ralt_switch`. */
  options: readonly string[];
}

type Source = [kind: string, name: string];

export const settingsPortal = 'org.freedesktop.portal.Desktop';
const settings: BusObject = {
  service: settingsPortal,
  path: '/org/freedesktop/portal/desktop',
  interface: 'org.freedesktop.portal.Settings',
};
const namespace = 'org.gnome.desktop.input-sources';
const usualLayout: KeyboardLayout = { layout: 'us', variant: '', options: [] };

/** Calls the listener at once and at each change; the returned function ends that. */
export async function watchKeyboardLayout(
  bus: SessionBus,
  listener: (layout: KeyboardLayout) => void,
): Promise<() => void> {
  const read = async (): Promise<void> => listener(await readLayout(bus));
  const stop = await bus.onSignal(settings, 'SettingChanged', (changed) => {
    if (changed === namespace) void read();
  });
  await read();
  return stop;
}

/** The source that was used last is in use. Input methods other than plain layouts type on the usual layout. */
async function readLayout(bus: SessionBus): Promise<KeyboardLayout> {
  const read = <Entry>(key: string): Promise<Entry[]> =>
    bus.call<Entry[]>(settings, 'Read', 'ss', namespace, key).catch(() => []);
  const [sources, recent] = [await read<Source>('sources'), await read<Source>('mru-sources')];
  const options = await read<string>('xkb-options');
  const isConfigured = ([kind, name]: Source): boolean =>
    sources.some((each) => each[0] === kind && each[1] === name);
  const [kind, name = ''] = recent.find(isConfigured) ?? sources[0] ?? [];
  const [layout = '', variant = ''] = name.split('+');
  return kind === 'xkb' ? { layout, variant, options } : { ...usualLayout, options };
}
