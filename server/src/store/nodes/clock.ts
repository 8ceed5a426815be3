/** What a jump of the machine's clock means, in SQL: whatever was present before the jump is present after it. */
import type { ChangesOf } from '../engine/transaction.ts';
import { bumpListVersions } from '../people/account-versions.ts';

export const clockChanges: ChangesOf<'server/clock-jump'> = {
  'server/clock-jump': async function ({ db, now }, { seconds }) {
    const leases = await db
      .updateTable('presence')
      .set((eb) => ({ lease_until: eb('lease_until', '+', seconds) }))
      .where('lease_until', '>', now)
      .returning(['agent_id', 'account_id'])
      .execute();
    await db
      .updateTable('session')
      .set((eb) => ({ alive_time: eb('alive_time', '+', seconds) }))
      .where('stop_time', 'is', null)
      .execute();
    await db
      .updateTable('invitation')
      .set((eb) => ({ client_until: eb('client_until', '+', seconds) }))
      .where('client_until', '>', now)
      .execute();
    await bumpListVersions(db, leases);
    return {};
  },
};
