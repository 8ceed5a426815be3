/** Servers on one database for the benchmark: one on SQLite, or several on PostgreSQL and NATS. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFault } from '@drawbridge/contract/faults';
import { newAccount } from '@drawbridge/server/compose/create-account';
import { random } from '@drawbridge/server/edges/random';
import { openStore } from '@drawbridge/server/store/engine/open';
import { openDatabaseFor } from '../../tests/kit/server/database.ts';
import { startNats } from '../../tests/kit/server/nats.ts';
import { createSharedSettings } from '../../tests/kit/server/shared-settings.ts';
import { startMeasuredServer, type MeasuredServer } from '../kit/server.ts';
import { countRoundTrips } from './round-trips.ts';

export interface ClusterSetup {
  name: string;
  database: 'sqlite' | 'postgres';
  nodes: number;
  /** Whether round trips to the database are counted, which costs time. */
  counted?: boolean;
}

export interface MeasuredCluster extends AsyncDisposable {
  servers: readonly MeasuredServer[];
  /** The keys of the owners of several accounts: changes of one account wait for each other. */
  apiKeys: readonly string[];
  /** Round trips to the database so far; 0 if they are not counted. */
  roundTrips(): number;
}

const accounts = 8;

async function createAccounts(folder: string, url: string | undefined): Promise<string[]> {
  const store = await openStore({ folder, url });
  const apiKeys: string[] = [];
  while (apiKeys.length < accounts) {
    const email = `owner-${apiKeys.length}@example.com`;
    const account = newAccount(random, email, 'https://localhost', store.now());
    if (isFault(await store.change('accounts/create', account.input)))
      throw new Error('The account could not be made.');
    apiKeys.push(account.apiKey);
  }
  await store.close();
  return apiKeys;
}

export async function startCluster({ database, nodes, counted }: ClusterSetup): Promise<MeasuredCluster> {
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-bench-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const { env, drop } = await openDatabaseFor(database);
  cleanup.defer(drop);
  const isAlone = database === 'sqlite';
  const counter = counted ? cleanup.use(await countRoundTrips(env['DRAWBRIDGE_DATABASE']!)) : undefined;
  const settings = isAlone
    ? env
    : {
        ...env,
        ...cleanup.use(await createSharedSettings()).env,
        ...(counter && { DRAWBRIDGE_DATABASE: counter.url }),
        DRAWBRIDGE_BUS: cleanup.use(await startNats()).url,
      };
  const folderOf = (node: number): string => (isAlone ? folder : join(folder, String(node)));
  const apiKeys = await createAccounts(folder, env['DRAWBRIDGE_DATABASE']);
  const servers: MeasuredServer[] = [];
  for (let node = 0; node < nodes; node += 1)
    servers.push(cleanup.use(await startNode(folderOf(node), settings)));
  const rest = cleanup.move();
  const roundTrips = (): number => counter?.count() ?? 0;
  return { servers, apiKeys, roundTrips, [Symbol.asyncDispose]: () => rest.disposeAsync() };
}

function startNode(folder: string, env: Record<string, string>): Promise<MeasuredServer> {
  mkdirSync(folder, { recursive: true });
  return startMeasuredServer({ folder, env });
}
