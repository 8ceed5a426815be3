/**
 * A real Wayland desktop without a physical screen: sway, a native terminal, XWayland, and wayvnc that shows
 * it all.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boundToParent } from '../process.ts';
import { eventually } from '../eventually.ts';

export interface Wayland extends AsyncDisposable {
  /** What was typed into the terminal, up to the last line end. */
  typed(): string;
}

/** The colour of the terminal, which fills the screen. */
export const terminalColour = 0x224466;

/** sway does not start as root. */
const nobody = 65_534;
const asNobody = (...command: string[]): [string, string[]] => [
  '/usr/bin/setpriv',
  ['--reuid', `${nobody}`, '--regid', `${nobody}`, '--clear-groups', '--pdeathsig', 'KILL', '--', ...command],
];

const textIn = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

function startSway(folder: string, settings: string): ChildProcess {
  const isRoot = process.getuid?.() === 0;
  const [config, guest] = [join(folder, 'config'), join(folder, 'guest')];
  writeFileSync(config, settings);
  // The X11 display inside admits only its own user, which is not the agent's user here.
  writeFileSync(guest, '#!/bin/sh\nexec Xwayland "$@" -ac\n', { mode: 0o755 });
  if (isRoot) chownSync(folder, nobody, nobody);
  chmodSync(folder, 0o700);
  const command = isRoot ? asNobody('sway', '-c', config) : boundToParent('sway', ['-c', config]);
  return spawn(...command, {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      WLR_BACKENDS: 'headless',
      WLR_RENDERER: 'pixman',
      WLR_LIBINPUT_NO_DEVICES: '1',
      WLR_XWAYLAND: guest,
    },
    stdio: 'ignore',
  });
}

/** Makes it the desktop the agent in this process finds. */
export async function startWayland(width: number, height: number): Promise<Wayland> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-wayland-'));
  const child = startSway(folder, configOf(folder, width, height));
  const before = process.env['DISPLAY'];
  process.env['DISPLAY'] = (
    await eventually(
      () => textIn(join(folder, 'display')),
      (text) => text.endsWith('\n'),
    )
  ).trim();
  process.env['DRAWBRIDGE_AGENT_VNC'] = join(folder, 'vnc');
  await eventually(
    () => existsSync(join(folder, 'vnc')) && existsSync(join(folder, 'typed')),
    (isThere) => isThere,
  );
  return {
    typed: () => textIn(join(folder, 'typed')),
    async [Symbol.asyncDispose]() {
      delete process.env['DRAWBRIDGE_AGENT_VNC'];
      if (before === undefined) delete process.env['DISPLAY'];
      else process.env['DISPLAY'] = before;
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

const configOf = (folder: string, width: number, height: number): string => `
xwayland force
output HEADLESS-1 resolution ${width}x${height} position 0,0
default_border none
exec echo $DISPLAY > ${folder}/display
exec foot -o colors.background=${terminalColour.toString(16)} sh -c 'cat > ${folder}/typed'
exec wayvnc --unix-socket ${folder}/vnc
`;
