/** The real login manager (systemd-logind) on a bus and in folders of its own, with people who are signed in at one seat. Needs root. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { eventually } from '../../eventually.ts';
import type { LoginManager } from './login-manager.ts';
import { createSystemBus } from './system-bus.ts';

const program = '/lib/systemd/systemd-logind';

export const whyNoLogind = (): string | false => !existsSync(program) && 'systemd-logind is not installed';

/** Virtual consoles are hidden, so that those of the machine are not switched. */
const startScript = `
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /sys/class/tty
mkdir -p /run/systemd/sessions /run/systemd/users /run/systemd/seats /run/systemd/inhibit /run/systemd/system /run/udev /run/user
for uid; do
  printf 'NAME=%s\\nSTATE=online\\n' "$(id -nu "$uid")" > /run/systemd/users/$uid
  printf 'UID=%s\\nUSER=%s\\nACTIVE=0\\nSTATE=online\\nTYPE=wayland\\nCLASS=user\\nSEAT=seat0\\nSCOPE=session-%s.scope\\n' \\
    "$uid" "$(id -nu "$uid")" "$uid" > /run/systemd/sessions/$uid
done
exec ${program}
`;

export interface Logind extends Pick<LoginManager, 'say'>, AsyncDisposable {}

/** The users must exist. `say` understands who is active and who has locked the screen. */
export async function startLogind(folder: string, ...uids: readonly number[]): Promise<Logind> {
  await using started = new AsyncDisposableStack();
  const bus = started.use(createSystemBus(folder));
  await bus.start();
  const child = spawn('unshare', ['--mount', 'sh', '-c', startScript, 'sh', ...uids.map(String)], {
    stdio: 'ignore',
  });
  started.defer(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  started.defer(useProgramsIn(folder, child.pid!));
  await eventually(
    () => sessionsNow().length,
    (count) => count === uids.length,
  );
  const all = started.move();
  return { say, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** `loginctl` refuses to run where systemd does not, as far as its folder shows. The returned function restores the usual ones. */
function useProgramsIn(folder: string, logind: number): () => void {
  const usual = process.env['PATH'];
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  const command = `exec nsenter --mount --target ${logind} /usr/bin/loginctl "$@"`;
  writeFileSync(join(programs, 'loginctl'), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  process.env['PATH'] = `${programs}${delimiter}${usual}`;
  return () => void (process.env['PATH'] = usual);
}

function sessionsNow(): string[] {
  try {
    const listed = execFileSync('loginctl', ['list-sessions', '--no-legend'], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return listed.split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

function say(...logins: readonly Record<string, string>[]): void {
  for (const { User = '', Active, LockedHint } of logins) {
    if (Active === 'yes') execFileSync('loginctl', ['activate', User]);
    if (LockedHint) lock(User, LockedHint === 'yes');
  }
}

/** As screen lockers do. */
function lock(id: string, isLocked: boolean): void {
  const path = `/org/freedesktop/login1/session/_${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
  const call = [path, 'org.freedesktop.login1.Session.SetLockedHint', `boolean:${isLocked}`];
  execFileSync('dbus-send', ['--system', '--print-reply', '--dest=org.freedesktop.login1', ...call]);
}
