/** A PostgreSQL primary with a synchronous standby, which can be killed, frozen, promoted and started again. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, globSync } from 'node:fs';
import pg from 'pg';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { createCluster, openPostgresFolder, type PostgresFolder } from '../server/postgres.ts';

interface PairMember {
  /** `host:port` */
  host: string;
  start(): Promise<void>;
  /** Sends a signal to all of its processes, as if the machine had crashed or was frozen. */
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** As `pg_ctl stop -m immediate` does: without a checkpoint, so that the next start recovers from the log. */
  stopImmediately(): Promise<void>;
  query(text: string): Promise<Record<string, unknown>[]>;
}

export interface PostgresPair extends AsyncDisposable {
  primary: PairMember;
  standby: PairMember;
  /** The address of the database of a role without special rights, at these hosts. */
  urlOf(hosts: readonly string[]): string;
}

const parentOf = (pid: number): number => {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return 0; // it has ended
  }
};

const processesOf = (pid: number): number[] => [
  pid,
  ...globSync('/proc/[0-9]*')
    .map((path) => Number(path.slice('/proc/'.length)))
    .filter((each) => parentOf(each) === pid),
];

function createMember(folder: PostgresFolder, port: number): PairMember & { stop(): Promise<void> } {
  let server: ChildProcess | undefined;
  const member = {
    host: `127.0.0.1:${port}`,
    async start() {
      server = await folder.start(port);
    },
    async signal(signal: NodeJS.Signals) {
      for (const pid of processesOf(server!.pid!))
        try {
          process.kill(pid, signal);
        } catch {
          // It has ended meanwhile.
        }
      if (signal === 'SIGKILL' && server!.exitCode === null && server!.signalCode === null)
        await once(server!, 'exit');
    },
    async stopImmediately() {
      if (server!.kill('SIGQUIT')) await once(server!, 'exit');
    },
    async query(text: string) {
      const client = new pg.Client(`postgres://postgres:${folder.password}@${member.host}/postgres`);
      await client.connect();
      const { rows } = await client.query(text).finally(() => client.end());
      return rows as Record<string, unknown>[];
    },
    async stop() {
      if (server) await member.signal('SIGKILL');
      folder.remove();
    },
  };
  return member;
}

/** From then on no change is acknowledged before the standby has it. */
async function waitForStandby(primary: PairMember): Promise<void> {
  await primary.query(`alter system set synchronous_standby_names = '*'`);
  await primary.query('select pg_reload_conf()');
  await eventually(
    () => primary.query(`select 1 from pg_stat_replication where sync_state = 'sync'`),
    (rows) => rows.length === 1,
  );
}

export async function startPostgresPair(): Promise<PostgresPair> {
  await using cleanup = new AsyncDisposableStack();
  const folder = openPostgresFolder();
  const primary = createMember(folder, await freePort());
  cleanup.defer(() => primary.stop());
  await createCluster(folder);
  await primary.start();
  await primary.query(`create role service login password 'service'`);
  await primary.query('create database service owner service');

  const copy = openPostgresFolder(folder.password);
  const standby = createMember(copy, await freePort());
  cleanup.defer(() => standby.stop());
  const [host, port] = primary.host.split(':') as [string, string];
  await copy.run('pg_basebackup', [
    '-h',
    host,
    '-p',
    port,
    '-U',
    'postgres',
    '-D',
    'data',
    '-R',
    '-c',
    'fast',
  ]);
  await standby.start();
  await waitForStandby(primary);
  const rest = cleanup.move();
  return {
    primary,
    standby,
    urlOf: (hosts) => `postgres://service:service@${hosts.join(',')}/service?target_session_attrs=read-write`,
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}
