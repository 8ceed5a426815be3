/** Changes of departments by identity providers, in SQL. Departments that were created here stay apart. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import type { Kysely } from 'kysely';
import type { Actor } from '../../../domain/people/access.ts';
import { gainsRights } from '../../../domain/people/escalation.ts';
import type { GroupEdit, MemberStep } from '../../../domain/scim/group.ts';
import { fold } from '../../../domain/text.ts';
import type { Tables } from '../../engine/schema.ts';
import type { ChangesOf, Tx } from '../../engine/transaction.ts';
import { bumpRightsVersion } from '../account-versions.ts';
import { loadActor } from '../actors.ts';
import { inBatches } from '../batches.ts';
import { departmentsGiveUnheld } from '../directory/given-permissions.ts';
import { hasIdIn } from '../scope.ts';
import { findGroups } from './groups.ts';
import { lockTokenActor } from './tokens.ts';

type Refusal = Fault<'invalid' | 'forbidden'>;

const missing = fault('not_found', { field: 'id', message: 'There is no such group.' });
const beyondCreator = fault('forbidden', {
  code: 'beyond_own_rights',
  field: 'members',
  message: 'The roles of this department exceed what the creator of the token may give.',
});
const nameTaken = fault('invalid', {
  code: 'uniqueness',
  field: 'displayName',
  message: 'Another provisioned department already has this name.',
});

async function currentMembers(db: Kysely<Tables>, accountId: number, id: number): Promise<Set<number>> {
  const rows = await db
    .selectFrom('department_member')
    .select('member_id')
    .where('account_id', '=', accountId)
    .where('department_id', '=', id)
    .execute();
  return new Set(rows.map((row) => row.member_id));
}

function membersAfter(before: ReadonlySet<number>, steps: readonly MemberStep[]): Set<number> {
  let after = new Set(before);
  for (const { kind, ids } of steps) {
    if (kind === 'set') after = new Set(ids);
    else if (kind === 'add') for (const id of ids) after.add(id);
    else for (const id of ids) after.delete(id);
  }
  return after;
}

/** The first of these who is not in the account, or was deleted by the identity provider. */
async function findUnknown(
  db: Kysely<Tables>,
  accountId: number,
  ids: readonly number[],
): Promise<number | undefined> {
  const rows = await db
    .selectFrom('member')
    .leftJoin('scim_user as scim', 'scim.member_id', 'member.id')
    .select('member.id')
    .where('member.account_id', '=', accountId)
    .where(hasIdIn('member.id', ids))
    .where((eb) => eb.or([eb('scim.removed', 'is', null), eb('scim.removed', '=', 0)]))
    .execute();
  const known = new Set(rows.map((row) => row.id));
  return ids.find((id) => !known.has(id));
}

async function changeMembers(
  tx: Tx,
  actor: Actor,
  id: number,
  steps: readonly MemberStep[],
): Promise<Refusal | undefined> {
  if (steps.length === 0) return undefined;
  const { db } = tx;
  const { accountId } = actor;
  const before = await currentMembers(db, accountId, id);
  const after = membersAfter(before, steps);
  const [join, leave] = [[...after.difference(before)], [...before.difference(after)]];
  const unknown = await findUnknown(db, accountId, join);
  if (unknown !== undefined)
    return fault('invalid', {
      code: 'invalid_value',
      field: 'members',
      message: `There is no person ${unknown}.`,
    });
  if (join.length > 0 && (await departmentsGiveUnheld(tx, actor, [id]))) return beyondCreator;
  for (const batch of inBatches(join))
    await db
      .insertInto('department_member')
      .values(batch.map((memberId) => ({ account_id: accountId, department_id: id, member_id: memberId })))
      .execute();
  await db
    .deleteFrom('department_member')
    .where('account_id', '=', accountId)
    .where('department_id', '=', id)
    .where(hasIdIn('member_id', leave))
    .execute();
  const changed = await loadActor(tx, accountId, actor.memberId);
  if (changed && gainsRights(actor, changed)) return beyondCreator;
  if (join.length > 0 || leave.length > 0) await bumpRightsVersion(db, accountId);
  return undefined;
}

/** Names are unique among provisioned departments, because identity providers match by name. */
async function isNameTaken(db: Kysely<Tables>, accountId: number, name: string, id = 0): Promise<boolean> {
  const found = await findGroups(db, accountId, { limit: 2 }, { name });
  return found.some((each) => each.id !== id);
}

async function saveNames({ db, now }: Tx, accountId: number, id: number, edit: GroupEdit): Promise<void> {
  const { name, externalId } = edit;
  await db
    .updateTable('department')
    .set({ modify_time: now, ...(name !== undefined && { name, name_folded: fold(name) }) })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
  if (externalId === undefined) return;
  await db
    .updateTable('scim_group')
    .set({ external_id: externalId })
    .where('account_id', '=', accountId)
    .where('department_id', '=', id)
    .execute();
}

const oneGroup = async (db: Kysely<Tables>, accountId: number, id: number) =>
  (await findGroups(db, accountId, { limit: 1 }, { ids: [id] }))[0];

async function createDepartment({ db, now }: Tx, accountId: number, name: string): Promise<number> {
  const { id } = await db
    .insertInto('department')
    .values({
      account_id: accountId,
      name,
      name_folded: fold(name),
      ldap: 0,
      worker: 0,
      create_time: now,
      modify_time: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('scim_group')
    .values({ account_id: accountId, department_id: id, external_id: null })
    .execute();
  return id;
}

export const scimGroupChanges: ChangesOf<`scim/group-${'create' | 'update' | 'remove'}`> = {
  'scim/group-create': async function (tx, { accountId, tokenId, edit }) {
    const { db } = tx;
    const actor = await lockTokenActor(tx, { accountId, tokenId });
    if (isFault(actor)) return actor;
    if (await isNameTaken(db, accountId, edit.name)) return nameTaken;
    const id = await createDepartment(tx, accountId, edit.name);
    await saveNames(tx, accountId, id, edit);
    const refused = await changeMembers(tx, actor, id, edit.members);
    return refused ?? (await oneGroup(db, accountId, id))!;
  },

  'scim/group-update': async function (tx, { accountId, tokenId, id, edit }) {
    const { db } = tx;
    const actor = await lockTokenActor(tx, { accountId, tokenId });
    if (isFault(actor)) return actor;
    if (!(await oneGroup(db, accountId, id))) return missing;
    if (edit.name !== undefined && (await isNameTaken(db, accountId, edit.name, id))) return nameTaken;
    await saveNames(tx, accountId, id, edit);
    const refused = await changeMembers(tx, actor, id, edit.members);
    return refused ?? (await oneGroup(db, accountId, id))!;
  },

  // The department stays with its roles, without members, and can be changed here from now on.
  'scim/group-remove': async function (tx, { accountId, tokenId, id }) {
    const { db } = tx;
    const actor = await lockTokenActor(tx, { accountId, tokenId });
    if (isFault(actor)) return actor;
    if (!(await oneGroup(db, accountId, id))) return missing;
    await changeMembers(tx, actor, id, [{ kind: 'set', ids: [] }]);
    await db
      .deleteFrom('scim_group')
      .where('account_id', '=', accountId)
      .where('department_id', '=', id)
      .execute();
    return {};
  },
};
