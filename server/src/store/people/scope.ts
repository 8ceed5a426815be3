/** Filters that several lists share, in SQL: rows in a scope, and rows that contain a text. */
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { AgentScope } from '../../domain/people/access.ts';
import { likePattern } from '../../domain/text.ts';

/**
 * True for rows with one of these ids. The ids are part of the statement's text, because there can be more of them than
 * a statement accepts parameters.
 */
export const hasIdIn = (column: string, ids: readonly number[]): RawBuilder<SqlBool> =>
  ids.length === 0
    ? sql`1 = 0`
    : sql`${sql.ref(column)} in (${sql.raw([...new Set(ids)].map(Number).join(','))})`;

/** True for the devices in scope. */
export const isInScope = (scope: AgentScope): RawBuilder<SqlBool> =>
  scope === 'all'
    ? sql`1 = 1`
    : sql`(${hasIdIn('agent.id', scope.agentIds)} or ${hasIdIn('agent.group_id', scope.groupIds)})`;

/** True where a folded column contains the text, ignoring case; `%` and `_` match themselves. */
export const containsText = (column: string, text: string) =>
  sql<SqlBool>`${sql.ref(column)} like ${likePattern(text)} escape '\\'`;
