/** The folder in which the agent keeps its state. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The environment variable that overrides the folder. */
export const folderVariable = 'DRAWBRIDGE_AGENT_DATA';

/** Returns the folder from the environment, or the system's standard one for a service or for a single user. */
export function agentFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env[folderVariable]) return env[folderVariable];
  if (process.platform === 'win32') return join(env['ProgramData'] ?? 'C:\\ProgramData', 'Drawbridge Agent');
  if (process.getuid?.() === 0)
    return process.platform === 'darwin'
      ? '/Library/Application Support/Drawbridge Agent'
      : '/var/lib/drawbridge-agent';
  return join(env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state'), 'drawbridge-agent');
}

/** The installed program on Windows. Only administrators can write to Program Files. */
export const windowsProgramPath = (env: NodeJS.ProcessEnv = process.env): string =>
  join(
    env['ProgramW6432'] ?? env['ProgramFiles'] ?? 'C:\\Program Files',
    'Drawbridge Agent',
    'drawbridge-agent.exe',
  );
