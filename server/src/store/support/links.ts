/** Single-use links in SQL. Only the digest of a link's code is stored. */
import { fault } from '@drawbridge/contract/faults';
import type { ExpressionBuilder, Kysely, Selectable } from 'kysely';
import { windowOf, type SingleUseLink } from '../../domain/sessions/links.ts';
import type { SessionOrigin } from '../../domain/sessions/sessions.ts';
import type { Reader } from '../engine/database.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import type { ChangeInput } from '../changes.ts';
import type { Tables } from '../engine/schema.ts';
import type { Reads } from '../store.ts';

const closed = fault('invalid', {
  code: 'connection_closed',
  field: 'connection_id',
  message: 'The connection is closed.',
});

/** Locks the row of an open invitation, so that it cannot be closed before this change is done. */
async function lockOpenInvitation(db: Kysely<Tables>, accountId: number, id: number): Promise<boolean> {
  const row = await db
    .updateTable('invitation')
    .set((eb) => ({ status: eb.ref('status') }))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('status', '<', 3)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** True for links to devices, and for those to invitations that are not closed. */
const hasOpenTarget = (eb: ExpressionBuilder<Tables, 'link'>) =>
  eb.or([
    eb('link.invitation_id', 'is', null),
    eb.exists(
      eb
        .selectFrom('invitation')
        .select('invitation.id')
        .whereRef('invitation.id', '=', 'link.invitation_id')
        .where('invitation.status', '<', 3),
    ),
  ]);

async function insertLink(db: Kysely<Tables>, link: ChangeInput<'links/add'>): Promise<void> {
  await db
    .insertInto('link')
    .values({
      digest: link.digest,
      account_id: link.accountId,
      member_id: link.memberId,
      door: link.origin,
      agent_id: link.agentId,
      invitation_id: link.invitationId,
      video: link.video === null ? null : link.video ? 1 : 0,
      expire_time: link.expireTime,
      used_time: null,
      provider_id: link.signIn?.providerId ?? null,
      sso_sid: link.signIn?.sid ?? '',
    })
    .execute();
}

const toLink = (row: Selectable<Tables['link']>): SingleUseLink => ({
  accountId: row.account_id,
  memberId: row.member_id,
  origin: row.door as SessionOrigin,
  agentId: row.agent_id,
  invitationId: row.invitation_id,
  video: row.video === null ? null : row.video === 1,
  ...(row.provider_id !== null && { signIn: { providerId: row.provider_id, sid: row.sso_sid } }),
});

export const linkReads = (reader: Reader): Reads['links'] => ({
  async unused(digest, now) {
    const row = await reader('all')
      .selectFrom('link')
      .selectAll()
      .where('digest', '=', digest)
      .where('used_time', 'is', null)
      .where('expire_time', '>', now)
      .where(hasOpenTarget)
      .executeTakeFirst();
    return row && toLink(row);
  },

  async isOnetimeUsed({ accountId, agentId, memberId, window }) {
    const row = await reader(accountId)
      .selectFrom('onetime_use')
      .select('agent_id')
      .where('account_id', '=', accountId)
      .where('agent_id', '=', agentId)
      .where('member_id', '=', memberId)
      .where('window_number', '=', window)
      .executeTakeFirst();
    return row !== undefined;
  },
});

type ChangeNames = 'add' | 'add-operator' | 'consume' | 'consume-onetime' | 'return' | 'sweep';

export const linkChanges: ChangesOf<`links/${ChangeNames}`> = {
  'links/add': async function ({ db }, link) {
    if (link.invitationId !== null && !(await lockOpenInvitation(db, link.accountId, link.invitationId)))
      return closed;
    await insertLink(db, link);
    return {};
  },

  'links/add-operator': async function ({ db }, { accountId, memberId, invitationId, ...fresh }) {
    const row = await db
      .updateTable('invitation')
      .set({ connect_used: 1 })
      .where('account_id', '=', accountId)
      .where('id', '=', invitationId)
      .where('connect_used', '=', 0)
      .where('status', '<', 3)
      .returning('id')
      .executeTakeFirst();
    if (!row) return fault('not_found');
    const to = { accountId, memberId, agentId: null, invitationId };
    await insertLink(db, { ...to, ...fresh, origin: 'operator', video: null });
    return {};
  },

  // One statement decides the race between two uses of the same link.
  'links/consume': async function ({ db, now }, { digest }) {
    const row = await db
      .updateTable('link')
      .set({ used_time: now })
      .where('digest', '=', digest)
      .where('used_time', 'is', null)
      .where('expire_time', '>', now)
      .where(hasOpenTarget)
      .returningAll()
      .executeTakeFirst();
    return row ? toLink(row) : fault('not_found');
  },

  'links/return': async function ({ db }, { digest }) {
    await db.updateTable('link').set({ used_time: null }).where('digest', '=', digest).execute();
    return {};
  },

  // The first to insert the window has used the person's link of that window.
  'links/consume-onetime': async function ({ db }, { accountId, agentId, memberId, window }) {
    const row = await db
      .insertInto('onetime_use')
      .values({ account_id: accountId, agent_id: agentId, member_id: memberId, window_number: window })
      .onConflict((conflict) => conflict.doNothing())
      .returning('agent_id')
      .executeTakeFirst();
    return row ? {} : fault('not_found');
  },

  'links/sweep': async function ({ db }, { expiredBefore }) {
    await db.deleteFrom('link').where('expire_time', '<', expiredBefore).execute();
    await db.deleteFrom('sign_in_link').where('expire_time', '<', expiredBefore).execute();
    await db.deleteFrom('onetime_use').where('window_number', '<', windowOf(expiredBefore)).execute();
    return {};
  },
};
