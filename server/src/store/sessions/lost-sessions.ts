/** The audit lines of sessions that were lost with their server. */
import type { SessionEvent } from '@drawbridge/contract/audited-events';
import { fold } from '../../domain/text.ts';
import { appendAudit } from '../audit/audit.ts';
import type { SessionTable } from '../engine/schema.ts';
import type { Tx } from '../engine/transaction.ts';

type LostRow = Pick<SessionTable, 'account_id' | 'member_id' | 'login' | 'client_ip' | 'bytes'> & {
  id: number;
};

/** In the order of accounts, so that two servers that do it at the same time cannot deadlock. */
export async function auditLost(tx: Tx, rows: readonly LostRow[]): Promise<void> {
  for (const row of rows.toSorted((one, other) => one.account_id - other.account_id)) {
    const line = {
      accountId: row.account_id,
      memberId: row.member_id,
      email: fold(row.login),
      address: row.client_ip,
      operation: 'session/close' satisfies SessionEvent,
      input: JSON.stringify({ session: row.id, by: 'lost', bytes: Number(row.bytes) }),
    };
    await appendAudit(tx, line, 'done');
  }
}
