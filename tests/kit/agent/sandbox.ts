/**
 * A machine within the machine: the same files and network, but separate system folders and processes,
 * removed at the end.
 */
import { execFile, spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { boundToParent } from '../process.ts';

/** Folders that are empty inside, so that nothing that is installed reaches the real machine. */
const emptyFolders = ['/etc/systemd', '/run', '/usr/local/bin', '/usr/local/lib', '/var/lib'];

/**
 * The part of systemd that an installation needs: it runs what the unit names, with the unit's environment
 * only, and records what it was asked to do.
 */
const systemctlScript = (folder: string): string => `#!/bin/sh
folder=${folder}
unit=/etc/systemd/system/drawbridge-agent.service
echo "$*" >> "$folder/asked"
value() { sed -n "s/^$1=//p" "$unit"; }
stop() {
  [ -e "$folder/pid" ] || return 0
  pid=$(cat "$folder/pid")
  kill "$pid"
  # As systemd does, waits until it has ended. Nothing collects its status here, but then it has no program any more.
  while readlink -q "/proc/$pid/exe" > "$folder/program"; do sleep 0.05; done
  rm -f "$folder/pid"
}
start() {
  file=$(value EnvironmentFile)
  [ ! -s "\${file#-}" ] || set -- $(cat "\${file#-}" | tr -d '"')
  eval "exec setsid env -i $(value Environment) $* $(value ExecStart)" >> "$folder/log" 2>&1 &
  echo $! > "$folder/pid"
}
case $1 in
  restart) stop; start ;;
  disable) stop ;;
  is-active) [ -e "$folder/pid" ] && kill -0 "$(cat "$folder/pid")" && echo active ;;
esac
`;

export interface Sandbox extends AsyncDisposable {
  /** Runs a command line in the sandbox; rejects if it fails. */
  run(line: string): Promise<{ stdout: string; stderr: string }>;
  /** What the service manager was asked to do. */
  asked(): string[];
  /** The output of the service. */
  log(): string;
}

function writePrograms(folder: string): void {
  writeFileSync(join(folder, 'systemctl'), systemctlScript(folder));
  // The caller of sudo is already root.
  writeFileSync(join(folder, 'sudo'), '#!/bin/sh\nexec "$@"\n');
  for (const name of ['systemctl', 'sudo']) chmodSync(join(folder, name), 0o755);
}

/** A process that keeps the namespaces of the sandbox until its input ends. */
function startHolder(): ChildProcessByStdio<Writable, Readable, null> {
  const mounts = emptyFolders.filter(existsSync).map((path) => `mount -t tmpfs none ${path}`);
  const prepare = [...mounts, 'mkdir -p /etc/systemd/system /run/systemd/system', 'echo ready', 'exec cat'];
  const options = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  return spawn(...boundToParent('unshare', [...options, 'sh', '-ec', prepare.join('\n')]), {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

/** Needs root. */
export async function openSandbox(env: Record<string, string> = {}): Promise<Sandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-sandbox-'));
  writePrograms(folder);
  const holder = startHolder();
  await once(holder.stdout, 'data');
  const inside = Number(readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').trim());
  const path = `${folder}:/usr/sbin:/usr/bin:/sbin:/bin`;
  const read = (name: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  return {
    run: (line) =>
      new Promise((resolve, reject) => {
        const args = ['--mount', '--pid', '--target', String(inside), 'sh', '-c', line];
        execFile(
          'nsenter',
          args,
          { env: { PATH: path, ...env }, timeout: 300_000 },
          (error, stdout, stderr) =>
            error ? reject(Object.assign(error, { stdout, stderr })) : resolve({ stdout, stderr }),
        );
      }),
    asked: () => read('asked').split('\n').filter(Boolean),
    log: () => read('log'),
    async [Symbol.asyncDispose]() {
      // When the first process of the PID namespace ends, the kernel ends all others.
      holder.stdin.end();
      if (holder.exitCode === null) await once(holder, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
