/** Where the agent keeps its state. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the environment says it. */
export const folderVariable = 'DRAWBRIDGE_AGENT_DATA';

/** The place that the environment names, or the system's own: for a service of all users, or for one person. */
export function agentFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env[folderVariable]) return env[folderVariable];
  if (process.platform === 'win32') return join(env['ProgramData'] ?? 'C:\\ProgramData', 'Drawbridge Agent');
  if (process.getuid?.() === 0)
    return process.platform === 'darwin'
      ? '/Library/Application Support/Drawbridge Agent'
      : '/var/lib/drawbridge-agent';
  return join(env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state'), 'drawbridge-agent');
}
