/** A real GNOME desktop without a physical screen, with a window that records what happens to it. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { createDesktopFolder, nobody } from './desktop-of-another-user.ts';
import { writeRecordingWindow } from './recording-window.ts';

export interface Gnome extends AsyncDisposable {
  /** What the window recorded, one line for each event. */
  events(): string[];
  /** Ends a program of the session as a crash does, such as its bus. */
  end(program: string): void;
  /** Locks the screen. On a device with a monitor GNOME then inhibits remote access, but not without one. Needs `--unsafe-mode`. */
  lock(): Promise<void>;
  unlock(): Promise<void>;
  /** The person at the device closes the overview of all windows, and moves the mouse until it is noticed. Needs `--unsafe-mode`. */
  beginWork(): Promise<void>;
  /** The person clicks into the dialog of the portal, from its left or right and upper edges, as soon as it is there. */
  clickInDialog(...places: readonly (readonly [x: number, y: number])[]): Promise<void>;
}

const script = join(import.meta.dirname, '../../../scripts/gnome/gnome');

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

/** Runs a script in GNOME Shell and returns its reply. */
const evaluate = (folder: string, code: string): string => callBus(folder, 'org.gnome.Shell', 'Eval', code);

/** Moves a mouse that the shell creates for itself; `click` is code that runs there. */
const mouseScript = (place: string, click: string): string => `(() => {
  const { Clutter, GLib } = imports.gi;
  const kind = Clutter.InputDeviceType.POINTER_DEVICE;
  globalThis.mouse ??= Clutter.get_default_backend().get_default_seat().create_virtual_device(kind);
  // It is placed first, and then grows to its size.
  const isThere = (actor) => actor.meta_window.get_wm_class() === 'xdg-desktop-portal-gnome' &&
    actor.meta_window.get_frame_rect().width > 100 && actor.scale_x === 1 && actor.opacity === 255;
  const actor = global.get_window_actors().find(isThere);
  const dialog = actor?.meta_window.get_frame_rect();
  const place = ${place};
  if (!place) return 'no dialog';
  // It opens behind a window that the person has just used.
  const pointed = global.stage.get_actor_at_pos(Clutter.PickMode.REACTIVE, place[0], place[1]);
  if (actor && !actor.contains(pointed)) {
    actor.meta_window.make_above();
    Main.activateWindow(actor.meta_window);
    return 'covered';
  }
  const now = GLib.get_monotonic_time();
  mouse.notify_absolute_motion(now, place[0], place[1]);
  ${click}
  return 'done';
})()`;

const [pressScript, releaseScript] = ['PRESSED', 'RELEASED'].map(
  (state) => `mouse.notify_button(now, Clutter.BUTTON_PRIMARY, Clutter.ButtonState.${state});`,
) as [string, string];

const personAt = (folder: string, events: Gnome['events']): Pick<Gnome, 'beginWork' | 'clickInDialog'> => ({
  async beginWork() {
    // GNOME does not hide it while it appears.
    await eventually(
      () => evaluate(folder, 'Main.overview.hide(), Main.overview.visible'),
      (reply) => reply.includes('"false"'),
    );
    await eventually(
      () => {
        for (const x of [10, 11]) evaluate(folder, mouseScript(`[${x}, 10]`, ''));
        return events();
      },
      (found) => found.includes('pointer 11 10'),
    );
  },
  async clickInDialog(...places) {
    for (const [x, y] of places) {
      const edge = x < 0 ? 'dialog.x + dialog.width' : 'dialog.x';
      const place = `dialog && [${edge} + ${x}, dialog.y + ${y}]`;
      // The pointer is there some time before the button is pressed, as with a real mouse.
      for (const click of ['', pressScript, releaseScript])
        await eventually(
          () => evaluate(folder, mouseScript(place, click)),
          (reply) => reply.includes('done') || (click === releaseScript && reply.includes('no dialog')),
        );
    }
  },
});

/** Makes it the desktop that the agent in this process finds. `options` are those of gnome-shell. Needs root. */
export async function startGnome(width: number, height: number, ...options: string[]): Promise<Gnome> {
  const place = createDesktopFolder();
  const { folder } = place;
  const { program, events } = writeRecordingWindow(folder);
  const child = spawn(
    script,
    [folder, ['--virtual-monitor', `${width}x${height}`, ...options].join(' '), 'gjs', program],
    {
      detached: true,
      stdio: 'ignore',
    },
  );
  await eventually(events, (found) => found.includes('shown'));
  return {
    events,
    end: (name) => void process.kill(Number(readFileSync(join(folder, `${name}.pid`), 'utf8')), 'SIGKILL'),
    ...screenLock(folder),
    ...personAt(folder, events),
    async [Symbol.asyncDispose]() {
      const isOver = child.exitCode !== null || child.signalCode !== null;
      const ended = isOver ? undefined : once(child, 'exit');
      if (!isOver) process.kill(-child.pid!, 'SIGKILL');
      await ended;
      place[Symbol.dispose]();
    },
  };
}
