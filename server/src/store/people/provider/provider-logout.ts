/** What identity providers end by a back-channel logout, in SQL. */
import { fault } from '@drawbridge/contract/faults';
import type { ExpressionBuilder } from 'kysely';
import type { Tables } from '../../engine/schema.ts';
import type { ChangesOf, Tx } from '../../engine/transaction.ts';
import { lockEnabledMember } from '../sign-in/panel-sessions.ts';
import { relatedColumns, touchRelated } from '../../sessions/related.ts';

/** What a logout ends: everything of a provider with this name of the sign-in, of this person, or of both. */
interface EndedSignIns {
  accountId: number;
  providerId: number;
  sid: string | undefined;
  /** Undefined if the provider did not name a person. */
  memberId: number | undefined;
}

/** A sign-in without a name could be the one that ended, if it is of the same person. */
const isEnded =
  ({ accountId, providerId, sid, memberId }: EndedSignIns) =>
  (eb: ExpressionBuilder<Tables, 'panel_session' | 'link' | 'session'>) =>
    eb.and([
      eb('account_id', '=', accountId),
      eb('provider_id', '=', providerId),
      ...(memberId === undefined ? [] : [eb('member_id', '=', memberId)]),
      ...(sid === undefined ? [] : [eb('sso_sid', 'in', memberId === undefined ? [sid] : [sid, ''])]),
    ]);

/** Ends running connections, and those that are lost for the moment, so that nobody resumes them. */
async function endConnections({ db, now }: Tx, ended: EndedSignIns) {
  const rows = await db
    .updateTable('session')
    .set((eb) => ({ stop_time: eb.fn.coalesce('stop_time', eb.val(now)), present: 0, ended_by: 'server' }))
    .where(isEnded(ended))
    .where((eb) => eb.or([eb('stop_time', 'is', null), eb('ended_by', '=', 'lost')]))
    .returning(['id', ...relatedColumns])
    .execute();
  await touchRelated(db, rows);
  return rows.map((row) => ({ accountId: row.account_id, id: row.id, invitationId: row.invitation_id }));
}

/**
 * Locks the person's row, as every sign-in does: one that is finished now is ended, and one that is finished later
 * sees the time.
 */
async function stopUnfinished(
  { db, now }: Tx,
  { accountId, providerId, memberId, sid }: EndedSignIns & { memberId: number },
): Promise<void> {
  await lockEnabledMember(db, { accountId, memberId });
  // A logout of one sign-in is found by its name.
  if (sid !== undefined) return;
  await db
    .updateTable('provider_identity')
    .set({ logout_time: now })
    .where('account_id', '=', accountId)
    .where('provider_id', '=', providerId)
    .where('member_id', '=', memberId)
    .execute();
}

const used = fault('invalid', {
  code: 'sso_logout_used',
  message: 'This logout token was used before.',
});

export const providerLogoutChanges: ChangesOf<'providers/logout'> = {
  'providers/logout': async function (tx, { accountId, id: providerId, logout, rememberUntil }) {
    const { db } = tx;
    const { jti, sid, subject } = logout;
    const first = await db
      .insertInto('provider_logout')
      .values({
        account_id: accountId,
        provider_id: providerId,
        jti,
        sid: sid ?? '',
        expire_time: rememberUntil,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('jti')
      .executeTakeFirst();
    if (!first) return used;
    const person =
      subject === undefined
        ? undefined
        : await db
            .selectFrom('provider_identity')
            .select('member_id')
            .where('account_id', '=', accountId)
            .where('provider_id', '=', providerId)
            .where('subject', '=', subject)
            .executeTakeFirst();
    // Somebody who never signed in here, or is no longer connected, has nothing to end.
    if (subject !== undefined && !person) return { ended: [] };
    const ended = { accountId, providerId, sid, memberId: person?.member_id };
    if (person) await stopUnfinished(tx, { accountId, providerId, sid, memberId: person.member_id });
    await db.deleteFrom('panel_session').where(isEnded(ended)).execute();
    await db.deleteFrom('link').where(isEnded(ended)).execute();
    return { ended: await endConnections(tx, ended) };
  },
};
