/** A complete service in one process: real server, real store, real TLS. Tests need no further wiring. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@drawbridge/server/config/config';
import { createLog, type Log } from '@drawbridge/server/edges/log';
import { startServer, type RunningServer } from '@drawbridge/server/compose/server';
import { createAccount, type TestAccount } from './account.ts';
import { plugIn, type PluggedIn } from '../agent/device.ts';
import { isClusterRun } from '../nodes/cluster-run.ts';
import { createNodeGroup } from '../nodes/three-nodes.ts';
import { openDatabaseFor, type DatabaseKind } from './database.ts';
import { copyMigratedFile, migratedDatabase } from './migrated-databases.ts';
import { openTestClient, type TestClient } from './test-client.ts';

export interface ServiceOptions {
  database?: DatabaseKind;
  /** Settings beyond the test's own, by the names of the environment. */
  env?: Record<string, string>;
  /** Begin with an empty database instead of one that has the newest schema already. */
  migrates?: boolean;
  /** Use a running clock instead of a fixed one. */
  realTime?: boolean;
  /** Three servers behind haproxy instead of one; the default in `npm run test:cluster`. */
  cluster?: boolean;
}

export interface TestService extends AsyncDisposable {
  server: RunningServer;
  testClient: TestClient;
  /** Every line logged so far. */
  logged: string[];
  folder: string;
  /** A new account with its owner; tests in one service do not see each other's accounts. */
  account(email?: string): Promise<TestAccount>;
  /** Stops the server and starts it again on the same data; `server` and `testClient` are replaced. */
  restart(): Promise<void>;
  /** Advances the clock. */
  advance(seconds: number): void;
  /** Puts a device online: it answers every command as given and records them. */
  plugIn(agentId: number, answer?: PluggedIn['answer']): Promise<PluggedIn>;
}

const firstMoment = 1_800_000_000;

/** Starts one server, or the servers of a cluster, on the same data each time. */
interface Launcher extends AsyncDisposable {
  start(): Promise<RunningServer>;
}

interface LaunchSettings {
  folder: string;
  env: Record<string, string>;
  log: Log;
  clock: (() => number) | undefined;
}

async function launchOne({ folder, env, log, clock }: LaunchSettings): Promise<RunningServer> {
  const own = { DRAWBRIDGE_DATA: folder, DRAWBRIDGE_LISTEN: '127.0.0.1:0', ...env };
  const loaded = await loadConfig({ env: own, cwd: folder });
  if (loaded.problems) throw new Error(loaded.problems.join('\n'));
  return startServer(loaded.config, log, clock);
}

async function createLauncher(settings: LaunchSettings, cluster: boolean): Promise<Launcher> {
  if (!cluster) return { start: () => launchOne(settings), [Symbol.asyncDispose]: async () => {} };
  const { DRAWBRIDGE_DATA: _data, DRAWBRIDGE_LISTEN: _listen, ...chosen } = settings.env;
  const group = await createNodeGroup(settings.folder, settings.env);
  const startNode = async (number: number, env: Record<string, string>): Promise<RunningServer> => {
    const folder = join(settings.folder, `node-${number}`);
    mkdirSync(folder, { recursive: true });
    return launchOne({ ...settings, folder, env: { ...env, ...chosen } });
  };
  return {
    start: () => group.start(startNode),
    [Symbol.asyncDispose]: () => group[Symbol.asyncDispose](),
  };
}

export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const { cluster = isClusterRun } = options;
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-service-'));
  if (!options.migrates) copyMigratedFile(folder);
  const template = options.migrates ? undefined : migratedDatabase();
  const database = await openDatabaseFor(cluster ? 'postgres' : (options.database ?? 'sqlite'), template);
  const logged: string[] = [];
  const log = createLog({ level: 'info', stream: { write: (line: string) => void logged.push(line) } });
  let time = firstMoment;
  const clock = options.realTime ? undefined : () => time;
  const env = { ...database.env, ...options.env };
  const launcher = await createLauncher({ folder, env, log, clock }, cluster);
  const server = await launcher.start();
  const service: TestService = {
    server,
    testClient: openTestClient(server),
    logged,
    folder,
    account: (email) => createAccount(service.server, service.testClient, email),
    async restart() {
      service.testClient.close();
      await service.server.close(1_000);
      service.server = await launcher.start();
      service.testClient = openTestClient(service.server);
    },
    advance: (seconds) => void (time += seconds),
    plugIn: (agentId, answer) => plugIn(service.server, agentId, answer),
    async [Symbol.asyncDispose]() {
      service.testClient.close();
      await service.server.close(1_000);
      await launcher[Symbol.asyncDispose]();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return service;
}
