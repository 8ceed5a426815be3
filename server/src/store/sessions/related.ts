/** The devices and invitations of sessions, which show whether somebody is connected, in SQL. */
import type { Kysely } from 'kysely';
import type { SessionTable, Tables } from '../engine/schema.ts';
import { updateOperatorPresence } from '../support/invitation-state.ts';

type RelatedRow = Pick<SessionTable, 'account_id' | 'agent_id' | 'invitation_id'>;
export const relatedColumns = ['account_id', 'agent_id', 'invitation_id'] as const;

/** Updates the devices and invitations of these sessions. */
export async function touchRelated(db: Kysely<Tables>, rows: readonly RelatedRow[]): Promise<void> {
  const agents = [...new Set(rows.map((row) => row.agent_id))].filter((id) => id !== null);
  if (agents.length > 0)
    await db
      .updateTable('agent')
      .set((eb) => ({ revision: eb('revision', '+', 1) }))
      .where('id', 'in', agents)
      .execute();
  const invitations = new Map(rows.map((row) => [row.invitation_id, row.account_id]));
  for (const [id, accountId] of invitations) if (id !== null) await updateOperatorPresence(db, accountId, id);
}
