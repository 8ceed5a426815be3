/** What identity providers make the store do: everything that one can change, once. */
import type { MemberRef } from '@drawbridge/server/domain/people/panel';
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../../kit/server/account.ts';
import { someDigest, someProvider } from '../store/fixture.ts';

interface Exercised {
  accountId: number;
  id: number;
  memberId: number;
  signInName: string;
}

async function readAll(store: Store, { accountId, id, memberId, signInName }: Exercised): Promise<void> {
  await store.providers.list(accountId);
  await store.providers.connection(accountId, id);
  await store.providers.bySignInName(signInName);
  await store.providers.holder({ accountId, id }, 'somebody');
  await store.providers.ofMember({ accountId, memberId });
  await store.providers.ofSession(accountId, 1);
  await store.providers.onlySso(accountId);
}

/** Signs in as this person of the provider; returns their id. */
async function signInAs(
  store: Store,
  provider: { accountId: number; id: number },
  subject: string,
  ...groups: string[]
): Promise<number> {
  const person = { subject, email: `${subject}@example.org`, emailVerified: true, groups, sid: subject };
  const session = { digest: someDigest(), address: '', userAgent: '' };
  return (await must(store, 'providers/sign-in', { ...provider, person, session })).memberId;
}

export async function exerciseProvider(store: Store, { accountId, memberId: by }: MemberRef): Promise<void> {
  const signInName = 'abcde-fghjk';
  const { id } = await must(store, 'providers/create', { accountId, by, ...someProvider, signInName });
  const { id: departmentId } = await must(store, 'departments/create', {
    accountId,
    name: 'S',
    worker: false,
  });
  const mapping = { accountId, id, group: 'staff', departmentId };
  await must(store, 'providers/group-add', { ...mapping, by });
  const link = { digest: someDigest(), expireTime: store.now() + 9 };
  await must(store, 'members/invite', { accountId, email: 'invited@example.org', link });
  await signInAs(store, { accountId, id }, 'invited', 'staff');
  const memberId = await signInAs(store, { accountId, id }, 'somebody', 'staff');
  await signInAs(store, { accountId, id }, 'somebody');
  const person = { subject: 'owner', email: undefined, emailVerified: undefined, groups: [] };
  await must(store, 'providers/link', { accountId, memberId: by, id, person });
  await must(store, 'providers/require', { accountId, memberId: by, onlySso: true });
  await must(store, 'providers/require', { accountId, memberId: by, onlySso: false });
  await readAll(store, { accountId, id, memberId, signInName });
  const logout = { jti: 'a', sid: 'b', subject: 'somebody' };
  const rememberUntil = store.now() + 60;
  await must(store, 'providers/logout', { accountId, id, logout, rememberUntil });
  await store.change('providers/logout', { accountId, id, logout, rememberUntil });
  await store.change('providers/unlink', { accountId, memberId: by, id });
  await must(store, 'providers/update', {
    accountId,
    by,
    id,
    settings: { enabled: false, ca: 'x' },
    clientSecret: 's',
  });
  await must(store, 'providers/group-remove', mapping);
  await must(store, 'providers/remove', { accountId, id });
}
