/** Tokens of identity providers, in SQL. Only the digest of a token is stored. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import type { Actor } from '../../../domain/people/access.ts';
import { creatorProblemTexts, findCreatorProblem } from '../../../domain/scim/token.ts';
import type { Reader } from '../../engine/database.ts';
import type { ChangesOf, Tx } from '../../engine/transaction.ts';
import { lockRights } from '../account-versions.ts';
import { loadActor } from '../actors.ts';
import type { ListedScimToken, ProvisioningReads } from './provisioning-records.ts';

async function listTokens(tx: Tx, accountId: number): Promise<ListedScimToken[]> {
  const rows = await tx.db
    .selectFrom('scim_token as token')
    .innerJoin('member', 'member.id', 'token.member_id')
    .selectAll('token')
    .select('member.email')
    .where('token.account_id', '=', accountId)
    .orderBy('token.id')
    .execute();
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      name: row.name,
      prefix: row.prefix,
      email: row.email,
      createTime: row.create_time,
      expireTime: row.expire_time,
      lastUsedTime: row.last_used_time,
      actor: await loadActor(tx, accountId, row.member_id),
    })),
  );
}

export const scimTokenReads = (
  reader: Reader,
  now: () => number,
): Pick<ProvisioningReads, 'byToken' | 'tokens' | 'counts'> => ({
  async byToken(digest) {
    const row = await reader('all')
      .selectFrom('scim_token')
      .select(['id', 'account_id', 'member_id', 'name', 'expire_time', 'last_used_time'])
      .where('digest', '=', digest)
      .executeTakeFirst();
    if (!row) return undefined;
    const { account_id: accountId, member_id: memberId } = row;
    return {
      id: row.id,
      accountId,
      name: row.name,
      expireTime: row.expire_time,
      lastUsedTime: row.last_used_time,
      actor: await loadActor({ db: reader(accountId), now: now() }, accountId, memberId),
    };
  },

  tokens: (accountId) => listTokens({ db: reader(accountId), now: now() }, accountId),

  async counts(accountId) {
    const db = reader(accountId);
    const people = await db
      .selectFrom('scim_user')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('account_id', '=', accountId)
      .where('removed', '=', 0)
      .executeTakeFirstOrThrow();
    const departments = await db
      .selectFrom('scim_group')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    return { people: Number(people.total), departments: Number(departments.total) };
  },
});

const maxTokens = 20;

export const scimTokenChanges: ChangesOf<`scim/token-${'create' | 'remove' | 'used'}`> = {
  'scim/token-create': async function ({ db, now }, { accountId, memberId, token }) {
    await lockRights(db, accountId);
    const { total } = await db
      .selectFrom('scim_token')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (Number(total) >= maxTokens)
      return fault('invalid', {
        message: `An account can have at most ${maxTokens} tokens. Remove one first.`,
      });
    return db
      .insertInto('scim_token')
      .values({
        account_id: accountId,
        member_id: memberId,
        digest: token.digest,
        prefix: token.prefix,
        name: token.name,
        create_time: now,
        expire_time: token.expireTime,
        last_used_time: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
  },

  'scim/token-remove': async function ({ db }, { accountId, id }) {
    const row = await db
      .deleteFrom('scim_token')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    return row ? {} : fault('not_found', { field: 'id' });
  },

  'scim/token-used': async function ({ db, now }, { accountId, id }) {
    await db
      .updateTable('scim_token')
      .set({ last_used_time: now })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
    return {};
  },
};

/** The person with whose rights a token acts. Locks the rights of the account, so that they hold until the change is stored. */
export async function lockTokenActor(
  tx: Tx,
  { accountId, tokenId }: { accountId: number; tokenId: number },
): Promise<Actor | Fault<'forbidden'>> {
  await lockRights(tx.db, accountId);
  const row = await tx.db
    .selectFrom('scim_token')
    .select('member_id')
    .where('account_id', '=', accountId)
    .where('id', '=', tokenId)
    .executeTakeFirst();
  const actor = row && (await loadActor(tx, accountId, row.member_id));
  const problem = findCreatorProblem(actor);
  return actor && !problem
    ? actor
    : fault('forbidden', { code: 'token_lost_rights', message: creatorProblemTexts[problem!] });
}
