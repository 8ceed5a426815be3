/** Groups of devices in SQL. */
import { fault } from '@drawbridge/contract/faults';
import { chain } from '@drawbridge/contract/async/maybe-promise';
import type { Kysely } from 'kysely';
import type { AgentScope } from '../../domain/people/access.ts';
import { parsePolicy } from '../../domain/devices/policies.ts';
import { fold } from '../../domain/text.ts';
import { bumpPolicyVersion } from '../people/account-versions.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import type { Reader } from '../engine/database.ts';
import { prepared } from '../engine/prepared.ts';
import type { Tables } from '../engine/schema.ts';
import { isInScope } from '../people/scope.ts';
import type { Reads } from '../store.ts';

const selectGroups = (db: Kysely<Tables>, accountId: number) =>
  db
    .selectFrom('agent_group')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .orderBy('position')
    .orderBy('id');

const allGroups = prepared<{ accountId: number }, { id: number; name: string }>((db, parameter) =>
  selectGroups(db, parameter('accountId')),
);

/** Groups that contain something in scope. */
const selectVisible = (db: Kysely<Tables>, accountId: number, scope: AgentScope) =>
  selectGroups(db, accountId).where((eb) =>
    eb.exists(
      eb
        .selectFrom('agent')
        .select('agent.id')
        .where('agent.account_id', '=', accountId)
        .whereRef('agent.group_id', '=', 'agent_group.id')
        .where(isInScope(scope)),
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

  list(accountId, scope) {
    const db = reader(accountId);
    const found =
      scope === 'all' ? allGroups(db, { accountId }) : selectVisible(db, accountId, scope).execute();
    return chain(found, (rows) => rows.map(({ id, name }) => ({ id, accountId, name })));
  },

  async policy(accountId, id) {
    const row = await reader(accountId)
      .selectFrom('agent_group')
      .innerJoin('account', 'account.account_id', 'agent_group.account_id')
      .select(['agent_group.policy', 'account.policy as account_policy'])
      .where('agent_group.account_id', '=', accountId)
      .where('agent_group.id', '=', id)
      .executeTakeFirst();
    return row && { account: parsePolicy(row.account_policy), group: parsePolicy(row.policy) };
  },
});

const setPosition = (db: Kysely<Tables>, at: { accountId: number; id: number; position: number }) =>
  db
    .updateTable('agent_group')
    .set({ position: at.position })
    .where('account_id', '=', at.accountId)
    .where('id', '=', at.id)
    .execute();

export const groupChanges: ChangesOf<`groups/${'create' | 'edit' | 'order' | 'remove'}`> = {
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

  'groups/edit': async function ({ db }, { accountId, id, name, order }) {
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

  'groups/order': async function ({ db }, { accountId, ids }) {
    const before = await selectGroups(db, accountId).select('position').execute();
    const named = new Set(ids);
    const next = ids.values();
    if (named.size !== ids.length || before.filter(({ id }) => named.has(id)).length !== ids.length)
      return fault('not_found', { field: 'ids' });
    const after = before.map(({ id }) => (named.has(id) ? next.next().value! : id));
    const positions = new Map(before.map(({ id, position }) => [id, position]));
    for (const [position, id] of after.entries())
      if (positions.get(id) !== position) await setPosition(db, { accountId, id, position });
    return {};
  },

  'groups/remove': async function ({ db }, { accountId, id }) {
    const row = await db
      .deleteFrom('agent_group')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!row) return fault('not_found');
    await bumpPolicyVersion(db, accountId);
    return {};
  },
};
