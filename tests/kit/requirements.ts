/**
 * What this machine offers to the tests beyond Node: each program is found, or the tests that need it are
 * skipped with a reason.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, globSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

export type Requirement =
  | 'PostgreSQL'
  | 'nats-server'
  | 'haproxy'
  | 'slapd'
  | 'pebble'
  | 'Chromium'
  | 'Firefox'
  | 'Xvfb'
  | 'Xtigervnc'
  | 'Wayland'
  | 'sway'
  | 'PulseAudio'
  | 'CUPS'
  | 'PipeWire'
  | 'programs of a desktop'
  | 'a window manager'
  | 'libvpx'
  | 'libx264'
  | 'GTK 3'
  | 'bash'
  | 'zsh'
  | 'fish'
  | 'curl'
  | 'systemd-analyze'
  | 'dpkg-deb'
  | 'Wine'
  | 'RandR in Wine'
  | 'GNOME'
  | 'KDE'
  | 'KDE 5'
  | 'osslsigncode'
  | 'clang for Windows'
  | 'Linux namespaces'
  | 'systemd in a container';

/** The first of these programs that is in PATH or in the folders where Debian puts programs for root. */
function findProgram(...names: string[]): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin'];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The folder of the newest PostgreSQL's programs: Debian keeps them out of PATH, one folder per version. */
export function findPostgresPrograms(): string | undefined {
  const version = (path: string): number => Number(path.split('/').at(-3));
  const [newest] = globSync('/usr/lib/postgresql/*/bin/initdb').toSorted((a, b) => version(b) - version(a));
  const initdb = newest ?? findProgram('initdb');
  return initdb && dirname(initdb);
}

export const findHaproxy = (): string | undefined => findProgram('haproxy');

export const findNats = (): string | undefined => findProgram('nats-server');

export const findChromium = (): string | undefined =>
  findProgram('chromium', 'chromium-browser', 'google-chrome');

/** Chromium without windows. Nothing requires it: tests of pages run in the whole Chromium without it. */
export const findHeadlessShell = (): string | undefined => findProgram('chromium-headless-shell');

export const findFirefox = (): string | undefined => findProgram('firefox-esr', 'firefox');

export const findXvfb = (): string | undefined => findProgram('Xvfb');

/** A display that is a VNC server too. */
export const findVncServer = (): string | undefined => findProgram('Xtigervnc');

/** A Wayland desktop, XWayland, a native terminal, and a VNC server that shows it. */
const findWayland = (): string | undefined =>
  ['wayvnc', 'Xwayland', 'foot', 'setpriv'].every((name) => findProgram(name) !== undefined)
    ? findProgram('sway')
    : undefined;

/** A Wayland desktop and a native terminal. */
const findSway = (): string | undefined =>
  ['foot', 'setpriv'].every((name) => findProgram(name) !== undefined) ? findProgram('sway') : undefined;

/** The sound server, and its client programs. */
export const findPulse = (): string | undefined => findProgram('parec') && findProgram('pulseaudio');

/** The print server with its programs, the filters that make PDF, and a program that reads it. */
export const findCups = (): string | undefined =>
  ['lpadmin', 'lp', 'pdftotext'].every((name) => findProgram(name) !== undefined) &&
  existsSync('/usr/lib/cups/filter/texttopdf')
    ? findProgram('cupsd')
    : undefined;

/** The other sound server, with its session manager and its server for programs of PulseAudio. */
const findPipeWire = (): string | undefined =>
  ['parec', 'dbus-daemon', 'wireplumber', 'pipewire-pulse'].every((name) => findProgram(name) !== undefined)
    ? findProgram('pipewire')
    : undefined;

/** A terminal, a program that clicks and types, the clipboard and other keyboard layouts. */
const findDesktopPrograms = (): string | undefined =>
  ['xterm', 'xdotool', 'xclip', 'setxkbmap'].every((name) => findProgram(name) !== undefined)
    ? findProgram('xterm')
    : undefined;

/** Root can run programs in their own mount and process namespaces. */
const findSandboxPrograms = (): string | undefined =>
  process.getuid?.() === 0 && findProgram('nsenter') ? findProgram('unshare') : undefined;

/** Where processes can get their own cgroup, systemd can be the first process of a sandbox. */
function findSystemd(): string | undefined {
  const [systemd] = globSync('{/usr,}/lib/systemd/systemd');
  if (!systemd || !findSandboxPrograms() || !findProgram('setpriv')) return undefined;
  const tried = spawnSync('unshare', ['--mount', '--cgroup', 'mount', '-t', 'cgroup2', 'none', '/mnt']);
  return tried.status === 0 ? systemd : undefined;
}

