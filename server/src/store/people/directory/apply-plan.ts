/** Carries out the plan of an import, in SQL. */
import type { Kysely } from 'kysely';
import type { ImportPlan, StoredDirectory } from '../../../domain/people/directory-plan.ts';
import type { ImportTarget } from '../../../domain/people/directory-report.ts';
import { fold } from '../../../domain/text.ts';
import type { Tables } from '../../engine/schema.ts';
import type { Tx } from '../../engine/transaction.ts';
import { hasIdIn } from '../scope.ts';
import { inBatches } from '../batches.ts';
import { endAccess, setDisabled } from '../disabled-people.ts';

/** The ids of people or departments by the uids of their entries. */
type Ids = Map<string, number>;

export async function applyPlan(
  tx: Tx,
  target: ImportTarget,
  { plan, stored }: { plan: ImportPlan; stored: StoredDirectory },
): Promise<void> {
  const people: Ids = new Map(
    stored.people.flatMap(({ uid, memberId }) => (uid === null ? [] : [[uid, memberId]])),
  );
  const departments: Ids = new Map(stored.departments.map(({ uid, departmentId }) => [uid, departmentId]));
  const gone = plan.disablePeople.map(({ memberId }) => memberId);
  await setDisabled(tx.db, target.accountId, gone, 1);
  await endAccess(tx.db, target.accountId, gone);
  await changePeople(tx.db, target, plan);
  for (const { memberId, uid } of plan.adoptPeople) people.set(uid, memberId);
  await createPeople(tx, target, plan, people);
  await createDepartments(tx, target, plan, departments);
  await renameDepartments(tx, target.accountId, plan);
  await changeMemberships(tx, target.accountId, plan, { people, departments });
}

async function changePeople(
  db: Kysely<Tables>,
  { accountId, id }: ImportTarget,
  { enablePeople, changeEmails, adoptPeople }: ImportPlan,
): Promise<void> {
  await setDisabled(
    db,
    accountId,
    enablePeople.map(({ memberId }) => memberId),
    0,
  );
  const update = (memberId: number) =>
    db.updateTable('member').where('account_id', '=', accountId).where('id', '=', memberId);
  for (const { memberId, email } of changeEmails)
    await update(memberId)
      .set({ email, email_folded: fold(email) })
      .execute();
  for (const { memberId, uid } of adoptPeople)
    await update(memberId).set({ directory_id: id, directory_uid: uid }).execute();
}

async function createPeople(
  { db, now }: Tx,
  { accountId, id }: ImportTarget,
  plan: ImportPlan,
  people: Ids,
): Promise<void> {
  for (const batch of inBatches(plan.createPeople)) {
    const rows = await db
      .insertInto('member')
      .values(
        batch.map(({ uid, email }) => ({
          account_id: accountId,
          email,
          email_folded: fold(email),
          owner: 0 as const,
          state: 'invited',
          create_time: now,
          password: null,
          directory_id: id,
          directory_uid: uid,
        })),
      )
      .returning(['id', 'directory_uid'])
      .execute();
    for (const row of rows) people.set(row.directory_uid!, row.id);
  }
}

async function createDepartments(
  { db, now }: Tx,
  { accountId, id }: ImportTarget,
  plan: ImportPlan,
  departments: Ids,
): Promise<void> {
  for (const batch of inBatches(plan.createDepartments)) {
    const rows = await db
      .insertInto('department')
      .values(
        batch.map(({ uid, name }) => ({
          account_id: accountId,
          name,
          name_folded: fold(name),
          ldap: 1 as const,
          worker: 0 as const,
          create_time: now,
          modify_time: now,
          directory_id: id,
          directory_uid: uid,
        })),
      )
      .returning(['id', 'directory_uid'])
      .execute();
    for (const row of rows) departments.set(row.directory_uid!, row.id);
  }
}

async function renameDepartments({ db, now }: Tx, accountId: number, plan: ImportPlan): Promise<void> {
  for (const { departmentId, name } of plan.renameDepartments)
    await db
      .updateTable('department')
      .set({ name, name_folded: fold(name), modify_time: now })
      .where('account_id', '=', accountId)
      .where('id', '=', departmentId)
      .execute();
}

async function changeMemberships(
  { db, now }: Tx,
  accountId: number,
  { join, leave }: ImportPlan,
  { people, departments }: { people: Ids; departments: Ids },
): Promise<void> {
  const joined = join.map(({ department, person }) => ({
    account_id: accountId,
    department_id: departments.get(department)!,
    member_id: people.get(person)!,
  }));
  for (const batch of inBatches(joined))
    await db
      .insertInto('department_member')
      .values(batch)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  for (const [department, some] of Map.groupBy(leave, (each) => each.department))
    await db
      .deleteFrom('department_member')
      .where('account_id', '=', accountId)
      .where('department_id', '=', departments.get(department)!)
      .where(
        hasIdIn(
          'member_id',
          some.map(({ person }) => people.get(person)!),
        ),
      )
      .execute();
  const touched = new Set([...join, ...leave].map(({ department }) => departments.get(department)!));
  await db
    .updateTable('department')
    .set({ modify_time: now })
    .where('account_id', '=', accountId)
    .where(hasIdIn('id', [...touched]))
    .execute();
}
