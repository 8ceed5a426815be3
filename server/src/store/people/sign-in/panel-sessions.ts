/** Panel sessions in SQL. Only the digest of a cookie is stored. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import type { Kysely } from 'kysely';
import type { MemberRef } from '../../../domain/people/panel.ts';
import type { ChangesOf, Tx } from '../../engine/transaction.ts';
import { isOnlySso, providerRow, wasLoggedOut } from '../provider/provider-reads.ts';
import { forgetNetworks, rememberNetwork, sweepNetworks } from './known-networks.ts';
import type { NewPanelSession } from '../panel-records.ts';
import type { Tables } from '../../engine/schema.ts';

/** Opens a session and records the network that it comes from. */
export async function addPanelSession(
  { db, now }: Tx,
  { accountId, memberId }: MemberRef,
  session: NewPanelSession,
): Promise<{ id: number }> {
  await rememberNetwork({ db, now }, { accountId, memberId }, session.address);
  const { digest, address, userAgent, instead, providerId, sid } = session;
  if (instead !== undefined)
    await db
      .deleteFrom('panel_session')
      .where('account_id', '=', accountId)
      .where('digest', '=', instead)
      .execute();
  return db
    .insertInto('panel_session')
    .values({
      account_id: accountId,
      member_id: memberId,
      digest,
      create_time: now,
      seen_time: now,
      fresh_time: now,
      address,
      user_agent: userAgent,
      provider_id: providerId ?? null,
      sso_sid: sid ?? '',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/**
 * Locks the row of a person who may sign in, and whose password is this one if it is given, so that it cannot change
 * before this change is done.
 */
export async function lockEnabledMember(
  db: Kysely<Tables>,
  { accountId, memberId }: MemberRef,
  password?: string,
): Promise<boolean> {
  let update = db
    .updateTable('member')
    .set((eb) => ({ password: eb.ref('password') }))
    .where('account_id', '=', accountId)
    .where('id', '=', memberId)
    .where('disabled', '=', 0);
  if (password !== undefined) update = update.where('password', '=', password);
  return (await update.returning('id').executeTakeFirst()) !== undefined;
}

/** People with the password of a directory, or of an identity provider, need no invitation. */
const noteFirstSignIn = (db: Kysely<Tables>, { accountId, memberId }: MemberRef) =>
  db
    .updateTable('member')
    .set({ state: 'active' })
    .where('account_id', '=', accountId)
    .where('id', '=', memberId)
    .where('state', '=', 'invited')
    .execute();

/** Refuses other sign-in methods where the account requires an identity provider. */
const onlyWithProvider = {
  code: 'sso_only',
  message: 'Your organisation requires that you sign in with its identity provider.',
};

/**
 * Whether the account allows this method: an enabled provider of its own that did not end the sign-in meanwhile, or
 * another one where none is required.
 */
async function maySignInWith(
  db: Kysely<Tables>,
  memberRef: MemberRef,
  { providerId, sid, begun }: Pick<NewPanelSession, 'providerId' | 'sid' | 'begun'>,
): Promise<boolean> {
  const { accountId } = memberRef;
  if (providerId === undefined) return !(await isOnlySso(db, accountId));
  if ((await providerRow(db, accountId, providerId))?.enabled !== 1) return false;
  return !(await wasLoggedOut(db, memberRef, { providerId, sid, begun }));
}

/** A link of the owner is how the administrator of the server helps them back in where a provider is required. */
export async function linkRefusal(
  db: Kysely<Tables>,
  { accountId, memberId }: MemberRef,
): Promise<Fault<'forbidden'> | undefined> {
  const person = await db
    .selectFrom('member')
    .select('owner')
    .where('account_id', '=', accountId)
    .where('id', '=', memberId)
    .executeTakeFirst();
  if (person?.owner === 1 || !(await isOnlySso(db, accountId))) return undefined;
  return fault('forbidden', onlyWithProvider);
}

const deleteSessionsOf = (db: Kysely<Tables>, { accountId, memberId }: MemberRef) =>
  db.deleteFrom('panel_session').where('account_id', '=', accountId).where('member_id', '=', memberId);

type ChangeNames =
  | `panel/sessions/${'open' | 'renew' | 'seen' | 'end' | 'end-all'}`
  | 'panel/sweep'
  | 'members/password';

export const panelSessionChanges: ChangesOf<ChangeNames> = {
  'panel/sessions/open': async function (tx, { accountId, memberId, session, password }) {
    const memberRef = { accountId, memberId };
    if (!(await lockEnabledMember(tx.db, memberRef, password))) return fault('not_found');
    if (!(await maySignInWith(tx.db, memberRef, session))) return fault('forbidden', onlyWithProvider);
    await noteFirstSignIn(tx.db, memberRef);
    return addPanelSession(tx, memberRef, session);
  },

  'panel/sessions/renew': async function ({ db, now }, { accountId, id, digest, instead }) {
    const row = await db
      .updateTable('panel_session')
      .set({ digest, fresh_time: now, seen_time: now })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('digest', '=', instead)
      .returning('id')
      .executeTakeFirst();
    return row ? {} : fault('not_found');
  },

  'panel/sessions/seen': async function ({ db, now }, { accountId, id }) {
    await db
      .updateTable('panel_session')
      .set({ seen_time: now })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
    return {};
  },

  'panel/sessions/end': async function ({ db }, { id, ...memberRef }) {
    const row = await deleteSessionsOf(db, memberRef).where('id', '=', id).returning('id').executeTakeFirst();
    return row ? {} : fault('not_found');
  },

  'panel/sessions/end-all': async function ({ db }, memberRef) {
    await deleteSessionsOf(db, memberRef).execute();
    return {};
  },

  'members/password': async function ({ db }, { password, keep, ...memberRef }) {
    const row = await db
      .updateTable('member')
      .set({ password })
      .where('account_id', '=', memberRef.accountId)
      .where('id', '=', memberRef.memberId)
      .returning('id')
      .executeTakeFirst();
    if (!row) return fault('not_found');
    await deleteSessionsOf(db, memberRef).where('id', '!=', keep).execute();
    const kept = await db
      .selectFrom('panel_session')
      .select('address')
      .where('account_id', '=', memberRef.accountId)
      .where('id', '=', keep)
      .executeTakeFirst();
    await forgetNetworks(db, memberRef, kept?.address);
    return {};
  },

  'panel/sweep': async function ({ db, now }, { seenBefore, bornBefore }) {
    await db
      .deleteFrom('panel_session')
      .where((eb) => eb.or([eb('seen_time', '<', seenBefore), eb('create_time', '<', bornBefore)]))
      .execute();
    await db.deleteFrom('sign_in_step').where('expire_time', '<', now).execute();
    await db.deleteFrom('provider_logout').where('expire_time', '<', now).execute();
    await sweepNetworks({ db, now });
    return {};
  },
};
