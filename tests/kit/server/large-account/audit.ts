/** Very many entries of the audit log, each chained to the one before. */
import { toCanonicalText } from '@drawbridge/server/domain/audit';
import { hashOf } from '@drawbridge/server/store/audit/audit';
import type { TestService } from '../service.ts';
import { runSql } from '../raw-sql.ts';
import { manyRows, sqlText, type LargeAccount } from './rows.ts';

/** Continues from the last entry. */
export async function insertAuditLines(
  service: TestService,
  { accountId, ownerId, ownerEmail, now }: LargeAccount,
) {
  const [head] = await runSql(
    service,
    `select audit_seq, audit_hash from account where account_id = ${accountId}`,
  );
  let [seq, previousHash] = [Number(head!['audit_seq']), String(head!['audit_hash'])];
  const lines = Array.from({ length: manyRows }, (_, at) => {
    const line = {
      accountId,
      seq: (seq += 1),
      time: now - manyRows + at,
      memberId: ownerId,
      email: ownerEmail,
      address: '203.0.113.7',
      operation: 'groups/create',
      outcome: 'done',
      input: JSON.stringify({ name: `Office ${at}` }),
      previousHash,
    };
    previousHash = hashOf(toCanonicalText(line));
    return { ...line, hash: previousHash };
  });
  const of = (name: keyof (typeof lines)[number]): string => `value ->> '${name}'`;
  await runSql(
    service,
    `insert into audit (account_id, seq, time, member_id, email, address, operation, outcome, input, previous_hash, hash)
     select ${of('accountId')}, ${of('seq')}, ${of('time')}, ${of('memberId')}, ${of('email')}, ${of('address')},
       ${of('operation')}, ${of('outcome')}, ${of('input')}, ${of('previousHash')}, ${of('hash')}
     from json_each(${sqlText(JSON.stringify(lines))})`,
  );
  await runSql(
    service,
    `update account set audit_seq = ${seq}, audit_hash = ${sqlText(previousHash)} where account_id = ${accountId}`,
  );
}
