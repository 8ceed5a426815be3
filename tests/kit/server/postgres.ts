/**
 * A private PostgreSQL cluster in a temporary folder, on a free loopback port, that does not outlive the
 * process that started it.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { findPostgresPrograms } from '../requirements.ts';

export interface Postgres {
  /** The address for the superuser; tests that need their own database create one through it. */
  url: string;
  stop(): Promise<void>;
}

interface Identity {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root; under root it runs as an unprivileged user. */
function identity(): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = ['postgres', 'nobody'].map((name) => users.find(([each]) => each === name)).find(Boolean);
  if (!user) throw new Error('PostgreSQL cannot run as root, and there is no user postgres or nobody');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

/** Runs the program to its end, or throws with its output. */
async function finish(child: ChildProcess): Promise<void> {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${child.spawnfile} failed: ${output}`);
}

/** Resolves when it accepts connections; throws with its log if it ends first. */
function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      if (log.length < 10_000) log += chunk.toString();
      if (/ready to accept (read-only )?connections/.test(log)) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)));
  });
}

/** setpriv asks the kernel to end the cluster even if this process is killed. */
function spawnBound(program: string, args: string[], options: SpawnOptions): ChildProcess {
  const setpriv = '/usr/bin/setpriv';
  return existsSync(setpriv)
    ? spawn(setpriv, ['--pdeathsig', 'QUIT', '--', program, ...args], options)
    : spawn(program, args, options);
}

/** Settings as durable as in production, so that tests of crashes and races mean something. */
const settings = (folder: string, port: number): string[] =>
  Object.entries({
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: 200,
    fsync: 'on',
    synchronous_commit: 'on',
    lc_messages: 'C',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** A folder with the superuser's password, both owned by the user PostgreSQL runs as. */
function makeFolder(user: Identity | undefined, password: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-pg-'));
  const secret = join(folder, 'password');
  writeFileSync(secret, password, { mode: 0o600 });
  if (user) for (const path of [folder, secret]) chownSync(path, user.uid, user.gid);
  return folder;
}

/** A stopped server may still write into its folder for a moment; at exit nothing else can wait for it. */
function removeWholly(folder: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; tries < 100 && existsSync(folder); tries++) {
    try {
      rmSync(folder, { recursive: true });
    } catch {
      Atomics.wait(pause, 0, 0, 10);
    }
  }
}

const initdb = ['-D', 'data', '-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', 'password'];

/** A folder in which PostgreSQL programs run as the right user. It is removed when this process ends. */
export interface PostgresFolder {
  path: string;
  password: string;
  /** Runs one of its programs to the end. */
  run(program: string, args: string[]): Promise<void>;
  /** Resolves when it accepts connections. */
  start(port: number): Promise<ChildProcess>;
  remove(): void;
}

/** `given`: the password of a cluster that is copied here. */
export function openPostgresFolder(given?: string): PostgresFolder {
  const programs = findPostgresPrograms();
  if (!programs) throw new Error('PostgreSQL is not installed');
  const password = given ?? randomBytes(12).toString('hex');
  const user = identity();
  const path = makeFolder(user, password);
  const remove = (): void => removeWholly(path);
  process.once('exit', remove);
  const options: SpawnOptions = {
    ...user,
    cwd: path,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { LC_ALL: 'C', PGPASSWORD: password },
  };
  return {
    path,
    password,
    run: (program, args) => finish(spawn(join(programs, program), args, options)),
    async start(port) {
      const server = spawnBound(join(programs, 'postgres'), ['-D', 'data', ...settings(path, port)], options);
      await ready(server);
      return server;
    },
    remove() {
      process.off('exit', remove);
      remove();
    },
  };
}

export const createCluster = (folder: PostgresFolder): Promise<void> =>
  folder.run('initdb', [...initdb, '-E', 'UTF8', '--no-locale', '-N']);

export async function startPostgres(): Promise<Postgres> {
  const folder = openPostgresFolder();
  await createCluster(folder);
  const port = await freePort();
  const server = await folder.start(port);
  const kill = (): boolean => server.kill('SIGQUIT');
  process.prependOnceListener('exit', kill);

  const stop = async (): Promise<void> => {
    const running = server.exitCode === null && server.signalCode === null;
    if (running && server.kill('SIGINT')) await once(server, 'exit');
    process.off('exit', kill);
    folder.remove();
  };
  return { url: `postgres://postgres:${folder.password}@127.0.0.1:${port}/postgres`, stop };
}
