/** A table of operations as it is served: its prefix, its handlers and its auth scheme. */
import type { Fault } from '@drawbridge/contract/faults';
import type { Operation, Table } from '@drawbridge/contract/operation';
import { v1 } from '@drawbridge/contract/v1/index';
import { handlers } from '../../handlers/index.ts';
import type { Handler, HandlerContext } from '../../handlers/handler.ts';
import { apiKeyScheme, type AuthScheme } from './auth-scheme.ts';
import type { ServedOperation } from './dispatch.ts';

export interface ServedTable {
  prefix: string;
  rows: Table;
  handlers: object;
  context: HandlerContext;
  schemeOf(id: string, row: Operation): AuthScheme;
  /** The name of an operation in audit log, access log and metrics. */
  nameOf(id: string): string;
  /** Whether web pages of other origins and programs that use the older form may call. */
  crossOrigin: boolean;
  /** Separates the headers that a handler has set from the fields of the body. */
  splitHeaders(result: object | Fault): { result: object | Fault; headers: Record<string, string> };
}

export interface ServedRoute extends ServedOperation, Pick<ServedTable, 'crossOrigin' | 'splitHeaders'> {
  id: string;
  url: string;
}

export const servedRoutes = (table: ServedTable): ServedRoute[] =>
  Object.entries(table.rows).map(([id, row]) => ({
    id,
    row,
    url: table.prefix + id,
    name: table.nameOf(id),
    handler: (table.handlers as Record<string, Handler<Operation>>)[id]!,
    context: table.context,
    scheme: table.schemeOf(id, row),
    crossOrigin: table.crossOrigin,
    splitHeaders: table.splitHeaders,
  }));

/** The public API, for programs with a key. */
export function apiTable(context: HandlerContext): ServedTable {
  const scheme = apiKeyScheme(context);
  return {
    prefix: '/v1/',
    rows: v1,
    handlers,
    context,
    schemeOf: () => scheme,
    nameOf: (id) => id,
    crossOrigin: true,
    splitHeaders: (result) => ({ result, headers: {} }),
  };
}
