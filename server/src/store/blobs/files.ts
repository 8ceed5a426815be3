/** Metadata of attached files in SQL. Their bytes are in the blob store. */
import { fault } from '@drawbridge/contract/faults';
import type { Kysely, Selectable } from 'kysely';
import type { ChangesOf } from '../engine/transaction.ts';
import type { Reader } from '../engine/database.ts';
import { filesLeft } from '../people/plan.ts';
import type { AttachedFile } from '../records.ts';
import type { Tables } from '../engine/schema.ts';
import type { Reads } from '../store.ts';

const toFile = (row: Selectable<Tables['attached_file']>): AttachedFile => ({
  id: row.id,
  accountId: row.account_id,
  agentId: row.agent_id,
  name: row.name,
  size: row.size,
  digest: row.digest,
  type: row.type,
  note: row.note,
  author: row.author,
  time: row.create_time,
  blobKey: row.place,
});

const selectOfAgent = (db: Kysely<Tables>, accountId: number, agentId: number) =>
  db.selectFrom('attached_file').where('account_id', '=', accountId).where('agent_id', '=', agentId);

const agentExists = async (db: Kysely<Tables>, accountId: number, id: number): Promise<boolean> =>
  (await db
    .selectFrom('agent')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined;

export const fileReads = (reader: Reader): Reads['files'] => ({
  async find(accountId, id) {
    const row = await reader(accountId)
      .selectFrom('attached_file')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toFile(row);
  },

  async list(accountId, agentId, { offset, limit }) {
    const db = reader(accountId);
    const rows = await selectOfAgent(db, accountId, agentId)
      .selectAll()
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute();
    const { total } = await selectOfAgent(db, accountId, agentId)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return { total: Number(total), files: rows.map(toFile) };
  },

  remaining: (accountId) => filesLeft(reader(accountId), accountId),

  async referencedKeys(accountId, blobKeys) {
    const rows = await reader(accountId)
      .selectFrom('attached_file')
      .select('place')
      .where('account_id', '=', accountId)
      .where('place', 'in', blobKeys)
      .execute();
    return rows.map(({ place }) => place);
  },
});

export const fileChanges: ChangesOf<'files/add' | 'files/remove'> = {
  'files/add': async function (
    { db, now },
    { accountId, agentId, name, size, digest, type, note, author, blobKey },
  ) {
    // Locks the account's row, so that two concurrent uploads cannot both use the last file that the plan allows.
    await db
      .updateTable('account')
      .set((eb) => ({ plan_files: eb.ref('plan_files') }))
      .where('account_id', '=', accountId)
      .execute();
    const left = await filesLeft(db, accountId);
    if (left !== null && left <= 0) return fault('plan_exceeded');
    if (!(await agentExists(db, accountId, agentId))) return fault('not_found', { field: 'agent_id' });
    const row = { name, size, digest, type, note, author, place: blobKey, create_time: now };
    return db
      .insertInto('attached_file')
      .values({ account_id: accountId, agent_id: agentId, ...row })
      .returning('id')
      .executeTakeFirstOrThrow();
  },

  'files/remove': async function ({ db }, { accountId, id }) {
    const row = await db
      .deleteFrom('attached_file')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning(['place', 'agent_id'])
      .executeTakeFirst();
    return row ? { blobKey: row.place, agentId: row.agent_id } : fault('not_found', { field: 'id' });
  },
};
