/** Requests for what the random changes alter, as a node answers them, and as one that keeps nothing would. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { backgroundHeader } from '@drawbridge/contract/panel/index';
import type { HandlerContext } from '@drawbridge/server/handlers/handler';
import { isChunked, toWhole, type ChunkedBody } from '@drawbridge/server/http/content/chunked-body';
import { createDispatcher } from '@drawbridge/server/http/operations/dispatch';
import { createKeptAnswers, type KeptAnswers } from '@drawbridge/server/http/operations/kept-answers';
import { toHttpReply } from '@drawbridge/server/http/operations/reply';
import { apiTable, servedRoutes } from '@drawbridge/server/http/operations/served-table';
import type { PanelContext } from '@drawbridge/server/panel/handler';
import { cookieName } from '@drawbridge/server/panel/sign-in/cookie';
import { panelTables } from '@drawbridge/server/panel/tables';
import type { Database } from '@drawbridge/server/store/engine/database';
import { createStore } from '@drawbridge/server/store/engine/open';
import type { Store } from '@drawbridge/server/store/store';
import { createStoreContext } from '../../model/memory-context.ts';

const paths = ['/v1/agents/list', '/v1/agents/info', '/v1/groups/list', '/panel/api/devices'] as const;

export interface ReadRequest {
  path: (typeof paths)[number];
  query: string;
  /** For `/v1`. */
  apiKey: string;
  /** The panel session, for the panel. */
  cookie: string;
}

interface ReadReply {
  http: number;
  body: string;
  /** The kept body, the same object each time; undefined if it is made for each request. */
  kept: ChunkedBody | undefined;
}

export type Read = (request: ReadRequest) => Promise<ReadReply>;

/** The handlers of these requests use nothing else of the panel's context. */
const toPanelContext = (context: HandlerContext, store: Store): PanelContext =>
  ({ ...context, store }) as unknown as PanelContext;

/** Dispatches requests as a server does, without HTTP. */
export function createRead(store: Store, keptAnswers: KeptAnswers): Read {
  const onBug = (_operation: string, error: unknown): never => {
    throw error;
  };
  const context = createStoreContext(store);
  const tables = [apiTable(context), ...panelTables(toPanelContext(context, store))];
  const routes = new Map(
    tables.flatMap(servedRoutes).flatMap((route) => {
      if (!paths.some((path) => path === route.url)) return [];
      const dispatch = createDispatcher(route, { store, keptAnswers, onKeyUsed: () => {}, onBug });
      return [[route.url, { row: route.row, dispatch }]];
    }),
  );
  return async ({ path, query, apiKey, cookie }) => {
    const { row, dispatch } = routes.get(path)!;
    const headers = { cookie: `${cookieName}=${cookie}`, [backgroundHeader]: '1' };
    const from = { method: 'GET', connection: {}, legacy: false, address: '127.0.0.1', body: undefined };
    const { result } = await dispatch({ ...from, headers, apiKey, query });
    const { http, body } = await toHttpReply(row, result, undefined, {});
    assert.ok(!(body instanceof Readable));
    return { http, body: String(toWhole(body)), kept: isChunked(body) ? body : undefined };
  };
}

/** Reads without anything that was kept: no answers, no rights, no inputs, no texts of devices. */
export const createUnkeptRead =
  (database: Database): Read =>
  (request) =>
    createRead(createStore(database), createKeptAnswers({ totalBytes: 0, bytesPerPerson: 0 }))(request);
