/** Changes of people by identity providers, in SQL. Nobody is deleted: who is gone there is disabled here, and can return. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import type { Kysely } from 'kysely';
import type { Actor } from '../../../domain/people/access.ts';
import type { MemberRef } from '../../../domain/people/panel.ts';
import { patchUser } from '../../../domain/scim/patch.ts';
import { readUserContent, toUserValues, type UserContent } from '../../../domain/scim/user.ts';
import { fold } from '../../../domain/text.ts';
import type { Flag, Tables } from '../../engine/schema.ts';
import type { ChangesOf, Tx } from '../../engine/transaction.ts';
import { bumpRightsVersion } from '../account-versions.ts';
import { hasMoreRightsThan } from '../actors.ts';
import { endAccess, setDisabled } from '../disabled-people.ts';
import { addMember } from '../members.ts';
import { findUsers } from './users.ts';
import { lockTokenActor } from './tokens.ts';

type Refusal = Fault<'invalid' | 'forbidden'>;

const missing = fault('not_found', { field: 'id', message: 'There is no such person.' });
const taken = (field: 'userName' | 'emails'): Fault<'invalid'> =>
  fault('invalid', {
    code: 'uniqueness',
    field,
    message: `Another person of the account already has this ${field === 'userName' ? 'user name' : 'e-mail address'}.`,
  });
const protectedPerson = fault('forbidden', {
  code: 'protected_person',
  message:
    'The owner of the account and server administrators cannot be disabled, and their addresses not changed, by provisioning.',
});
const directoryPerson = fault('forbidden', {
  code: 'from_directory',
  message: 'This person comes from an LDAP directory. Change them there.',
});
const higherPerson = fault('forbidden', {
  code: 'beyond_own_rights',
  field: 'emails',
  message:
    'This person has rights that the creator of the token does not have, so that their address cannot be changed with it.',
});

const oneUser = async (db: Kysely<Tables>, accountId: number, id: number) =>
  (await findUsers(db, accountId, { limit: 1 }, { ids: [id] }))[0];

const memberRow = (db: Kysely<Tables>, accountId: number, id: number) =>
  db
    .selectFrom('member')
    .select(['id', 'email', 'name', 'owner', 'operator', 'disabled', 'directory_id'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

type MemberRow = NonNullable<Awaited<ReturnType<typeof memberRow>>>;

/** Those who have the user name or the address, also if they were deleted. Somebody without a user name has their address as one. */
const holdersOf = (db: Kysely<Tables>, accountId: number, { userName, email }: UserContent) =>
  db
    .selectFrom('member')
    .leftJoin('scim_user as scim', 'scim.member_id', 'member.id')
    .select(['member.id', 'member.email_folded', 'scim.removed'])
    .where('member.account_id', '=', accountId)
    .where((eb) =>
      eb.or([
        eb('member.email_folded', '=', fold(email)),
        eb('scim.user_name_folded', '=', fold(userName)),
        eb.and([eb('scim.member_id', 'is', null), eb('member.email_folded', '=', fold(userName))]),
      ]),
    )
    .execute();

async function findConflict(
  db: Kysely<Tables>,
  accountId: number,
  id: number,
  content: UserContent,
): Promise<Fault<'invalid'> | undefined> {
  const other = (await holdersOf(db, accountId, content)).find((each) => each.id !== id);
  return other && taken(other.email_folded === fold(content.email) ? 'emails' : 'userName');
}

/** Why an identity provider may not change a person in this way. */
function findProtection(
  row: MemberRow,
  { movesAddress, active }: { movesAddress: boolean; active: boolean },
): Fault<'forbidden'> | undefined {
  if (row.directory_id !== null) return directoryPerson;
  const isProtected = row.owner === 1 || row.operator === 1;
  return isProtected && (movesAddress || !active) ? protectedPerson : undefined;
}

