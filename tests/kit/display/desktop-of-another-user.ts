/** A folder for the Wayland desktop of another user than the tests, which the agent in this process then finds. */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderVariable } from '@drawbridge/agent/folder';
import { socketsSetting } from '@drawbridge/agent/platform/linux/display';
import { runtimeFoldersSetting } from '@drawbridge/agent/platform/linux/wayland/wayland-session';

/** Compositors do not start as root. */
export const nobody = 65_534;

/** The command before a program that runs as that user, and ends with this process. */
export const nobodyCommand: readonly string[] = [
  '/usr/bin/setpriv',
  '--reuid',
  `${nobody}`,
  '--regid',
  `${nobody}`,
  '--clear-groups',
  '--pdeathsig',
  'KILL',
  '--',
];

const agentProgram = join(import.meta.dirname, '../../../agent/src/main.ts');

export interface DesktopFolder extends Disposable {
  /** The runtime folder of the user: of this process if it is not root. */
  folder: string;
}

export function createDesktopFolder(): DesktopFolder {
  const isRoot = process.getuid?.() === 0;
  const parent = mkdtempSync(join(tmpdir(), 'drawbridge-desktop-'));
  const folder = join(parent, `${isRoot ? nobody : process.getuid!()}`);
  mkdirSync(folder, { mode: 0o700 });
  mkdirSync(join(parent, 'displays'));
  chmodSync(parent, 0o755);
  if (isRoot) chownSync(folder, nobody, nobody);
  const restore = useDesktops(parent);
  return {
    folder,
    [Symbol.dispose]() {
      restore();
      rmSync(parent, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/**
 * Makes the agent in this process look there for the runtime folders of all people. A helper is started with the program of
 * this process, which must be the agent's.
 */
export function useDesktops(parent: string): () => void {
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
