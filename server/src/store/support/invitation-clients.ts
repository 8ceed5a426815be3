/** The clients of invitations in SQL: they join, stay while a process holds their connection, and leave. */
import { fault, isFault } from '@drawbridge/contract/faults';
import { isOpen, nextState, statusAt } from '../../domain/support.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import { noteCause } from '../notifications/causes.ts';
import { saveInvitationState, noClient, lockInvitation, toInvitation } from './invitation-state.ts';

export const clientChanges: ChangesOf<`invitations/${'join' | 'renew' | 'leave' | 'lapse'}`> = {
  'invitations/join': async function ({ db, now }, { code, key, os, preview, until, lifetime, holder = '' }) {
    const found = await db
      .selectFrom('invitation')
      .innerJoin('member as owner', (join) =>
        join.onRef('owner.account_id', '=', 'invitation.account_id').on('owner.owner', '=', 1),
      )
      .select(['invitation.account_id', 'invitation.id', 'owner.email'])
      .where('invitation.code', '=', code)
      .where('invitation.status', '<', 3)
      .executeTakeFirst();
    const row = found && (await lockInvitation(db, found.account_id, found.id));
    const before = row && toInvitation(row);
    if (!before || !isOpen(statusAt(before, now, lifetime))) return fault('not_found');
    const isPresent = before.status > 0 && row.client_until > now;
    if (isPresent && row.client_key !== key)
      return fault('invalid', {
        code: 'client_taken',
        message: 'Someone else has already joined with this code.',
      });
    // A previous client that left too long ago is removed first, with everything known about it.
    const state = nextState(before.status > 0 ? { ...before, status: 0 } : before, 'client_joins');
    if (isFault(state)) return state;
    const known = isPresent
      ? { os: before.clientOs, preview: before.clientPreview }
      : { os, preview: `${before.id}-${preview}` };
    if (!isPresent && state.status === 1)
      await noteCause(
        { db, now },
        { accountId: before.accountId, kind: 'client_waits', invitationId: before.id },
      );
    return {
      invitation: await saveInvitationState(db, before, state, { ...known, key, until, holder }),
      owner: found.email,
    };
  },

  'invitations/renew': async function ({ db }, { clients, until }) {
    for (const { id, key, holder } of clients)
      await db
        .updateTable('invitation')
        .set({ client_until: until })
        .where('id', '=', id)
        .where('client_key', '=', key)
        .where((eb) => (holder === undefined ? eb.lit(true) : eb('client_holder', 'in', ['', holder])))
        .where('status', 'in', [1, 2])
        .execute();
    return {};
  },

  'invitations/leave': async function ({ db }, { accountId, id, key }) {
    const row = await lockInvitation(db, accountId, id);
    if (!row || row.client_key !== key) return {};
    const state = nextState(toInvitation(row), 'client_leaves');
    if (!isFault(state)) await saveInvitationState(db, toInvitation(row), state);
    return {};
  },

  'invitations/lapse': async function ({ db, now }) {
    const rows = await db
      .updateTable('invitation')
      .set({ status: 0, ...noClient })
      .where('status', 'in', [1, 2])
      .where('client_until', '<=', now)
      .returning(['account_id as accountId', 'id'])
      .execute();
    return { left: rows };
  },
};
