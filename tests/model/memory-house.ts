/** The rules of the house without its door: the real operations over the real changes, in a database in memory. */
import SqliteDatabase from 'better-sqlite3';
import type { OperationId } from '@drawbridge/contract/v1/index';
import { chance, digestOf } from '@drawbridge/server/chance';
import { createAgentViews } from '@drawbridge/server/handlers/agent-view';
import type { House } from '@drawbridge/server/handlers/handler';
import { dispatcher, type Services } from '@drawbridge/server/http/dispatch';
import { apiTable, rowsOf } from '@drawbridge/server/http/served';
import { perform } from '@drawbridge/server/store/change';
import { migrate } from '@drawbridge/server/store/migrate';
import { storeOver } from '@drawbridge/server/store/open';
import { over, sqliteWords } from '@drawbridge/server/store/sqlite';
import type { Shelf, Store } from '@drawbridge/server/store/store';

export interface MemoryHouse {
  database: SqliteDatabase.Database;
  store: Store;
  /** Carries out an operation with somebody's key, through every check that a request passes. */
  call(
    apiKey: string,
    id: OperationId,
    params: object,
  ): Promise<{ fault?: string; code?: string; id?: number }>;
}

const moment = 1_800_000_000;

async function openMemoryStore(database: SqliteDatabase.Database): Promise<Store> {
  database.pragma('foreign_keys = ON');
  const db = over(database);
  await migrate(db, sqliteWords);
  return storeOver({
    alone: true,
    ping: async () => {},
    reader: () => db,
    now: () => moment,
    async submit(job) {
      database.exec('savepoint change');
      const outcome = await perform(
        db,
        { ...job, now: moment },
        () => void database.exec('rollback to change'),
      );
      database.exec('release change');
      return outcome;
    },
    close: async () => void database.close(),
  });
}

/** No file is ever sent here. */
const noShelf: Shelf = {
  largest: 0,
  put: async () => 'broken',
  open: async () => undefined,
  remove: async () => {},
  accounts: async () => [],
  settled: async function* () {},
};

const houseOver = (store: Store): House => ({
  store,
  shelf: noShelf,
  recordings: noShelf,
  fleet: { command: async () => 'offline' },
  wakeNearby: async () => false,
  views: createAgentViews(),
  now: store.now,
  breathe: async () => {},
  chance,
  digestOf,
  sealOf: () => 'sealed',
  hashPassword: async () => 'hashed',
  keep: (name, input) => store.change(name, input),
  certificate: () => '',
  publicUrl: 'https://localhost',
  mail: undefined,
  invitationLifetime: 86_400,
});

export async function openMemoryHouse(): Promise<MemoryHouse> {
  const database = new SqliteDatabase(':memory:');
  const store = await openMemoryStore(database);
  const services: Services = {
    store,
    onKeyUsed: () => {},
    onBug: (_operation, error) => {
      throw error;
    },
  };
  const served = rowsOf(apiTable(houseOver(store)));
  const dispatch = new Map(served.map((each) => [each.id, dispatcher(each, services)]));
  const from = { method: 'POST', headers: {}, legacy: false, address: '127.0.0.1', query: '' };
  return {
    database,
    store,
    async call(apiKey, id, params) {
      const body = Buffer.from(JSON.stringify(params));
      const { result } = await dispatch.get(id)!({ ...from, apiKey, body });
      return result;
    },
  };
}
