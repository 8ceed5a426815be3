/** The agent as it is shipped: the single file, built when it is stale, in a folder where nothing else is. */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadState, type AgentState } from '@drawbridge/agent/state';
import { buildAgent, builtAgent, folder as built } from '../../scripts/build-agent.ts';
import { bound, follow, type Program } from './process.ts';

/** Where the file for this machine is. */
export async function singleFile(): Promise<string> {
  const { files } = (await builtAgent()) ?? (await buildAgent());
  const own = files.find(({ os, arch }) => os === 'linux' && arch === process.arch);
  return join(built, own!.name);
}

/** A device of its own: where the agent keeps its state, and nothing of the environment but that. */
export interface Device {
  run(args: readonly string[], env?: Record<string, string>): Program & { pid: number };
  /** What the agent keeps; undefined before it keeps anything. */
  state(): AgentState | undefined;
  stateFile: string;
}

/** A folder with the single file and nothing else, for as many devices as are asked for. */
export interface CleanPlace extends Disposable {
  folder: string;
  device(): Device;
}

export async function cleanPlace(): Promise<CleanPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-clean-'));
  const program = join(folder, 'drawbridge-agent');
  copyFileSync(await singleFile(), program);
  return {
    folder,
    device: () => deviceIn(mkdtempSync(join(folder, 'device-')), program),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function deviceIn(folder: string, program: string): Device {
  const stateFile = join(folder, 'state/agent.json');
  return {
    run(args, env = {}) {
      const child = spawn(...bound(program, args), {
        cwd: folder,
        env: { DRAWBRIDGE_AGENT_DATA: join(folder, 'state'), ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return { ...follow(child), pid: child.pid! };
    },
    state: () => loadState(join(folder, 'state')),
    stateFile,
  };
}
