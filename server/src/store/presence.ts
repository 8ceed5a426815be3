/** Who is online, in SQL: a lease per device, so that nothing stays online whose server has died. */
import type { ChangesOf } from './change.ts';

export const presenceChanges: ChangesOf<'presence/renew' | 'presence/release'> = {
  async 'presence/renew'({ db, now }, { node, agents, leaseUntil }) {
    for (const { accountId, id } of agents)
      await db
        .insertInto('presence')
        .values({ agent_id: id, account_id: accountId, node, lease_until: leaseUntil, seen_time: now })
        .onConflict((conflict) =>
          conflict.column('agent_id').doUpdateSet({ node, lease_until: leaseUntil, seen_time: now }),
        )
        .execute();
    return {};
  },

  async 'presence/release'({ db }, { node }) {
    let query = db
      .updateTable('presence')
      .set((eb) => ({ lease_until: eb.ref('seen_time') }))
      .whereRef('lease_until', '>', 'seen_time');
    if (node !== 'all') query = query.where('node', '=', node);
    await query.execute();
    return {};
  },
};
