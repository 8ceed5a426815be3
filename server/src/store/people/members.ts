/** The people of an account, in SQL. */
import { fault } from '@drawbridge/contract/faults';
import type { Kysely, Selectable } from 'kysely';
import type { Member } from '../../domain/people/members.ts';
import type { MemberRef } from '../../domain/people/panel.ts';
import { fold } from '../../domain/text.ts';
import { hasMoreRightsThan } from './actors.ts';
import { addSignInLink } from './sign-in/sign-in-links.ts';
import { bumpRightsVersion } from './account-versions.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import type { Reader } from '../engine/database.ts';
import { disabledByDirectory, enableLocal } from './disabled-people.ts';
import { keysOf } from './keys.ts';
import { forgetNetworks } from './sign-in/known-networks.ts';
import { memberNameReads } from './member-names.ts';
import { addPanelSession, linkRefusal, lockEnabledMember } from './sign-in/panel-sessions.ts';
import { beyondOwnRights } from './roles.ts';
import { containsText } from './scope.ts';
import { addSignInStep } from './sign-in/sign-in-steps.ts';
import type { MemberTable, Tables } from '../engine/schema.ts';
import type { Page, Reads } from '../store.ts';

/** A person of the account by e-mail address, ignoring case. */
export async function findMember(
  db: Kysely<Tables>,
  accountId: number,
  email: string,
): Promise<Member | undefined> {
  const row = await db
    .selectFrom('member')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('email_folded', '=', fold(email))
    .executeTakeFirst();
  return row && toMember(row);
}

export const memberReads = (reader: Reader): Reads['members'] => ({
  find: (accountId, email) => findMember(reader(accountId), accountId, email),

  list: (accountId, filter) => listMembers(reader(accountId), accountId, filter),

  async everywhere(email) {
    const rows = await reader('all')
      .selectFrom('member')
      .selectAll()
      .where('email_folded', '=', fold(email))
      .orderBy('owner', 'desc')
      .orderBy('id')
      .execute();
    return rows.map(toMember);
  },

  async operators() {
    const rows = await reader('all')
      .selectFrom('member')
      .selectAll()
      .where('operator', '=', 1)
      .orderBy('id')
      .execute();
    return rows.map(toMember);
  },

  ...memberNameReads(reader),

  keys: (accountId, memberId) => keysOf(reader(accountId), accountId, memberId),
});

async function listMembers(
  db: Kysely<Tables>,
  accountId: number,
  { search, offset, limit }: Page & { search?: string | undefined },
) {
  let query = db.selectFrom('member').where('account_id', '=', accountId);
  if (search) query = query.where(containsText('email_folded', search));
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query.selectAll().orderBy('id').limit(limit).offset(offset).execute();
  const members = rows.map(toMember);
  const departments = await departmentsOf(db, accountId, members);
  return {
    total: Number(total),
    members: members.map((member) => ({ ...member, departments: departments.get(member.id) ?? [] })),
  };
}

async function departmentsOf(
  db: Kysely<Tables>,
  accountId: number,
  members: readonly Member[],
): Promise<Map<number, { id: number; name: string }[]>> {
  const byMember = new Map<number, { id: number; name: string }[]>(members.map((member) => [member.id, []]));
  if (members.length === 0) return byMember;
  const rows = await db
    .selectFrom('department_member as belongs')
    .innerJoin('department', 'department.id', 'belongs.department_id')
    .select(['belongs.member_id', 'department.id', 'department.name'])
    .where('belongs.account_id', '=', accountId)
    .where('belongs.member_id', 'in', [...byMember.keys()])
    .orderBy('department.id')
    .execute();
  for (const { member_id, ...department } of rows) byMember.get(member_id)?.push(department);
  return byMember;
}

