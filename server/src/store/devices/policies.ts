/** Policies of groups and devices in SQL: what changes them, and what gateways send to devices. */
import { fault } from '@drawbridge/contract/faults';
import type { Policy } from '@drawbridge/contract/policy';
import { changePolicy, effectivePolicy, formatPolicy, parsePolicy } from '../../domain/devices/policies.ts';
import type { Reader } from '../engine/database.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import { bumpPolicyVersion } from '../people/account-versions.ts';
import { hasIdIn } from '../people/scope.ts';
import type { Reads } from '../store.ts';
import { updateAgent } from './update-agent.ts';

/** The policy of a device from the columns of its account, its group and itself. */
export const effectivePolicyOf = (row: {
  account_policy: string;
  group_policy: string | null;
  policy: string;
}): Policy =>
  effectivePolicy({
    account: parsePolicy(row.account_policy),
    group: parsePolicy(row.group_policy ?? '{}'),
    device: parsePolicy(row.policy),
  });

export const policyReads = (reader: Reader): Reads['policies'] => ({
  async versions(accountIds) {
    const rows = await reader('all')
      .selectFrom('account')
      .select(['account_id', 'policy_version'])
      .where(hasIdIn('account_id', accountIds))
      .execute();
    return new Map(rows.map((row) => [row.account_id, row.policy_version]));
  },

  async ofAgents(accountId, ids) {
    const rows = await reader(accountId)
      .selectFrom('agent')
      .innerJoin('account', 'account.account_id', 'agent.account_id')
      .leftJoin('agent_group as group', 'group.id', 'agent.group_id')
      .select([
        'agent.id',
        'agent.policy',
        'group.policy as group_policy',
        'account.policy as account_policy',
      ])
      .select('account.policy_version')
      .where('agent.account_id', '=', accountId)
      .where(hasIdIn('agent.id', ids))
      .execute();
    return rows.map((row) => ({
      id: row.id,
      number: row.policy_version,
      policy: effectivePolicyOf(row),
    }));
  },
});

export const policyChanges: ChangesOf<'agents/policy' | 'groups/policy'> = {
  'agents/policy': async function ({ db }, { accountId, id, policy }) {
    await bumpPolicyVersion(db, accountId);
    const row = await db
      .selectFrom('agent')
      .select('policy')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) return fault('not_found');
    await updateAgent(db, accountId, id, {
      policy: formatPolicy(changePolicy(parsePolicy(row.policy), policy)),
    });
    return {};
  },

  'groups/policy': async function ({ db }, { accountId, id, policy }) {
    await bumpPolicyVersion(db, accountId);
    const row = await db
      .selectFrom('agent_group')
      .select('policy')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) return fault('not_found');
    await db
      .updateTable('agent_group')
      .set({ policy: formatPolicy(changePolicy(parsePolicy(row.policy), policy)) })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
    return {};
  },
};
