/** What the owner of the fictional account subscribed to, and what they were notified of. */
import { must } from '../../../tests/kit/server/account.ts';
import { startRounds } from '../../../tests/kit/server/notification-rounds.ts';
import { firmDevices, mainDevice } from './devices.ts';
import { advanceTo, type FirmContext } from './past.ts';

const minute = 60;

export async function subscribeOwner(
  { service, account, devices }: FirmContext,
  groups: Record<string, number>,
): Promise<void> {
  const { store } = service.server;
  const memberRef = { accountId: account.id, memberId: account.owner.id };
  const none = { ...memberRef, agentId: null, groupId: null };
  await must(store, 'notifications/subscribe', {
    ...none,
    kinds: ['offline', 'back', 'session_began', 'client_waits'],
    minutes: 15,
  });
  await must(store, 'notifications/subscribe', {
    ...none,
    groupId: groups['Town Library']!,
    kinds: ['offline', 'back', 'new_device'],
    minutes: 5,
  });
  await must(store, 'notifications/subscribe', {
    ...none,
    agentId: devices[mainDevice]!,
    kinds: ['offline', 'session_began'],
    minutes: 5,
  });
}

/** The library loses its connection, and returns. */
export async function notifyOfOutage({ service, devices }: FirmContext, now: number): Promise<void> {
  const { store, notifier } = service.server;
  const ids = firmDevices
    .filter(({ group, away }) => group === 'Town Library' && away === undefined)
    .map(({ name }) => devices[name]!);
  advanceTo(service, now - 90 * minute);
  const rounds = startRounds(store, service.advance, notifier);
  await rounds.online(...ids);
  await rounds.pass(2 * minute);
  await rounds.offline(...ids);
  await rounds.pass(20 * minute);
  await rounds.online(...ids);
  await rounds.pass(10 * minute);
  await rounds.offline(...ids);
}
