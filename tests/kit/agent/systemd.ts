/** A machine within the machine whose first process is systemd: it can be turned off and on again. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { boundToParent } from '../process.ts';
import { eventually } from '../eventually.ts';

/**
 * The folders the machine keeps when it is turned off; everything else belongs to the real machine and is
 * read-only.
 */
const kept = [
  '/etc',
  '/etc/systemd',
  '/usr/local/bin',
  '/usr/local/lib',
  '/var/lib',
  '/var/cache',
  '/home',
  '/root',
];
/** The only units of the real machine that exist inside; they do nothing. */
const steps = ['sysinit', 'basic', 'network', 'network-online', 'shutdown', 'umount', 'final', 'multi-user'];

/**
 * Creates a cgroup for the machine's processes, starts the machine in it, and removes the cgroup when it has
 * ended.
 */
const hold = (folder: string, group: string): string => `
mount --make-rprivate /
mount -t cgroup2 none ${folder}/cgroup
mkdir ${folder}/cgroup/${group}
(
  echo 0 > ${folder}/cgroup/${group}/cgroup.procs
  exec setpriv --pdeathsig KILL -- unshare --fork --pid --kill-child --mount --cgroup --uts --ipc --mount-proc \\
    sh -ec '${boot(folder)}'
) &
echo "pid $!"
wait
until find ${folder}/cgroup/${group} -depth -type d -exec rmdir {} + 2> /dev/null; do :; done
`;

const project = join(import.meta.dirname, '../../..');
/** Where the machine sees this project, which services cannot see in a home folder or below /tmp. */
const projectInside = '/opt/drawbridge';
/** A path of this project, as the machine sees it. */
export const insideMachine = (path: string): string => path.replace(project, projectInside);

const boot = (folder: string): string => `
for path in ${kept.join(' ')}; do mount --bind ${folder}$path $path; done
for path in /run /usr/lib/systemd/system /usr/lib/systemd/system-generators; do mount -t tmpfs none $path; done
mount -t cgroup2 none /sys/fs/cgroup
mount -t tmpfs none /opt
mkdir ${projectInside}
mount --bind ${project} ${projectInside}
mount -o remount,bind,ro /
mkdir -p /run/lock /etc/systemd/system
cd /usr/lib/systemd/system
for step in ${steps.join(' ')}; do printf "[Unit]\\nDescription=%s\\nDefaultDependencies=no\\n" $step > $step.target; done
ln -s multi-user.target default.target
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin container=drawbridge /lib/systemd/systemd --system --log-target=null --show-status=no
`;

export interface SystemdMachine extends AsyncDisposable {
  /** Runs a command line inside; rejects if it fails. */
  run(line: string): Promise<string>;
  /** Cuts the power. */
  turnOff(): Promise<void>;
  turnOn(): Promise<void>;
}

/** Needs root. */
export async function openSystemd(): Promise<SystemdMachine> {
  // On the disk: systemd removes all of a user's files from /dev/shm when the service of that user stops.
  const folder = mkdtempSync('/var/tmp/drawbridge-systemd-');
  cpSync('/etc', join(folder, 'etc'), { recursive: true, verbatimSymlinks: true });
  rmSync(join(folder, 'etc/systemd'), { recursive: true, force: true });
  for (const path of ['/cgroup', ...kept]) mkdirSync(join(folder, path), { recursive: true });
  let running: { holder: ChildProcess; outer: number } | undefined;
  const run = (line: string): Promise<string> => runInside(firstOf(running!.outer), line);
  const machine: SystemdMachine = {
    run,
    async turnOff() {
      if (!running) return;
      process.kill(running.outer, 'SIGKILL');
      const { holder } = running;
      running = undefined;
      if (holder.exitCode === null) await once(holder, 'exit');
    },
    async turnOn() {
      const group = `drawbridge-${process.pid}-${performance.now().toFixed(0)}`;
      const holder = spawn(...boundToParent('unshare', ['--mount', 'sh', '-ec', hold(folder, group)]), {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [text] = (await once(holder.stdout, 'data')) as [Buffer];
      running = { holder, outer: Number(/pid (\d+)/.exec(text.toString())![1]) };
      await eventually(
        () => run('systemctl is-system-running').catch(() => ''),
        (state) => state.trim() === 'running',
      );
    },
    async [Symbol.asyncDispose]() {
      await machine.turnOff();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await using onFailure = new AsyncDisposableStack();
  onFailure.use(machine);
  await machine.turnOn();
  onFailure.move();
  return machine;
}

const runInside = (pid: number, line: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const args = ['--target', String(pid), '--mount', '--pid', 'sh', '-c', line];
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
    execFile('nsenter', args, { env, timeout: 300_000 }, (error, stdout, stderr) =>
      error ? reject(Object.assign(error, { message: `${line}: ${stderr}` })) : resolve(stdout),
    );
  });

/** The process id of the machine's first process, as the real machine counts it. */
const firstOf = (outer: number): number =>
  Number(readFileSync(`/proc/${outer}/task/${outer}/children`, 'utf8').trim().split(' ')[0]);
