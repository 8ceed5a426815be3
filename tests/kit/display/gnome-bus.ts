/** Calls over the session bus of a GNOME desktop of the tests, as its user. */
import { execFileSync } from 'node:child_process';
import { nobody } from './desktop-of-another-user.ts';

/**
 * Sends a method call. The bus admits only its own user. `folder` is that of the desktop; `values` are written as dbus-send
 * expects them, such as `boolean:true`.
 */
export function callGnome(folder: string, service: string, member: string, ...values: string[]): string {
  const path = `/${service.replaceAll('.', '/')}`;
  const call = [`--dest=${service}`, path, `${service}.${member}`, ...values];
  const user = ['--reuid', `${nobody}`, '--regid', `${nobody}`, '--clear-groups'];
  return execFileSync('setpriv', [...user, 'dbus-send', '--print-reply', ...call], {
    env: { PATH: process.env['PATH'], DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder}/bus` },
    encoding: 'utf8',
  });
}

/** Runs a script in GNOME Shell and returns its reply. Needs `--unsafe-mode`. */
export const evaluateInGnome = (folder: string, code: string): string =>
  callGnome(folder, 'org.gnome.Shell', 'Eval', `string:${code}`);
