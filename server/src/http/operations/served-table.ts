/** A table of operations as it is served: below which prefix, with which handlers, and for whom. */
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
  /** The name under which an operation is written down. */
  nameOf(id: string): string;
  /** Whether pages of other origins may ask, and programs in the older form. */
  crossOrigin: boolean;
  /** Takes apart what is said in the body and what in the headers. */
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

/** The API, for programs with a key. */
export const apiTable = (context: HandlerContext): ServedTable => ({
  prefix: '/v1/',
  rows: v1,
  handlers,
  context,
  schemeOf: () => apiKeyScheme(context),
  nameOf: (id) => id,
  crossOrigin: true,
  splitHeaders: (result) => ({ result, headers: {} }),
});
