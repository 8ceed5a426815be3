/** The file in the agent's folder with variables of the user who installed the service, which a service does not inherit. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vncSettings } from '../platform/linux/vnc/settings.ts';
import { pathSetting } from '../platform/linux/wayland/wayland-path.ts';

export const environmentName = 'environment';

/** What the service needs to reach the server and the screen. */
const inherited = ['HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy', ...vncSettings, pathSetting];

/**
 * A separate file, because the address of a proxy may contain a password, which `systemctl show` would reveal to all users.
 * Lines of `known`, the current file, are kept for variables that are not set now.
 */
export const environmentFile = (env: NodeJS.ProcessEnv, known = ''): string => {
  const lines = new Map(known.split('\n').map((line) => [line.split('=', 1)[0]!, `${line}\n`]));
  return inherited
    .map((name) =>
      env[name] ? `${name}="${env[name].replace(/["\\$`]/g, '\\$&')}"\n` : (lines.get(name) ?? ''),
    )
    .join('');
};

const read = (folder: string): string => {
  const path = join(folder, environmentName);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

/** A repeated installation without a setting keeps the known one. Returns the path of the file; undefined if there is none. */
export function saveEnvironment(folder: string, env: NodeJS.ProcessEnv): string | undefined {
  const text = environmentFile(env, read(folder));
  if (!text) return undefined;
  const path = join(folder, environmentName);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/** The variables in the file. systemd reads it itself; the service of Windows uses this. */
export const readEnvironment = (folder: string): Record<string, string> =>
  Object.fromEntries(
    [...read(folder).matchAll(/^(\w+)="(.*)"$/gm)].map(([, name, value]) => [
      name!,
      value!.replace(/\\(.)/g, '$1'),
    ]),
  );
