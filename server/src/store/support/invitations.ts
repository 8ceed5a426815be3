/** Invitations in SQL. */
import { fault, isFault } from '@drawbridge/contract/faults';
import type { Kysely, Selectable } from 'kysely';
import { monthOf } from '../../domain/people/plan.ts';
import { clientGrace } from '../../domain/sessions/sessions.ts';
import { nextState, statusAt, type Invitation } from '../../domain/support.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import type { Reader } from '../engine/database.ts';
import { saveInvitationState, lockInvitation, toInvitation } from './invitation-state.ts';
import { hasIdIn } from '../people/scope.ts';
import { consumeInvitation } from '../people/plan.ts';
import { prepared } from '../engine/prepared.ts';
import type { Tables } from '../engine/schema.ts';
import type { ChangeInput } from '../changes.ts';
import type { Reads } from '../store.ts';

async function findInvitation(
  db: Kysely<Tables>,
  accountId: number,
  id: number,
): Promise<Invitation | undefined> {
  const row = await db
    .selectFrom('invitation')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toInvitation(row);
}

const findClientNames = (
  db: Kysely<Tables>,
  accountId: number,
  ids: readonly number[],
): Promise<{ id: number; clientName: string }[]> =>
  db
    .selectFrom('invitation')
    .select(['id', 'client_name as clientName'])
    .where('account_id', '=', accountId)
    .where(hasIdIn('id', ids))
    .where('client_name', '<>', '')
    .orderBy('id')
    .execute();

async function findHolders(reader: Reader, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const open = await reader('all')
    .selectFrom('invitation')
    .select(['id', 'client_holder'])
    .where('id', 'in', [...ids])
    .where('status', '<', 3)
    .execute();
  return new Map(open.map((row) => [row.id, row.client_holder]));
}

async function findInAnyAccount(reader: Reader, id: number): Promise<Invitation | undefined> {
  const row = await reader('all')
    .selectFrom('invitation')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toInvitation(row);
}

async function findOpenByCode(
  reader: Reader,
  code: string,
): Promise<{ invitation: Invitation; owner: string } | undefined> {
  const row = await reader('all')
    .selectFrom('invitation')
    .innerJoin('member as owner', (join) =>
      join.onRef('owner.account_id', '=', 'invitation.account_id').on('owner.owner', '=', 1),
    )
    .selectAll('invitation')
    .select('owner.email as owner_email')
    .where('invitation.code', '=', code)
    .where('invitation.status', '<', 3)
    .executeTakeFirst();
  return row && { invitation: toInvitation(row), owner: row.owner_email };
}

const selectOpen = (db: Kysely<Tables>, accountId: number, bornAfter: number) =>
  db
    .selectFrom('invitation')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('status', '<', 3)
    .where((eb) =>
      eb.or([eb('status', '>', 0), eb('ever_joined', '=', 1), eb('create_time', '>', bornAfter)]),
    );

export const invitationReads = (reader: Reader): Reads['invitations'] => ({
  find: (accountId, id) => findInvitation(reader(accountId), accountId, id),

  async open(accountId, owner, bornAfter) {
    let query = selectOpen(reader(accountId), accountId, bornAfter);
    if (owner !== 'everyone') query = query.where('member_id', '=', owner);
    return (await query.orderBy('id', 'desc').execute()).map(toInvitation);
  },

  clientNames: (accountId, ids) => findClientNames(reader(accountId), accountId, ids),

  byId: (id) => findInAnyAccount(reader, id),
  byCode: (code) => findOpenByCode(reader, code),

  async byPreview(id, preview) {
    const found = await findInAnyAccount(reader, id);
    return found?.clientPreview === preview ? found : undefined;
  },

  holders: (ids) => findHolders(reader, ids),

  async hasLapsed(now) {
    const row = await reader('all')
      .selectFrom('invitation')
      .select('id')
      .where('status', 'in', [1, 2])
      .where('client_until', '<=', now)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  },
});

interface NewInvitation {
  accountId: number;
  memberId: number;
  now: number;
  code: string;
  connectToken: string;
  clientName: string;
}

const insert = prepared<NewInvitation, Selectable<Tables['invitation']>>((db, parameter) =>
  db
    .insertInto('invitation')
    .values({
      account_id: parameter('accountId'),
      member_id: parameter('memberId'),
      status: 0,
      create_time: parameter('now'),
      code: parameter('code'),
      connect_token: parameter('connectToken'),
      client_name: parameter('clientName'),
      client_os: '',
      client_preview: '',
      operator_present: 0,
      ever_joined: 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll(),
);

async function insertOne(
  db: Kysely<Tables>,
  input: ChangeInput<'invitations/create'>,
  now: number,
): Promise<Invitation> {
  const { codes, ...rest } = input;
  for (const code of codes) {
    const [row] = await insert(db, { ...rest, code, now });
    if (row) return toInvitation(row);
  }
  throw new Error('every invitation code that was tried is in use');
}

type ChangeNames = 'create' | 'rename' | 'happen' | 'expire';

export const invitationChanges: ChangesOf<`invitations/${ChangeNames}`> = {
  'invitations/create': async function ({ db, now }, input) {
    const { accountId } = input;
    if (!(await consumeInvitation(db, accountId, monthOf(now))))
      return fault('plan_exceeded', { message: 'The invitations of this month are used up.' });
    return insertOne(db, input, now);
  },

  'invitations/rename': async function ({ db }, { accountId, id, name }) {
    const row = await db
      .updateTable('invitation')
      .set((eb) => ({ client_name: name ?? eb.ref('client_name') }))
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    return row ? {} : fault('not_found');
  },

  'invitations/happen': async function ({ db, now }, { accountId, id, event, lifetime, client }) {
    const locked = await lockInvitation(db, accountId, id);
    if (!locked) return fault('not_found');
    const before = toInvitation(locked);
    const state = nextState({ ...before, status: statusAt(before, now, lifetime) }, event);
    if (isFault(state)) return state;
    return saveInvitationState(db, before, state, client && { ...client, until: now + clientGrace });
  },

  'invitations/expire': async function ({ db }, { bornBefore }) {
    const rows = await db
      .updateTable('invitation')
      .set({ status: 3 })
      .where('status', '=', 0)
      .where('ever_joined', '=', 0)
      .where('create_time', '<=', bornBefore)
      .returning(['account_id as accountId', 'id'])
      .execute();
    return { closed: rows };
  },
};
