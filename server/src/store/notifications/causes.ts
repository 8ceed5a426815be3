/** What other changes do for notifications, in SQL, inside their own transactions. */
import type { NotificationKind } from '@drawbridge/contract/choices';
import type { Kysely } from 'kysely';
import type { Tables } from '../engine/schema.ts';
import type { Tx } from '../engine/transaction.ts';

/** Something that people can subscribe to has happened. */
interface NewCause {
  accountId: number;
  kind: Exclude<NotificationKind, 'offline' | 'back'>;
  agentId?: number;
  invitationId?: number;
  sessionId?: number;
}

/** Notes it for the next evaluation, if anyone in the account subscribed to its kind. */
export async function noteCause({ db, now }: Tx, cause: NewCause): Promise<void> {
  const { accountId, kind, agentId = null, invitationId = null, sessionId = null } = cause;
  const subscribed = await db
    .selectFrom('notification_subscription')
    .select('id')
    .where('account_id', '=', accountId)
    .where(kind, '=', 1)
    .limit(1)
    .executeTakeFirst();
  if (!subscribed) return;
  await db
    .insertInto('notification_cause')
    .values({
      account_id: accountId,
      kind,
      agent_id: agentId,
      invitation_id: invitationId,
      session_id: sessionId,
      time: now,
    })
    .execute();
}

/** Notes that these devices came online, for the people who were told that they are offline. */
export async function noteReturn(
  db: Kysely<Tables>,
  agentIds: readonly number[],
  now: number,
): Promise<void> {
  if (agentIds.length === 0) return;
  await db
    .updateTable('notification_item')
    .set({ back_time: now })
    .where('agent_id', 'in', [...agentIds])
    .where('open', '=', 1)
    .execute();
}
