/**
 * The rules of the service without HTTP: the real operations over the real changes, in a database in memory.
 */
import SqliteDatabase from 'better-sqlite3';
import { isFault } from '@drawbridge/contract/faults';
import { inputLocation } from '@drawbridge/contract/operation';
import { v1, type OperationId } from '@drawbridge/contract/v1/index';
import { random, digestOf, hmacOf } from '@drawbridge/server/edges/random';
import type { Actor } from '@drawbridge/server/domain/people/access';
import { onetimeRoutes } from '@drawbridge/server/public-pages/links/onetime-link';
import { operatorRoutes } from '@drawbridge/server/public-pages/links/operator-link';
import { createAgentViewCache } from '@drawbridge/server/handlers/agent-view';
import type { HandlerContext } from '@drawbridge/server/handlers/handler';
import { createDispatcher, type DispatchDeps } from '@drawbridge/server/http/operations/dispatch';
import { createKeptAnswers } from '@drawbridge/server/http/operations/kept-answers';
import { apiTable, servedRoutes } from '@drawbridge/server/http/operations/served-table';
import { rightsOf } from '@drawbridge/server/sessions/rights';
import { runChange } from '@drawbridge/server/store/engine/registry';
import { migrate } from '@drawbridge/server/store/engine/migrate';
import { createStore } from '@drawbridge/server/store/engine/open';
import { createSecretBox } from '@drawbridge/server/store/secrets/secret-box';
import { toKysely, sqliteSchemaDialect } from '@drawbridge/server/store/engine/sqlite';
import type { BlobStore, Store } from '@drawbridge/server/store/store';
import { readModelDirectory } from './model-directory.ts';
import { modelProviders } from './model-provider.ts';
import { modelMoment } from './organisation.ts';
import { createProviderRequests, type ProviderRequests } from './provider-requests.ts';

export interface MemoryContext {
  database: SqliteDatabase.Database;
  store: Store;
  /** Runs an operation with a member's key, through every check that a request passes. */
  call(
    apiKey: string,
    id: OperationId,
    params: object,
  ): Promise<{ fault?: string; code?: string; id?: number }>;
  /**
   * Presses the button of a link, as the signed-in member if there is one, and returns what the session would
   * allow.
   */
  visit(url: string, caller?: Actor): Promise<readonly string[]>;
  providers: ProviderRequests;
}

const moment = modelMoment;

async function openMemoryStore(database: SqliteDatabase.Database): Promise<Store> {
  database.pragma('foreign_keys = ON');
  const db = toKysely(database);
  await migrate(db, sqliteSchemaDialect);
  const secrets = createSecretBox([]);
  return createStore({
    isExclusive: true,
    reader: () => db,
    secrets,
    now: () => moment,
    async submit(job) {
      database.exec('savepoint change');
      const outcome = await runChange(
        { db, secrets },
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
const noBlobs: BlobStore = {
  largest: 0,
  put: async () => 'broken',
  open: async () => undefined,
  remove: async () => {},
  accounts: async () => [],
  async *settled() {},
};

/** The context of handlers over any store, without devices, files and mail. */
export const createStoreContext = (store: Store): HandlerContext => ({
  store,
  blobs: noBlobs,
  recordings: noBlobs,
  pictures: undefined,
  fleet: { command: async () => 'offline' },
  wakeNearby: async () => false,
  views: createAgentViewCache(),
  now: store.now,
  yieldToEventLoop: async () => {},
  random,
  digestOf,
  hmacOf,
  hashPassword: async () => 'hashed',
  changeUnaudited: (name, input) => store.change(name, input),
  certificate: () => '',
  publicUrl: 'https://localhost',
  mail: undefined,
  mailBy: undefined,
  mailEmergency: undefined,
  readDirectory: (_accountId, connection) => readModelDirectory(connection),
  sendWebhook: async () => ({ problem: 'unreachable', httpStatus: 0 }),
  identityProviders: modelProviders,
  offeredVersion: async () => '',
  invitationLifetime: 86_400,
});

export async function openMemoryContext(): Promise<MemoryContext> {
  const database = new SqliteDatabase(':memory:');
  const store = await openMemoryStore(database);
  const services: DispatchDeps = {
    store,
    // Versions come again too when they are rolled back.
    keptAnswers: createKeptAnswers({ totalBytes: 0, bytesPerPerson: 0 }),
    onKeyUsed: () => {},
    onBug: (_operation, error) => {
      throw error;
    },
  };
  // Rolled-back rows come again under the same ids: nothing of them may be cached.
  const views = { ...createAgentViewCache(), get: () => undefined };
  const context = { ...createStoreContext(store), views };
  const served = servedRoutes(apiTable(context));
  const dispatch = new Map(served.map((each) => [each.id, createDispatcher(each, services)]));
  const from = { method: 'POST', headers: {}, legacy: false, address: '127.0.0.1', connection: {} };
  return {
    database,
    store,
    providers: createProviderRequests(database, context, services),
    async call(apiKey, id, params) {
      const inQuery = inputLocation(v1[id]) === 'query';
      const query = inQuery ? new URLSearchParams(Object.entries(params)).toString() : '';
      const body = inQuery ? undefined : Buffer.from(JSON.stringify(params));
      const { result } = await dispatch.get(id)!({ ...from, apiKey, query, body });
      return result;
    },
    async visit(url, caller) {
      const code = await singleUseCodeOf(url, caller, context, store);
      const link = code && (await store.change('links/consume', { digest: digestOf(code) }));
      if (!link || isFault(link)) return [];
      const rights = await rightsOf(link, context);
      return 'permissions' in rights ? rights.permissions : [];
    },
  };
}

/** The code of the single-use link that a link leads to; for a single-use link its own. */
async function singleUseCodeOf(
  url: string,
  caller: Actor | undefined,
  context: HandlerContext,
  store: Store,
): Promise<string | undefined> {
  const [, place = '', token = ''] = /^https:\/\/localhost\/(\w)\/([\w.-]+)$/.exec(url) ?? [];
  if (place === 'c') return token;
  const routes = [
    ...onetimeRoutes(context, store, false),
    ...operatorRoutes({ context, store, findSignedIn: async () => caller, isFramable: false }),
  ];
  const route = routes.find(({ method, path }) => method === 'POST' && path.startsWith(`/${place}/`));
  if (!route) throw new Error(`nothing is behind ${url}`);
  const params = { code: token, token };
  const { headers } = await route.handle({
    params,
    query: '',
    address: '127.0.0.1',
    headers: {},
    body: undefined,
  });
  return headers?.['Location']?.split('/').at(-1);
}
