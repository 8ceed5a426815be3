/** Groups of devices in SQL. */
import { fault } from '@drawbridge/contract/faults';
import type { Kysely } from 'kysely';
import type { AgentScope } from '../domain/access.ts';
import type { Confirm } from '../domain/sessions.ts';
import { fold } from '../domain/text.ts';
import { touchRights } from './actors.ts';
import type { ChangesOf } from './change.ts';
import type { Reader } from './dialect.ts';
import { prepared } from './prepared.ts';
import type { Tables } from './schema.ts';
import { within } from './scope.ts';
import type { Reads } from './store.ts';

const ofAccount = (db: Kysely<Tables>, accountId: number) =>
  db
    .selectFrom('agent_group')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .orderBy('position')
    .orderBy('id');

const all = prepared<{ accountId: number }, { id: number; name: string }>((db, parameter) =>
  ofAccount(db, parameter('accountId')),
);

/** Those in which something in scope stands. */
const seen = (db: Kysely<Tables>, accountId: number, scope: AgentScope) =>
  ofAccount(db, accountId).where((eb) =>
    eb.exists(
      eb
        .selectFrom('agent')
        .select('agent.id')
        .where('agent.account_id', '=', accountId)
        .whereRef('agent.group_id', '=', 'agent_group.id')
        .where(within(scope)),
    ),
  );

export const groupReads = (reader: Reader): Reads['groups'] => ({
  async find(accountId, id) {
    const row = await reader(accountId)
      .selectFrom('agent_group')
      .select(['id', 'name'])
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && { ...row, accountId };
  },

  async list(accountId, scope) {
    const db = reader(accountId);
    const rows = await (scope === 'all' ? all(db, { accountId }) : seen(db, accountId, scope).execute());
    return rows.map(({ id, name }) => ({ id, accountId, name }));
  },

  async settings(accountId, id) {
    const row = await reader(accountId)
      .selectFrom('agent_group')
      .select('confirm')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && { confirm: row.confirm as Confirm };
  },
});

export const groupChanges: ChangesOf<`groups/${'create' | 'edit' | 'remove' | 'settings'}`> = {
  'groups/create': ({ db }, { accountId, name, order }) =>
    db
      .insertInto('agent_group')
      .values((eb) => ({
        account_id: accountId,
        name,
        name_folded: fold(name),
        position:
          order ??
          eb
            .selectFrom('agent_group as other')
            .where('other.account_id', '=', accountId)
            .select((last) =>
              last.fn.coalesce(last(last.fn.max('other.position'), '+', 1), last.lit(0)).as('next'),
            ),
      }))
      .returning('id')
      .executeTakeFirstOrThrow(),

  async 'groups/edit'({ db }, { accountId, id, name, order }) {
    const row = await db
      .updateTable('agent_group')
      .set((eb) => ({
        position: order ?? eb.ref('position'),
        ...(name !== undefined && { name, name_folded: fold(name) }),
      }))
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    return row ? {} : fault('not_found');
  },

  async 'groups/remove'({ db }, { accountId, id }) {
    const row = await db
      .deleteFrom('agent_group')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!row) return fault('not_found');
    await touchRights(db, accountId);
    return {};
  },

  async 'groups/settings'({ db }, { accountId, id, confirm }) {
    const row = await db
      .updateTable('agent_group')
      .set((eb) => ({ confirm: confirm ?? eb.ref('confirm') }))
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    return row ? {} : fault('not_found');
  },
};
