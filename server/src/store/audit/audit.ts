/** The audit log in SQL: append-only, chained per account. */
import { hash } from 'node:crypto';
import { type AuditLine, type AuditRow, toCanonicalText } from '../../domain/audit.ts';
import { fold } from '../../domain/text.ts';
import type { AuditReads } from '../people/account-records.ts';
import { verifyChain } from './audit-chain.ts';
import type { ChangesOf, Tx } from '../engine/transaction.ts';
import type { Reader } from '../engine/database.ts';
import { prepared, preparedWrite } from '../engine/prepared.ts';
import type { Tables } from '../engine/schema.ts';

export const hashOf = (text: string): string => hash('sha256', text);

const nextSequence = prepared<{ accountId: number }, { audit_seq: number; audit_hash: string }>(
  (db, parameter) =>
    db
      .updateTable('account')
      .set((eb) => ({ audit_seq: eb('audit_seq', '+', 1) }))
      .where('account_id', '=', parameter('accountId'))
      .returning(['audit_seq', 'audit_hash']),
);

const insert = preparedWrite<Tables['audit']>((db, parameter) =>
  db.insertInto('audit').values({
    account_id: parameter('account_id'),
    seq: parameter('seq'),
    time: parameter('time'),
    member_id: parameter('member_id'),
    email: parameter('email'),
    address: parameter('address'),
    operation: parameter('operation'),
    outcome: parameter('outcome'),
    input: parameter('input'),
    previous_hash: parameter('previous_hash'),
    hash: parameter('hash'),
  }),
);

const storeHeadHash = preparedWrite<{ accountId: number; hash: string }>((db, parameter) =>
  db
    .updateTable('account')
    .set({ audit_hash: parameter('hash') })
    .where('account_id', '=', parameter('accountId')),
);

/**
 * Appends one line to the chain. The first statement locks the account's row, so concurrent lines are appended one at a
 * time.
 */
export async function appendAudit({ db, now }: Tx, line: AuditLine, outcome: string): Promise<void> {
  const [head] = await nextSequence(db, { accountId: line.accountId });
  if (!head)
    throw new Error(`there is no account ${line.accountId} to write the line of ${line.operation} for`);
  const row = { ...line, seq: head.audit_seq, time: now, outcome, previousHash: head.audit_hash };
  const rowHash = hashOf(toCanonicalText(row));
  await insert(db, toColumns({ ...row, hash: rowHash }));
  await storeHeadHash(db, { accountId: line.accountId, hash: rowHash });
}

export const auditChanges: ChangesOf<'audit/append'> = {
  'audit/append': async () => ({}),
};

export const auditReads = (reader: Reader): AuditReads => ({
  verify: (accountId) => verifyChain(auditReads(reader), accountId, hashOf),

  async list(accountId, { operation, email, from, to, offset, limit }) {
    let query = reader(accountId).selectFrom('audit').where('account_id', '=', accountId);
    if (operation) query = query.where('operation', '=', operation);
    if (email !== undefined) query = query.where('email', '=', fold(email));
    if (from !== undefined) query = query.where('time', '>=', from);
    if (to !== undefined) query = query.where('time', '<=', to);
    const { total } = await query
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await query.selectAll().orderBy('seq', 'desc').limit(limit).offset(offset).execute();
    return { total: Number(total), rows: rows.map(toRow) };
  },

  async chain(accountId, afterSeq, limit) {
    const rows = await reader(accountId)
      .selectFrom('audit')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('seq', '>', afterSeq)
      .orderBy('seq')
      .limit(limit)
      .execute();
    return rows.map(toRow);
  },

  async head(accountId) {
    const row = await reader(accountId)
      .selectFrom('account')
      .select(['audit_seq', 'audit_hash'])
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row && { seq: row.audit_seq, hash: row.audit_hash };
  },
});

const toColumns = (row: AuditRow): Tables['audit'] => ({
  account_id: row.accountId,
  seq: row.seq,
  time: row.time,
  member_id: row.memberId,
  email: row.email,
  address: row.address,
  operation: row.operation,
  outcome: row.outcome,
  input: row.input,
  previous_hash: row.previousHash,
  hash: row.hash,
});

const toRow = (row: Tables['audit']): AuditRow => ({
  accountId: row.account_id,
  seq: row.seq,
  time: row.time,
  memberId: row.member_id,
  email: row.email,
  address: row.address,
  operation: row.operation,
  outcome: row.outcome,
  input: row.input,
  previousHash: row.previous_hash,
  hash: row.hash,
});
