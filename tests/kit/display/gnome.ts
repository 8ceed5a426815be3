/** A real GNOME desktop without a physical screen, with a window that records what happens to it. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { createDesktopFolder, nobody } from './desktop-of-another-user.ts';

export interface Gnome extends AsyncDisposable {
  /** What the window recorded, one line for each event. */
  events(): string[];
  /** Ends a program of the session as a crash does, such as its bus. */
  end(program: string): void;
  /** Locks the screen. On a device with a monitor GNOME then inhibits remote access, but not without one. Needs `--unsafe-mode`. */
  lock(): Promise<void>;
  unlock(): Promise<void>;
}

/** The colour of the window, which fills the screen. */
export const gnomeWindowColour = 0x224466;

const script = join(import.meta.dirname, '../../../scripts/gnome/gnome');

/** The pointer, a drag, a turn of the wheel, each change of the text field and of the clipboard. F9 copies a word. */
const windowProgram = `
imports.gi.versions.Gtk = '4.0';
const { Gtk, Gdk, Gio, GLib } = imports.gi;
const file = Gio.File.new_for_path(GLib.getenv('HOME') + '/events');
const output = file.append_to(Gio.FileCreateFlags.NONE, null);
const record = (line) => output.write_all(line + '\\n', null);
Gtk.init();
const style = new Gtk.CssProvider();
style.load_from_data('window, entry { background: #224466; color: #224466; } * { caret-color: #224466; outline: none; border: none; box-shadow: none; }', -1);
Gtk.StyleContext.add_provider_for_display(Gdk.Display.get_default(), style, 900);
const window = new Gtk.Window({ decorated: false });
const entry = new Gtk.Entry({ vexpand: true });
entry.connect('changed', () => record('text ' + entry.text));
const drag = new Gtk.GestureDrag({ propagation_phase: Gtk.PropagationPhase.CAPTURE });
drag.connect('drag-end', (_, x, y) => record('drag ' + Math.round(x) + ' ' + Math.round(y)));
const scroll = new Gtk.EventControllerScroll({ flags: Gtk.EventControllerScrollFlags.BOTH_AXES });
scroll.connect('scroll', (_, x, y) => { record('scroll ' + x + ' ' + y); return true; });
const motion = new Gtk.EventControllerMotion();
motion.connect('motion', (_, x, y) => record('pointer ' + x + ' ' + y));
const clipboard = Gdk.Display.get_default().get_clipboard();
clipboard.connect('changed', () => {
  if (!clipboard.is_local()) clipboard.read_text_async(null, (_, result) => record('clipboard ' + clipboard.read_text_finish(result)));
});
const keys = new Gtk.EventControllerKey({ propagation_phase: Gtk.PropagationPhase.CAPTURE });
keys.connect('key-pressed', (_, symbol) => {
  if (symbol === Gdk.KEY_F9) clipboard.set_content(Gdk.ContentProvider.new_for_value('from the device äж漢'));
  return false;
});
for (const controller of [drag, scroll, motion, keys]) window.add_controller(controller);
window.set_child(entry);
window.connect('notify::is-active', () => record('active ' + window.is_active));
window.fullscreen();
window.present();
record('shown');
new GLib.MainLoop(null, false).run();
`;

/** Sends a method call over the bus of the session, which admits only its own user. */
function callBus(folder: string, service: string, member: string, ...values: string[]): string {
  const path = `/${service.replaceAll('.', '/')}`;
  const call = [`--dest=${service}`, path, `${service}.${member}`, ...values.map((each) => `string:${each}`)];
  const user = ['--reuid', `${nobody}`, '--regid', `${nobody}`, '--clear-groups'];
  return execFileSync('setpriv', [...user, 'dbus-send', '--print-reply', ...call], {
    env: { PATH: process.env['PATH'], DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder}/bus` },
    encoding: 'utf8',
  });
}

/** GNOME Shell has a lock screen only if GDM runs, unless it is told to create one. */
const createShield = `import('resource:///org/gnome/shell/ui/screenShield.js').then(({ ScreenShield }) => {
  globalThis.shield ??= new ScreenShield();
})`;

const untilLocked = (folder: string, isLocked: boolean): Promise<unknown> =>
  eventually(
    () => callBus(folder, 'org.gnome.ScreenSaver', 'GetActive'),
    (reply) => reply.includes(`boolean ${isLocked}`),
  );

const remoteAccess = 'global.backend.get_remote_access_controller()';

const screenLock = (folder: string): Pick<Gnome, 'lock' | 'unlock'> => ({
  async lock() {
    callBus(folder, 'org.gnome.Shell', 'Eval', createShield);
    await eventually(
      () => callBus(folder, 'org.freedesktop.DBus', 'ListNames'),
      (names) => names.includes('org.gnome.Shell.ScreenShield'),
    );
    callBus(folder, 'org.gnome.ScreenSaver', 'Lock');
    await untilLocked(folder, true);
    callBus(folder, 'org.gnome.Shell', 'Eval', `${remoteAccess}.inhibit_remote_access()`);
  },
  async unlock() {
    callBus(folder, 'org.gnome.Shell', 'Eval', 'globalThis.shield.deactivate(false)');
    await untilLocked(folder, false);
    callBus(folder, 'org.gnome.Shell', 'Eval', `${remoteAccess}.uninhibit_remote_access()`);
  },
});

/** Makes it the desktop that the agent in this process finds. `options` are those of gnome-shell. Needs root. */
export async function startGnome(width: number, height: number, ...options: string[]): Promise<Gnome> {
  const place = createDesktopFolder();
  const { folder } = place;
  const program = join(folder, 'window.js');
  writeFileSync(program, windowProgram);
  const child = spawn(
    script,
    [folder, ['--virtual-monitor', `${width}x${height}`, ...options].join(' '), 'gjs', program],
    {
      detached: true,
      stdio: 'ignore',
    },
  );
  const events = (): string[] => {
    const file = join(folder, 'events');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  };
  await eventually(events, (found) => found.includes('shown'));
  return {
    events,
    end: (name) => void process.kill(Number(readFileSync(join(folder, `${name}.pid`), 'utf8')), 'SIGKILL'),
    ...screenLock(folder),
    async [Symbol.asyncDispose]() {
      const isOver = child.exitCode !== null || child.signalCode !== null;
      const ended = isOver ? undefined : once(child, 'exit');
      if (!isOver) process.kill(-child.pid!, 'SIGKILL');
      await ended;
      place[Symbol.dispose]();
    },
  };
}
