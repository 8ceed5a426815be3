/** How the row of an invitation changes when somebody joins or leaves. */
import { isFault } from '@drawbridge/contract/faults';
import type { Kysely, Selectable } from 'kysely';
import { nextState, type Invitation, type InvitationStatus } from '../../domain/support.ts';
import type { Tables } from '../engine/schema.ts';

/** Locks the row, so that all events of one invitation run one after the other. */
export const lockInvitation = (db: Kysely<Tables>, accountId: number, id: number) =>
  db
    .updateTable('invitation')
    .set((eb) => ({ status: eb.ref('status') }))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

const noConnection = { client_key: '', client_holder: '', client_until: 0 };
export const noClient = { client_os: '', client_preview: '', ...noConnection };

interface JoinedClient {
  os: Invitation['clientOs'];
  preview: string;
  key?: string;
  /** The connection. */
  holder?: string;
  until: number;
}

/** A client who leaves is forgotten. A closed invitation still shows which system its client had. */
function clientColumns(status: InvitationStatus, client: JoinedClient | undefined) {
  if (status === 0) return noClient;
  if (status === 3) return noConnection;
  return (
    client && {
      client_os: client.os,
      client_preview: client.preview,
      client_key: client.key ?? '',
      client_holder: client.holder ?? '',
      client_until: client.until,
    }
  );
}

/** Stores the state of the invitation. Its links are deleted when it is closed. */
export async function saveInvitationState(
  db: Kysely<Tables>,
  { accountId, id }: Pick<Invitation, 'accountId' | 'id'>,
  state: Pick<Invitation, 'status' | 'operatorPresent' | 'everJoined'>,
  client?: JoinedClient,
): Promise<Invitation> {
  const row = await db
    .updateTable('invitation')
    .set({
      status: state.status,
      operator_present: state.operatorPresent ? 1 : 0,
      ever_joined: state.everJoined ? 1 : 0,
      ...clientColumns(state.status, client),
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (state.status === 3)
    await db.deleteFrom('link').where('account_id', '=', accountId).where('invitation_id', '=', id).execute();
  return toInvitation(row);
}

/** Updates the invitation after an operator joined or left: one is present while at least one is connected to the relay. */
export async function updateOperatorPresence(
  db: Kysely<Tables>,
  accountId: number,
  id: number,
): Promise<void> {
  const row = await lockInvitation(db, accountId, id);
  if (!row) return;
  const present = await db
    .selectFrom('session')
    .select('id')
    .where('account_id', '=', accountId)
    .where('invitation_id', '=', id)
    .where('present', '=', 1)
    .limit(1)
    .executeTakeFirst();
  const state = nextState(toInvitation(row), present ? 'operator_joins' : 'operator_leaves');
  // A fault means that the invitation is closed, or that other operators are present: nothing changes then.
  if (!isFault(state)) await saveInvitationState(db, toInvitation(row), state);
}

export const toInvitation = (row: Selectable<Tables['invitation']>): Invitation => ({
  id: row.id,
  accountId: row.account_id,
  memberId: row.member_id,
  status: row.status as InvitationStatus,
  createTime: row.create_time,
  code: row.code,
  connectToken: row.connect_token,
  clientName: row.client_name,
  clientOs: row.client_os as Invitation['clientOs'],
  clientPreview: row.client_preview,
  operatorPresent: row.operator_present === 1,
  everJoined: row.ever_joined === 1,
  clientKey: row.client_key,
  connectUsed: row.connect_used === 1,
});