export const memberChanges: ChangesOf<'members/invite' | 'members/remove' | 'members/sign-in'> = {
  'members/invite': async function ({ db, now }, { accountId, by, email, link, emailedLink }) {
    await bumpRightsVersion(db, accountId); // locks rights while they are compared below
    const known = await findMember(db, accountId, email);
    if (known?.state === 'active')
      return fault('invalid', {
        field: 'email',
        code: 'already_member',
        message: 'This person already belongs to the account.',
      });
    if (known?.state === 'disabled') {
      const returned = await enableLocal(db, accountId, known.id);
      if (!returned) return fault('invalid', disabledByDirectory);
    }
    const isHigher =
      known &&
      by !== undefined &&
      (await hasMoreRightsThan({ db, now }, { accountId, memberId: known.id }, by));
    if (isHigher && !emailedLink)
      return fault('forbidden', {
        ...beyondOwnRights,
        message:
          'This person has rights that you do not have. Ask the owner of the account to send the invitation.',
      });
    const { id } = known ?? (await addMember(db, { accountId, email, owner: false, state: 'invited', now }));
    await deleteAllOf(db, 'sign_in_link', { accountId, memberId: id });
    const invitation = { accountId, memberId: id, purpose: 'invite', ...link } as const;
    if (!isHigher) await addSignInLink(db, { ...invitation, inviterId: by ?? null });
    if (emailedLink) await addSignInLink(db, { ...invitation, ...emailedLink, inviterId: null });
    return { id, shown: !isHigher };
  },

  'members/remove': async function ({ db }, { accountId, email }) {
    const member = await findMember(db, accountId, email);
    if (!member) return fault('not_found', { field: 'email' });
    if (member.owner)
      return fault('invalid', { field: 'email', message: 'The owner of the account cannot be removed.' });
    await db.deleteFrom('member').where('account_id', '=', accountId).where('id', '=', member.id).execute();
    await bumpRightsVersion(db, accountId);
    return {};
  },

  // One statement decides between two uses of the same link.
  'members/sign-in': async function ({ db, now }, { digest, session, step }) {
    const used = await db
      .updateTable('sign_in_link')
      .set({ used_time: now })
      .where('digest', '=', digest)
      .where('used_time', 'is', null)
      .where('expire_time', '>', now)
      .returning(['account_id', 'member_id', 'inviter_id', 'purpose'])
      .executeTakeFirst();
    if (!used) return fault('not_found');
    const memberRef = { accountId: used.account_id, memberId: used.member_id };
    // The inviter may have kept the link: it does not work once the person has more rights than the inviter.
    if (used.inviter_id !== null && (await hasMoreRightsThan({ db, now }, memberRef, used.inviter_id)))
      return fault('not_found');
    if (!(await lockEnabledMember(db, memberRef))) return fault('not_found');
    const refused = await linkRefusal(db, memberRef);
    if (refused) return refused;
    await deleteAllOf(db, 'sign_in_link', memberRef);
    if (used.purpose !== 'invite') await endPanelAccess(db, memberRef);
    await db
      .updateTable('member')
      .set({ state: 'active' })
      .where('account_id', '=', used.account_id)
      .where('id', '=', used.member_id)
      .execute();
    if (session) await addPanelSession({ db, now }, memberRef, session);
    if (step) await addSignInStep(db, step);
    return memberRef;
  },
};

/** Somebody who needs a link to sign in may have lost more than a password, so their sessions and networks are removed. */
async function endPanelAccess(db: Kysely<Tables>, memberRef: MemberRef): Promise<void> {
  await deleteAllOf(db, 'panel_session', memberRef);
  await forgetNetworks(db, memberRef);
}

const deleteAllOf = (
  db: Kysely<Tables>,
  table: 'panel_session' | 'sign_in_link',
  { accountId, memberId }: MemberRef,
) => db.deleteFrom(table).where('account_id', '=', accountId).where('member_id', '=', memberId).execute();

interface NewMember {
  accountId: number;
  email: string;
  owner: boolean;
  operator?: boolean;
  state: Exclude<Member['state'], 'disabled'>;
  now: number;
}

export const addMember = (
  db: Kysely<Tables>,
  { accountId, email, owner, operator, state, now }: NewMember,
): Promise<{ id: number }> =>
  db
    .insertInto('member')
    .values({
      account_id: accountId,
      email,
      email_folded: fold(email),
      owner: owner ? 1 : 0,
      state,
      create_time: now,
      password: null,
      operator: operator ? 1 : 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();

const toMember = (row: Selectable<MemberTable>): Member => ({
  id: row.id,
  accountId: row.account_id,
  email: row.email,
  name: row.name,
  owner: row.owner === 1,
  state: row.disabled === 1 ? 'disabled' : (row.state as Member['state']),
  createTime: row.create_time,
});
