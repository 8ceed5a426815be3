/** Where the devices stand on which somebody holds a role. */
import type { Kysely } from 'kysely';
import type { Actor, Place } from '../domain/access.ts';
import type { Tables } from './schema.ts';

/** The devices that the person's roles name, each with its group. */
export async function placesOf(db: Kysely<Tables>, actor: Actor): Promise<Place[]> {
  const ids = [...new Set(actor.grants.flatMap((grant) => (grant.agentId === null ? [] : [grant.agentId])))];
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('agent')
    .select(['id', 'group_id'])
    .where('account_id', '=', actor.accountId)
    .where('id', 'in', ids)
    .execute();
  return rows.map((row) => ({ id: row.id, groupId: row.group_id }));
}