/** The folders of the systems that scripts/prepare-debian made; entering them needs root. */
const cacheFolder = process.env['DRAWBRIDGE_CACHE'] ?? '/var/cache/drawbridge';
const preparedFolders: Partial<Record<Requirement, string>> = {
  Wine: join(cacheFolder, 'wine'),
  GNOME: join(cacheFolder, 'gnome-trixie'),
  KDE: join(cacheFolder, 'kde-trixie'),
  'KDE 5': join(cacheFolder, 'kde-bookworm'),
};

const findPrepared = (need: Requirement): string | undefined =>
  findSandboxPrograms() && existsSync(join(preparedFolders[need]!, 'ready'))
    ? preparedFolders[need]
    : undefined;

/** The library through which Wine changes the size of the screen. A Wine that was prepared before it was needed lacks it. */
const findWineRandr = (): string | undefined =>
  globSync(join(preparedFolders.Wine!, 'root/usr/lib/*/libXrandr.so.2'))[0];

/** Why prepare-debian could not make it on this machine, if it has tried. */
function whyNotPrepared(need: Requirement): string | undefined {
  const reason = join(preparedFolders[need] ?? '', 'cannot');
  return preparedFolders[need] && existsSync(reason) ? readFileSync(reason, 'utf8').trim() : undefined;
}

/** What scripts/windows/build-vpx needs besides the source. */
const findWindowsCompiler = (): string | undefined =>
  ['ld.lld', 'llvm-ar', 'llvm-dlltool', 'make', 'nasm'].every((name) => findProgram(name) !== undefined) &&
  existsSync('/usr/share/mingw-w64/include/windows.h')
    ? findProgram('clang')
    : undefined;

/** A Wayland desktop, and the library with which the agent receives its picture. */
const findDesktop = (need: 'GNOME' | 'KDE' | 'KDE 5'): string | undefined =>
  globSync('/usr/lib/*/libpipewire-0.3.so.0').length > 0 && findProgram('setpriv')
    ? findPrepared(need)
    : undefined;

export const requirements: Record<Requirement, () => string | undefined> = {
  PostgreSQL: findPostgresPrograms,
  'nats-server': findNats,
  haproxy: findHaproxy,
  pebble: () => findProgram('pebble-challtestsrv') && findProgram('pebble'),
  slapd: () => findProgram('slapadd') && findProgram('slapd'),
  Chromium: findChromium,
  Firefox: findFirefox,
  Xvfb: findXvfb,
  Xtigervnc: findVncServer,
  Wayland: findWayland,
  sway: findSway,
  'programs of a desktop': findDesktopPrograms,
  'a window manager': () => findProgram('openbox'),
  libvpx: () => globSync('/usr/lib/*/libvpx.so.*')[0],
  libx264: () => globSync('/usr/lib/*/libx264.so.*')[0],
  'GTK 3': () => globSync('/usr/lib/*/libgtk-3.so.0')[0],
  PulseAudio: findPulse,
  CUPS: findCups,
  PipeWire: findPipeWire,
  bash: () => findProgram('bash'),
  zsh: () => findProgram('zsh'),
  fish: () => findProgram('fish'),
  curl: () => findProgram('curl'),
  'systemd-analyze': () => findProgram('systemd-analyze'),
  'dpkg-deb': () => findProgram('dpkg-deb'),
  Wine: () => findPrepared('Wine'),
  'RandR in Wine': findWineRandr,
  GNOME: () => findDesktop('GNOME'),
  KDE: () => findDesktop('KDE'),
  'KDE 5': () => findDesktop('KDE 5'),
  osslsigncode: () => findProgram('openssl') && findProgram('osslsigncode'),
  'clang for Windows': findWindowsCompiler,
  'Linux namespaces': findSandboxPrograms,
  'systemd in a container': findSystemd,
};

const needsRoot: readonly Requirement[] = [
  'Linux namespaces',
  'systemd in a container',
  'Wine',
  'GNOME',
  'KDE',
  'KDE 5',
];

/** For a test's `skip`: false if the machine has it, else the reason, which `npm test` counts and prints. */
export function skipWithout(need: Requirement): string | false {
  if (needsRoot.includes(need) && process.getuid?.() !== 0) return `only root can use ${need}`;
  if (!requirements[need]()) {
    const reason = whyNotPrepared(need);
    return reason ? `this machine cannot run ${need}: ${reason}` : `${need} is not installed`;
  }
  if (need === 'PostgreSQL' && !process.env['TEST_POSTGRES_URL'])
    return 'PostgreSQL was not started (npm test does it)';
  return false;
}
