/** A complete service in one process: real server, real store, real TLS. Tests need no further wiring. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@drawbridge/server/config/config';
import { createLog } from '@drawbridge/server/edges/log';
import { startServer, type RunningServer } from '@drawbridge/server/compose/server';
import { createAccount, type TestAccount } from './account.ts';
import { plugIn, type PluggedIn } from '../agent/device.ts';
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

export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-service-'));
  if (!options.migrates) copyMigratedFile(folder);
  const template = options.migrates ? undefined : migratedDatabase();
  const database = await openDatabaseFor(options.database ?? 'sqlite', template);
  const env = { DRAWBRIDGE_DATA: folder, DRAWBRIDGE_LISTEN: '127.0.0.1:0', ...database.env, ...options.env };
  const loaded = await loadConfig({ env, cwd: folder });
  if (loaded.problems) throw new Error(loaded.problems.join('\n'));
  const logged: string[] = [];
  const log = createLog({ level: 'info', stream: { write: (line: string) => void logged.push(line) } });
  let clock = firstMoment;
  const start = () => startServer(loaded.config, log, options.realTime ? undefined : () => clock);
  const server = await start();
  const service: TestService = {
    server,
    testClient: openTestClient(server),
    logged,
    folder,
    account: (email) => createAccount(service.server, service.testClient, email),
    async restart() {
      service.testClient.close();
      await service.server.close(1_000);
      service.server = await start();
      service.testClient = openTestClient(service.server);
    },
    advance: (seconds) => void (clock += seconds),
    plugIn: (agentId, answer) => plugIn(service.server, agentId, answer),
    async [Symbol.asyncDispose]() {
      service.testClient.close();
      await service.server.close(1_000);
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return service;
}
