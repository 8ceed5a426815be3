/** A real wlroots desktop without a physical screen, of another user than the tests if they run as root. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderVariable } from '@drawbridge/agent/folder';
import { socketsSetting } from '@drawbridge/agent/platform/linux/display';
import { runtimeFoldersSetting } from '@drawbridge/agent/platform/linux/wayland/wayland-session';
import { boundToParent } from '../process.ts';
import { eventually } from '../eventually.ts';

export interface Sway extends AsyncDisposable {
  /** What the terminal received, up to the last line end. */
  typed(): string;
  /** Ends the compositor as a crash does. */
  kill(): Promise<void>;
}

/** The colour of the terminal, which fills the screen. */
export const swayTerminalColour = 0x224466;

/** sway does not start as root. */
const nobody = 65_534;
const asNobody = (...command: string[]): [string, string[]] => [
  '/usr/bin/setpriv',
  ['--reuid', `${nobody}`, '--regid', `${nobody}`, '--clear-groups', '--pdeathsig', 'KILL', '--', ...command],
];

const agentProgram = join(import.meta.dirname, '../../../agent/src/main.ts');

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
  const isRoot = process.getuid?.() === 0;
  const parent = mkdtempSync(join(tmpdir(), 'drawbridge-sway-'));
  const folder = join(parent, `${isRoot ? nobody : process.getuid!()}`);
  mkdirSync(folder, { mode: 0o700 });
  mkdirSync(join(parent, 'displays'));
  chmodSync(parent, 0o755);
  writeFileSync(join(folder, 'config'), configOf(folder, width, height));
  writeFileSync(join(folder, 'terminal'), terminalScript(folder));
  if (isRoot) chownSync(folder, nobody, nobody);
  const child = spawnSway(folder, isRoot);
  const restore = useDesktop(parent);
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
      restore();
      rmSync(parent, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** The helper is started with the program of this process, which must be the agent's. */
function useDesktop(parent: string): () => void {
  const names = ['DISPLAY', socketsSetting, runtimeFoldersSetting, folderVariable];
  const before = names.map((name) => [name, process.env[name]] as const);
  const [, program = ''] = process.argv;
  delete process.env['DISPLAY'];
  process.env[socketsSetting] = join(parent, 'displays');
  process.env[runtimeFoldersSetting] = parent;
  process.env[folderVariable] = join(parent, 'agent');
  process.argv[1] = agentProgram;
  return () => {
    process.argv[1] = program;
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  };
}
