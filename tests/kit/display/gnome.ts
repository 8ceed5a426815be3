/** A real GNOME desktop without a physical screen, with a window that records what happens to it. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { createDesktopFolder } from './desktop-of-another-user.ts';
import { callGnome, evaluateInGnome } from './gnome-bus.ts';
import { monitorsOfGnome, type GnomeMonitors } from './gnome-monitors.ts';
import { personAtGnome, type GnomePerson } from './gnome-person.ts';
import { writeRecordingWindow } from './recording-window.ts';

export interface Gnome extends AsyncDisposable, GnomePerson, GnomeMonitors {
  /** The runtime and home folder of its user. */
  folder: string;
  /** What the window recorded, one line for each event. */
  events(): string[];
  /** Ends a program of the session as a crash does, such as its bus. */
  end(program: string): void;
  /** Stops its XWayland as soon as it starts; the returned function continues it. */
  stopXwayland(): Promise<() => void>;
  /** The person chooses this keyboard layout, such as `de` or `ru`, with these options of XKB. */
  useLayout(layout: string, ...options: string[]): void;
  /** Locks the screen. On a device with a monitor GNOME then inhibits remote access, but not without one. Needs `--unsafe-mode`. */
  lock(): Promise<void>;
  unlock(): Promise<void>;
}

const script = join(import.meta.dirname, '../../../scripts/gnome/gnome');

/** GNOME Shell has a lock screen only if GDM runs, unless it is told to create one. */
const createShield = `import('resource:///org/gnome/shell/ui/screenShield.js').then(({ ScreenShield }) => {
  globalThis.shield ??= new ScreenShield();
})`;

const untilLocked = (folder: string, isLocked: boolean): Promise<unknown> =>
  eventually(
    () => callGnome(folder, 'org.gnome.ScreenSaver', 'GetActive'),
    (reply) => reply.includes(`boolean ${isLocked}`),
  );

const remoteAccess = 'global.backend.get_remote_access_controller()';

const screenLock = (folder: string): Pick<Gnome, 'lock' | 'unlock'> => ({
  async lock() {
    evaluateInGnome(folder, createShield);
    await eventually(
      () => callGnome(folder, 'org.freedesktop.DBus', 'ListNames'),
      (names) => names.includes('org.gnome.Shell.ScreenShield'),
    );
    callGnome(folder, 'org.gnome.ScreenSaver', 'Lock');
    await untilLocked(folder, true);
    evaluateInGnome(folder, `${remoteAccess}.inhibit_remote_access()`);
  },
  async unlock() {
    evaluateInGnome(folder, 'globalThis.shield.deactivate(false)');
    await untilLocked(folder, false);
    evaluateInGnome(folder, `${remoteAccess}.uninhibit_remote_access()`);
  },
});

/** The end of what a program of the session printed; empty if it was not started. */
const logOf = (folder: string, program: string): string => {
  const file = join(folder, `${program}.log`);
  return existsSync(file) ? readFileSync(file, 'utf8').slice(-2_000) : '';
};

const pidOf = (folder: string, program: string): number =>
  Number(readFileSync(join(folder, `${program}.pid`), 'utf8'));

function useLayout(folder: string, layout: string, options: readonly string[]): void {
  const sources = `[('xkb', '${layout}')]`;
  const lines = [
    `sources=${sources}`,
    `mru-sources=${sources}`,
    `xkb-options=@as [${options.map((each) => `'${each}'`).join()}]`,
  ];
  const file = join(folder, '.config/glib-2.0/settings/keyfile');
  const [others = ''] = readFileSync(file, 'utf8').split('[org/gnome/desktop/input-sources]');
  writeFileSync(file, `${others}[org/gnome/desktop/input-sources]\n${lines.join('\n')}\n`);
}

async function stopXwayland(folder: string): Promise<() => void> {
  const shell = `${pidOf(folder, 'gnome-shell')}`;
  const find = (): number => Number(spawnSync('pgrep', ['-P', shell, 'Xwayland']).stdout.toString());
  const found = await eventually(find, (pid) => pid > 0);
  process.kill(found, 'SIGSTOP');
  return () => void process.kill(found, 'SIGCONT');
}

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
  await eventually(events, (found) => found.includes('shown')).catch((error: unknown) => {
    throw new Error(`GNOME shows no window: ${logOf(folder, 'gnome-shell')}`, { cause: error });
  });
  return {
    folder,
    events,
    end: (name) => void process.kill(pidOf(folder, name), 'SIGKILL'),
    useLayout: (layout, ...more) => useLayout(folder, layout, more),
    stopXwayland: () => stopXwayland(folder),
    ...screenLock(folder),
    ...personAtGnome(folder, events),
    ...monitorsOfGnome(folder),
    async [Symbol.asyncDispose]() {
      const isOver = child.exitCode !== null || child.signalCode !== null;
      const ended = isOver ? undefined : once(child, 'exit');
      if (!isOver) process.kill(-child.pid!, 'SIGKILL');
      await ended;
      place[Symbol.dispose]();
    },
  };
}
