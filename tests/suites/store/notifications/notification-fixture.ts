/** Accounts with devices that come and go, for the suites of notifications. */
import type { NotificationKind } from '@drawbridge/contract/choices';
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../../../kit/server/account.ts';
import { startRounds } from '../../../kit/server/notification-rounds.ts';
import { openAccount, type StoreAccount, type StoreFixture, type StorePerson } from '../fixture.ts';

export const minute = 60;
export const refOf = ({ accountId }: Pick<StoreAccount, 'accountId'>, { id }: StorePerson) => ({
  accountId,
  memberId: id,
});

interface Target {
  agentId?: number;
  groupId?: number;
  minutes?: number;
}

export function notificationFixture(fixture: () => StoreFixture) {
  return {
    subscribe: (
      account: StoreAccount,
      person: StorePerson,
      kinds: readonly NotificationKind[],
      { agentId, groupId, minutes = 5 }: Target = {},
    ) =>
      must(fixture().store, 'notifications/subscribe', {
        ...refOf(account, person),
        agentId: agentId ?? null,
        groupId: groupId ?? null,
        kinds,
        minutes,
      }),

    /** An account with devices that are online, and rounds that run. */
    async openSite(...names: string[]) {
      const { store, advance } = fixture();
      const account = await openAccount(store);
      const groupId = await account.group();
      const devices: number[] = [];
      for (const name of names) devices.push((await account.agent({ name, groupId })).id);
      const rounds = startRounds(store, advance);
      await rounds.online(...devices);
      return {
        account,
        owner: refOf(account, account.owner),
        groupId,
        devices,
        rounds,
        [Symbol.asyncDispose]: () => rounds.notifier.close(),
      };
    },
  };
}

/** Takes a person's role on a group away. */
export const removeFromGroup = (
  store: Store,
  { accountId, owner }: StoreAccount,
  { email }: StorePerson,
  { roleId, groupId }: { roleId: number; groupId: number },
) => must(store, 'access/remove', { accountId, by: owner.id, holder: { email }, roleId, groupId });
