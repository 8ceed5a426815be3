/** Removes grants that have ended, and old requests, in SQL. */
import type { Kysely } from 'kysely';
import { automaticAuditLine } from '../../../domain/audit.ts';
import { appendAudit } from '../../audit/audit.ts';
import type { Tables } from '../../engine/schema.ts';
import type { Change } from '../../engine/transaction.ts';
import { queueRequestEvent } from '../webhooks/queue-event.ts';
import { bumpRightsVersion } from '../account-versions.ts';

/** How many grants one transaction removes. */
const batchSize = 500;

const endedEntries = (db: Kysely<Tables>, now: number) =>
  db
    .selectFrom('access_entry')
    .select([
      'id',
      'account_id',
      'member_id',
      'department_id',
      'role_id',
      'agent_id',
      'group_id',
      'request_id',
    ])
    .where('until_time', '<=', now)
    .orderBy('account_id')
    .orderBy('id')
    .limit(batchSize)
    .execute();

/**
 * A grant that ended gives nothing, whether or not it is removed. Each removal is in the audit log of its account. Two
 * processes that remove at the same moment wait for each other at the row of the account.
 */
export const sweepRequests: Change<'requests/sweep'> = async ({ db, now }, { createdBefore }) => {
  const found = await endedEntries(db, now);
  const ended: { accountId: number; memberId: number }[] = [];
  for (const [accountId, entries] of Map.groupBy(found, (entry) => entry.account_id)) {
    await bumpRightsVersion(db, accountId);
    for (const { id, account_id: _, member_id: memberId, ...entry } of entries) {
      const { numDeletedRows } = await db
        .deleteFrom('access_entry')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .where('until_time', '<=', now)
        .executeTakeFirst();
      if (numDeletedRows === 0n) continue;
      const line = automaticAuditLine(accountId, 'server/access-end', { member_id: memberId, ...entry });
      await appendAudit({ db, now }, line, 'done');
      if (entry.request_id !== null)
        await queueRequestEvent({ db, now }, accountId, 'access_ended', entry.request_id);
      ended.push({ accountId, memberId: memberId ?? 0 });
    }
  }
  await db.deleteFrom('access_request').where('create_time', '<', createdBefore).execute();
  return { ended };
};
