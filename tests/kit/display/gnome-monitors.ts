/** The monitors of a GNOME desktop of the tests. Needs `--unsafe-mode`. */
import { eventually } from '../eventually.ts';
import { evaluateInGnome } from './gnome-bus.ts';

/** A monitor as the settings of GNOME place it; `transform` counts quarter turns. */
interface GnomeMonitor {
  x: number;
  y: number;
  scale: number;
  transform: number;
}

export interface GnomeMonitors {
  /** Places the monitors, in the order in which the desktop was started with them. */
  placeMonitors(...monitors: GnomeMonitor[]): Promise<void>;
  /** Moves the window that records to the monitor with this number. */
  moveWindow(monitor: number): Promise<void>;
}

/** The call is answered by the process that runs the script, so it cannot wait for it. */
const placingScript = (monitors: readonly GnomeMonitor[]): string => `(() => {
  const { Gio, GLib } = imports.gi;
  const name = 'org.gnome.Mutter.DisplayConfig';
  const call = (member, values, done) => Gio.DBus.session.call(
    name, '/org/gnome/Mutter/DisplayConfig', name, member, values, null, Gio.DBusCallFlags.NONE, -1, null,
    (bus, result) => {
      try { done(bus.call_finish(result).recursiveUnpack()); } catch (error) { globalThis.placed = String(error); }
    });
  globalThis.placed = 'not yet';
  call('GetCurrentState', null, ([serial, physical]) => {
    const logical = ${JSON.stringify(monitors)}.map(({ x, y, scale, transform }, at) => {
      const [[connector], [[mode]]] = physical[at];
      return [x, y, scale, transform, at === 0, [[connector, mode, {}]]];
    });
    const values = new GLib.Variant('(uua(iiduba(ssa{sv}))a{sv})', [serial, 1, logical, {}]);
    call('ApplyMonitorsConfig', values, () => { globalThis.placed = 'done'; });
  });
})()`;

/**
 * GNOME may leave a fullscreen window where its monitor was before the monitors changed, and counts it to another one, so the
 * window leaves fullscreen to be moved. It takes its new place only after its program has drawn.
 */
const movingScript = (monitor: number): string => `(() => {
  const window = global.get_window_actors().map((each) => each.meta_window).find((each) => each.get_title() === 'gjs');
  const [place, wanted] = [window.get_frame_rect(), global.display.get_monitor_geometry(${monitor})];
  const [isThere, isMoving] = [window.is_fullscreen() && place.equal(wanted), globalThis.isMoving];
  globalThis.isMoving = !isThere;
  if (isThere) return 'moved';
  if (isMoving) return 'moving';
  window.unmake_fullscreen();
  window.move_frame(true, wanted.x, wanted.y);
  window.make_fullscreen();
})()`;

export const monitorsOfGnome = (folder: string): GnomeMonitors => ({
  async placeMonitors(...monitors) {
    evaluateInGnome(folder, placingScript(monitors));
    const reply = await eventually(
      () => evaluateInGnome(folder, 'globalThis.placed'),
      (placed) => !placed.includes('not yet'),
    );
    if (!reply.includes('done')) throw new Error(reply);
  },
  moveWindow: async (monitor) =>
    void (await eventually(
      () => evaluateInGnome(folder, movingScript(monitor)),
      (reply) => reply.includes('moved'),
    )),
});
