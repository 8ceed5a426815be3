/** An identity provider with a group and a person, for the store with rows in every table. */
import { random } from '@drawbridge/server/edges/random';
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../../kit/server/account.ts';
import { someProvider } from '../../suites/store/fixture.ts';

export async function fillProvider(
  store: Store,
  { accountId, by, departmentId }: { accountId: number; by: number; departmentId: number },
): Promise<void> {
  const signInName = random.token();
  const { id } = await must(store, 'providers/create', { accountId, by, ...someProvider, signInName });
  const person = { subject: 'sujet', email: 'é@example.com', emailVerified: true, groups: [] };
  await must(store, 'providers/link', { accountId, memberId: by, id, person });
  await must(store, 'providers/group-add', { accountId, by, id, group: 'équipe', departmentId });
  const logout = { jti: 'é', sid: 'à', subject: undefined };
  await must(store, 'providers/logout', { accountId, id, logout, rememberUntil: store.now() + 3_600 });
}
