/** Removes folders with files that Windows keeps until the process that uses them has ended: running programs and loaded modules. */
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';

/** Tries once a second for a minute, in a process that outlives this one. */
export function removeLater(folder: string): void {
  const attempt = `ping -n 2 127.0.0.1 >nul & rmdir /s /q "${folder}"`;
  const line = `for /l %i in (1,1,60) do if exist "${folder}" (${attempt})`;
  spawn('cmd.exe', ['/d', '/s', '/c', `"${line}"`], {
    cwd: dirname(folder),
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    windowsVerbatimArguments: true,
  }).unref();
}
