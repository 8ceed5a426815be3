/** A real wlroots desktop without a physical screen, of another user than the tests if they run as root. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boundToParent } from '../process.ts';
import { eventually } from '../eventually.ts';
import { createDesktopFolder, nobody } from './desktop-of-another-user.ts';

export interface Sway extends AsyncDisposable {
  /** What the terminal received, up to the last line end. */
  typed(): string;
  /** Ends the compositor as a crash does. */
  kill(): Promise<void>;
}

/** The colour of the terminal, which fills the screen. */
export const swayTerminalColour = 0x224466;

const asNobody = (...command: string[]): [string, string[]] => [
  '/usr/bin/setpriv',
  ['--reuid', `${nobody}`, '--regid', `${nobody}`, '--clear-groups', '--pdeathsig', 'KILL', '--', ...command],
];

/** Saves each line, and copies it to the clipboard. The terminal reports clicks, drags and the wheel as characters. */
const terminalScript = (folder: string): string => `#!/bin/sh
stty -echo
printf '\\033[?1002h\\033[?1006h'
: > ${folder}/typed
while IFS= read -r line; do
  printf '%s\\n' "$line" >> ${folder}/typed
  printf '\\033]52;c;%s\\007' "$(printf '%s' "$line" | base64 -w0)"
done
`;

const configOf = (folder: string, width: number, height: number): string => `
output HEADLESS-1 resolution ${width}x${height} position 0,0
xwayland disable
default_border none
exec foot -o colors.background=${swayTerminalColour.toString(16)} sh ${folder}/terminal
`;

function spawnSway(folder: string, isRoot: boolean): ChildProcess {
  const config = join(folder, 'config');
  return spawn(...(isRoot ? asNobody('sway', '-c', config) : boundToParent('sway', ['-c', config])), {
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

/** Makes it the desktop that the agent in this process finds. */
export async function startSway(width: number, height: number): Promise<Sway> {
  const place = createDesktopFolder();
  const { folder } = place;
  writeFileSync(join(folder, 'config'), configOf(folder, width, height));
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
    typed: () => readFileSync(typed, 'utf8'),
    kill,
    async [Symbol.asyncDispose]() {
      await kill();
      place[Symbol.dispose]();
    },
  };
}
