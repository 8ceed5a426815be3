/** The folder below which operators reach files: the whole file system, or what a setting names. */
import { realpath } from 'node:fs/promises';

export const findFilesRoot = (env: NodeJS.ProcessEnv): Promise<string> =>
  realpath(env['DRAWBRIDGE_AGENT_FILES'] ?? '/');

/** The path that operators use for a file of the device; undefined if they do not reach it. */
export function toFilesPath(root: string, path: string): string | undefined {
  if (root === '/') return path;
  return path.startsWith(`${root}/`) ? path.slice(root.length) : undefined;
}
