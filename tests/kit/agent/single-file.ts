/** The agent as it is shipped: the single file, rebuilt when stale, in a folder that holds nothing else. */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadState, type AgentState } from '@drawbridge/agent/state';
import { ensureAgent, agentFilesFolder } from '../../../scripts/build-agent.ts';
import { boundToParent, followProcess, type Program } from '../process.ts';

/** The path of the file for this machine. */
export async function buildSingleFile(): Promise<string> {
  const { files } = await ensureAgent({ mayFetch: false });
  const own = files.find(({ os, arch }) => os === 'linux' && arch === process.arch);
  return join(agentFilesFolder, own!.name);
}

/**
 * The single file as if it had been built from other sources: each text is replaced by another of the same length,
 * which must occur once.
 */
export async function alterSingleFile(
  changes: Readonly<Record<string, string>>,
  built: () => Promise<string> = buildSingleFile,
): Promise<Buffer> {
  const file = readFileSync(await built());
  for (const [from, to] of Object.entries(changes)) {
    const at = file.indexOf(from);
    if (at === -1 || file.includes(from, at + 1) || from.length !== to.length)
      throw new Error(`${from} must occur once and be as long as ${to}`);
    file.write(to, at);
  }
  return file;
}

/** The path of the file for Windows that Wine can run on this machine; its packages are fetched if they are missing. */
export async function buildWindowsFile(): Promise<string> {
  const { files } = await ensureAgent({ mayFetch: true });
  const file = files.find(({ os, arch }) => os === 'windows' && arch === process.arch);
  if (!file) throw new Error('The agent for Windows was not built: npm could not fetch its packages.');
  return join(agentFilesFolder, file.name);
}

/** A device with its own state folder and no other environment variables. */
export interface InstalledAgent {
  run(args: readonly string[], env?: Record<string, string>): Program & { pid: number };
  /** The stored state of the agent; undefined before it stores anything. */
  state(): AgentState | undefined;
  stateFile: string;
}

/** A folder that holds only the single file, for any number of devices. */
export interface CleanInstall extends Disposable {
  folder: string;
  device(): InstalledAgent;
}

export async function openCleanInstall(): Promise<CleanInstall> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-clean-'));
  const program = join(folder, 'drawbridge-agent');
  copyFileSync(await buildSingleFile(), program);
  return {
    folder,
    device: () => createInstalledAgent(mkdtempSync(join(folder, 'device-')), program),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function createInstalledAgent(folder: string, program: string): InstalledAgent {
  const stateFile = join(folder, 'state/agent.json');
  return {
    run(args, env = {}) {
      const child = spawn(...boundToParent(program, args), {
        cwd: folder,
        env: { DRAWBRIDGE_AGENT_DATA: join(folder, 'state'), ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return { ...followProcess(child), pid: child.pid! };
    },
    state: () => loadState(join(folder, 'state')),
    stateFile,
  };
}
