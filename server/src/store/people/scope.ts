/** Filters that several lists share, in SQL: what is in somebody's scope, and what contains a text. */
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { AgentScope } from '../../domain/access.ts';
import { likePattern } from '../../domain/text.ts';

/** True for what has one of these ids. They stand in the text itself, as there may be more of them than a statement takes parameters. */
export const hasIdIn = (column: string, ids: readonly number[]): RawBuilder<SqlBool> =>
  ids.length === 0
    ? sql`1 = 0`
    : sql`${sql.ref(column)} in (${sql.raw([...new Set(ids)].map(Number).join(','))})`;

/** True for the devices in scope. */
export const isInScope = (scope: AgentScope): RawBuilder<SqlBool> =>
  scope === 'all'
    ? sql`1 = 1`
    : sql`(${hasIdIn('agent.id', scope.agentIds)} or ${hasIdIn('agent.group_id', scope.groupIds)})`;

/** True where a folded column contains the text, whatever its case; `%` and `_` stand for themselves. */
export const containsText = (column: string, text: string) =>
  sql<SqlBool>`${sql.ref(column)} like ${likePattern(text)} escape '\\'`;
