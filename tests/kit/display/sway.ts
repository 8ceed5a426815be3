/** A real wlroots desktop without a physical screen, of another user than the tests if they run as root. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { boundToParent } from '../process.ts';
import { eventually } from '../eventually.ts';
import { createDesktopFolder, nobody, nobodyCommand } from './desktop-of-another-user.ts';

export interface Sway extends AsyncDisposable {
  /** What the terminal received, up to the last line end. */
  typed(): string;
  /** Its runtime folder, with the sockets of the desktop. */
  folder: string;
  /** The place of a window on the first monitor, as soon as it is shown. */
  window(title: string): Promise<Box>;
  /** Sends a command to the compositor, such as `output HEADLESS-1 scale 2`. */
  command(...words: string[]): void;
  /** Opens a further terminal of this colour and returns what it received, each line after its rows and columns. */
  openTerminal(name: string, colour: number): Promise<() => string>;
  /** The display of its XWayland, such as `:1`, if it was started with it. */
  xwayland(): Promise<string>;
  /** Opens a terminal on its XWayland, and returns what it received as `openTerminal` does. */
  openXTerminal(name: string): Promise<() => string>;
  /** Ends the compositor as a crash does. */
  kill(): Promise<void>;
}

/** The colour of the terminal, which fills the screen. */
export const swayTerminalColour = 0x224466;

const asNobody = (...command: string[]): [string, string[]] => {
  const [program, ...args] = [...nobodyCommand, ...command];
  return [program!, args];
};

/** Saves each line, and copies it to the clipboard. The terminal reports clicks, drags and the wheel as characters. */
const terminalScript = (folder: string): string => `#!/bin/sh
file=${folder}/\${1:-typed}
stty -echo
printf '\\033[?1002h\\033[?1006h'
: > "$file"
while IFS= read -r line; do
  [ "$1" ] && printf '%s ' "$(stty size)" >> "$file"
  printf '%s\\n' "$line" >> "$file"
  printf '\\033]52;c;%s\\007' "$(printf '%s' "$line" | base64 -w0)"
done
`;

const configOf = (folder: string, width: number, height: number, xwayland: string): string => `
output HEADLESS-1 resolution ${width}x${height} position 0,0
xwayland ${xwayland}
default_border none
exec sh -c 'echo $DISPLAY > ${folder}/display'
exec foot -o colors.background=${swayTerminalColour.toString(16)} sh ${folder}/terminal
`;

const newerSway = join(import.meta.dirname, '../../../scripts/sway/sway');

/** `DRAWBRIDGE_SWAY=trixie`: the newer sway of Debian 13, which needs root. */
function swayCommand(folder: string, isRoot: boolean): [string, string[]] {
  const args = ['-c', join(folder, 'config')];
  if (process.env['DRAWBRIDGE_SWAY'] === 'trixie') return [newerSway, [folder, ...args]];
  return isRoot ? asNobody('sway', ...args) : boundToParent('sway', args);
}

function spawnSway(folder: string, isRoot: boolean): ChildProcess {
  return spawn(...swayCommand(folder, isRoot), {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      WLR_BACKENDS: 'headless',
      WLR_RENDERER: 'pixman',
      WLR_LIBINPUT_NO_DEVICES: '1',
    },
    stdio: 'ignore',
  });
}

/** The socket for commands to the compositor. */
const socketIn = (folder: string): string =>
  join(
    folder,
    readdirSync(folder).find((name) => name.startsWith('sway-ipc'))!,
  );

/** Waits until the compositor has written its display. */
const displayIn = async (file: string): Promise<string> =>
  (
    await eventually(
      () => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
      (display) => display.startsWith(':'),
    )
  ).trim();

/** Starts a further desktop of the same user, with XWayland, which the agent in this process does not look for. */
export async function startSwayBeside(): Promise<AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-beside-'));
  const shown = join(folder, 'shown');
  writeFileSync(join(folder, 'config'), `xwayland force\nexec sh -c 'echo $DISPLAY > ${shown}'\n`);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, nobody, nobody);
  const child = spawnSway(folder, isRoot);
  await displayIn(shown);
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

interface TreeNode {
  name: string | null;
  rect: Box;
  nodes: TreeNode[];
}

const nodesIn = (node: TreeNode): TreeNode[] => [node, ...node.nodes.flatMap(nodesIn)];

async function findWindow(folder: string, title: string): Promise<Box> {
  const args = ['--socket', socketIn(folder), '--raw', '-t', 'get_tree'];
  const found = await eventually(
    () =>
      nodesIn(JSON.parse(execFileSync('swaymsg', args, { encoding: 'utf8' })) as TreeNode).find(
        ({ name }) => name === title,
      ),
    (node) => node !== undefined,
  );
  return found!.rect;
}

async function openTerminal(folder: string, name: string, colour: number): Promise<() => string> {
  const background = `colors.background=${colour.toString(16).padStart(6, '0')}`;
  const command = ['foot', '-o', background, '-o', 'pad=0x0', 'sh', join(folder, 'terminal'), name];
  execFileSync('swaymsg', ['--socket', socketIn(folder), 'exec', command.join(' ')]);
  return readerOf(join(folder, name));
}

async function openXTerminal(folder: string, name: string): Promise<() => string> {
  const args = ['-e', 'sh', join(folder, 'terminal'), name];
  const command = process.getuid?.() === 0 ? asNobody('xterm', ...args) : boundToParent('xterm', args);
  const env = { PATH: process.env['PATH'], HOME: folder, DISPLAY: await displayIn(join(folder, 'display')) };
  spawn(...command, { env, stdio: 'ignore' });
  return readerOf(join(folder, name));
}

/** Waits until the terminal has created its file. */
async function readerOf(received: string): Promise<() => string> {
  await eventually(
    () => existsSync(received),
    (isThere) => isThere,
  );
  return () => readFileSync(received, 'utf8');
}

/** Makes it the desktop that the agent in this process finds. */
export async function startSway(
  width: number,
  height: number,
  xwayland: 'disable' | 'force' = 'disable',
): Promise<Sway> {
  const place = createDesktopFolder();
  const { folder } = place;
  writeFileSync(join(folder, 'config'), configOf(folder, width, height, xwayland));
  writeFileSync(join(folder, 'terminal'), terminalScript(folder));
  const child = spawnSway(folder, process.getuid?.() === 0);
  const typed = join(folder, 'typed');
  await eventually(
    () => existsSync(typed),
    (isThere) => isThere,
  );
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return {
    folder,
    window: (title) => findWindow(folder, title),
    typed: () => readFileSync(typed, 'utf8'),
    command: (...words) => void execFileSync('swaymsg', ['--socket', socketIn(folder), ...words]),
    openTerminal: (name, colour) => openTerminal(folder, name, colour),
    xwayland: () => displayIn(join(folder, 'display')),
    openXTerminal: (name) => openXTerminal(folder, name),
    kill,
    async [Symbol.asyncDispose]() {
      await kill();
      place[Symbol.dispose]();
    },
  };
}