/** Writes what the identity provider says about a person. */
async function save(
  tx: Tx,
  actor: Actor,
  row: MemberRow,
  content: UserContent,
): Promise<Refusal | undefined> {
  const { db } = tx;
  const { accountId } = actor;
  const active = content.active ?? row.disabled === 0;
  const movesAddress = fold(content.email) !== fold(row.email);
  const refused =
    findProtection(row, { movesAddress, active }) ?? (await findConflict(db, accountId, row.id, content));
  if (refused) return refused;
  if (movesAddress && !actor.owner && (await isHigher(tx, actor, row))) return higherPerson;
  await db
    .updateTable('member')
    .set({
      email: content.email,
      email_folded: fold(content.email),
      ...(content.name !== '' && { name: content.name }),
    })
    .where('account_id', '=', accountId)
    .where('id', '=', row.id)
    .execute();
  await setDisabled(db, accountId, [row.id], active ? 0 : 1);
  if (!active) await endAccess(db, accountId, [row.id]);
  await storeProfile(tx, { accountId, memberId: row.id }, content, 0);
  if (movesAddress || active !== (row.disabled === 0)) await bumpRightsVersion(db, accountId);
  return undefined;
}

/** Rights of a disabled person are compared as if they were enabled, because they will be. */
async function isHigher(tx: Tx, { accountId, memberId: by }: Actor, { id }: MemberRow): Promise<boolean> {
  await setDisabled(tx.db, accountId, [id], 0);
  return hasMoreRightsThan(tx, { accountId, memberId: id }, by);
}

async function storeProfile(
  { db, now }: Tx,
  { accountId, memberId }: MemberRef,
  content: Pick<UserContent, 'userName' | 'externalId' | 'profile'>,
  removed: Flag,
): Promise<void> {
  const columns = {
    user_name: content.userName,
    user_name_folded: fold(content.userName),
    external_id: content.externalId,
    profile: JSON.stringify(content.profile),
    removed,
    modify_time: now,
  };
  await db
    .insertInto('scim_user')
    .values({ account_id: accountId, member_id: memberId, ...columns })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet(columns))
    .execute();
}

export const scimUserChanges: ChangesOf<`scim/user-${'create' | 'update' | 'remove'}`> = {
  // Somebody who was deleted returns as the same person, with the same rights.
  'scim/user-create': async function (tx, { accountId, tokenId, content }) {
    const { db, now } = tx;
    const actor = await lockTokenActor(tx, { accountId, tokenId });
    if (isFault(actor)) return actor;
    const [holder, ...others] = await holdersOf(db, accountId, content);
    if (others.length > 0 || (holder && holder.removed !== 1))
      return taken(holder!.email_folded === fold(content.email) ? 'emails' : 'userName');
    const { email } = content;
    const { id } = holder ?? (await addMember(db, { accountId, email, owner: false, state: 'invited', now }));
    const returning = { ...content, active: content.active ?? true };
    const refused = await save(tx, actor, (await memberRow(db, accountId, id))!, returning);
    return refused ?? (await oneUser(db, accountId, id))!;
  },

  'scim/user-update': async function (tx, { accountId, tokenId, id, edit }) {
    const { db } = tx;
    const actor = await lockTokenActor(tx, { accountId, tokenId });
    if (isFault(actor)) return actor;
    const before = await oneUser(db, accountId, id);
    if (!before) return missing;
    const patched = 'content' in edit ? undefined : patchUser(toUserValues(before), edit.operations);
    if (isFault(patched)) return patched;
    const content = 'content' in edit ? edit.content : readUserContent(patched!);
    if (isFault(content)) return content;
    const refused = await save(tx, actor, (await memberRow(db, accountId, id))!, content);
    return refused ?? (await oneUser(db, accountId, id))!;
  },

  'scim/user-remove': async function (tx, { accountId, tokenId, id }) {
    const { db } = tx;
    const actor = await lockTokenActor(tx, { accountId, tokenId });
    if (isFault(actor)) return actor;
    const user = await oneUser(db, accountId, id);
    if (!user) return missing;
    const row = (await memberRow(db, accountId, id))!;
    const refused = findProtection(row, { movesAddress: false, active: false });
    if (refused) return refused;
    await setDisabled(db, accountId, [id], 1);
    await endAccess(db, accountId, [id]);
    await storeProfile(tx, { accountId, memberId: id }, { ...user, profile: user.profile ?? {} }, 1);
    await bumpRightsVersion(db, accountId);
    return {};
  },
};
