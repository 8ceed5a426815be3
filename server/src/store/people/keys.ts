/** API keys in SQL. Only the digest of a key is stored. */
import { fault } from '@drawbridge/contract/faults';
import type { Kysely } from 'kysely';
import type { ApiKey } from '../../domain/people/members.ts';
import { bumpRightsVersion } from './account-versions.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import type { Tables } from '../engine/schema.ts';
import type { ChangeInput } from '../changes.ts';

/** The keys that were not revoked: of one person, or of everyone in the account. */
export async function keysOf(
  db: Kysely<Tables>,
  accountId: number,
  memberId: number | 'all',
): Promise<ApiKey[]> {
  let query = db
    .selectFrom('api_key as key')
    .innerJoin('member', 'member.id', 'key.member_id')
    .selectAll('key')
    .select('member.email')
    .where('key.account_id', '=', accountId)
    .where('key.revoke_time', 'is', null)
    .orderBy('key.id');
  if (memberId !== 'all') query = query.where('key.member_id', '=', memberId);
  return (await query.execute()).map((row) => ({
    id: row.id,
    memberId: row.member_id,
    email: row.email,
    name: row.name,
    prefix: row.prefix,
    createTime: row.create_time,
    expireTime: row.expire_time,
    lastUsedTime: row.last_used_time,
    networks: JSON.parse(row.networks) as string[],
  }));
}

export const addKey = (
  db: Kysely<Tables>,
  { accountId, memberId, key }: ChangeInput<'keys/create'>,
  now: number,
): Promise<{ id: number }> =>
  db
    .insertInto('api_key')
    .values({
      account_id: accountId,
      member_id: memberId,
      digest: key.digest,
      prefix: key.prefix,
      name: key.name,
      create_time: now,
      expire_time: key.expireTime,
      networks: JSON.stringify(key.networks),
      last_used_time: null,
      revoke_time: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();

export const keyChanges: ChangesOf<'keys/create' | 'keys/revoke' | 'keys/used'> = {
  'keys/create': ({ db, now }, input) => addKey(db, input, now),

  'keys/revoke': async function ({ db, now }, { accountId, memberId, id }) {
    let query = db
      .updateTable('api_key')
      .set({ revoke_time: now })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('revoke_time', 'is', null)
      .returning('id');
    if (memberId !== 'all') query = query.where('member_id', '=', memberId);
    if (!(await query.executeTakeFirst())) return fault('not_found', { field: 'id' });
    await bumpRightsVersion(db, accountId);
    return {};
  },

  'keys/used': async function ({ db }, { uses }) {
    for (const { accountId, keyId, time } of uses)
      await db
        .updateTable('api_key')
        .set({ last_used_time: time })
        .where('account_id', '=', accountId)
        .where('id', '=', keyId)
        .execute();
    return {};
  },
};
