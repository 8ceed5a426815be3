/**
 * What people at the panel make the store do that no operation of the API does: each change and read once.
 */
import type { MemberRef } from '@drawbridge/server/domain/people/panel';
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../../kit/server/account.ts';

export async function exercisePanel(store: Store, memberRef: MemberRef, email: string): Promise<void> {
  const { accountId } = memberRef;
  const session = { digest: 'cookie', address: '', userAgent: '', instead: 'another' };
  await must(store, 'members/password', { ...memberRef, password: 'hash', keep: 0 });
  const { id } = await must(store, 'panel/sessions/open', { ...memberRef, session, password: 'hash' });
  await store.actors.bySession('cookie');
  await must(store, 'panel/sessions/seen', { accountId, id });
  await must(store, 'panel/sessions/renew', { accountId, id, digest: 'renewed', instead: 'cookie' });
  await store.panel.sessions(memberRef);
  await must(store, 'panel/sessions/end', { ...memberRef, id });
  await must(store, 'panel/sessions/end-all', memberRef);
  const step = {
    digest: 'step',
    kind: 'code',
    challenge: '',
    tries: 2,
    expireTime: store.now() + 9,
  } as const;
  await must(store, 'panel/steps/begin', { ...step, members: [memberRef] });
  await must(store, 'panel/steps/try', { digest: 'step', kind: 'code' });
  await must(store, 'panel/steps/take', { digest: 'step', kind: 'code' });
  await store.panel.byEmail(email);
  await store.panel.byLink('-');
  await store.panel.find(memberRef);
  await store.panel.knownAt([memberRef], { address: '', now: store.now() });
  await store.panel.factors(memberRef);
  await useAllFactors(store, memberRef);
  const link = { digest: 'way back', expireTime: store.now() + 9 };
  await must(store, 'members/reset', { accountId, by: memberRef.memberId, email, link, forget: true });
}

async function useAllFactors(store: Store, memberRef: MemberRef): Promise<void> {
  const { accountId } = memberRef;
  const recovery = ['code'];
  await must(store, 'factors/totp/begin', { ...memberRef, secret: 'secret' });
  await store.factors.totp(memberRef);
  await must(store, 'factors/totp/confirm', { ...memberRef, secret: 'secret', step: 1, recovery });
  await must(store, 'factors/totp/use', { ...memberRef, step: 2 });
  await must(store, 'factors/recovery/renew', { ...memberRef, recovery });
  await must(store, 'factors/recovery/use', { ...memberRef, digest: 'code' });
  await must(store, 'factors/totp/remove', memberRef);
  const passkey = { credential: 'c', publicKey: 'k', counter: 1, transports: [], name: 'phone' };
  const { id } = await must(store, 'factors/passkey/add', { ...memberRef, ...passkey });
  await store.factors.passkey('c');
  await store.factors.passkeys(memberRef);
  await must(store, 'factors/passkey/used', { accountId, id, counter: 2 });
  await must(store, 'factors/passkey/remove', { ...memberRef, id });
}

/** And the server's administrators. */
export async function exerciseServer(store: Store, { accountId, memberId }: MemberRef): Promise<void> {
  const operator = { member: { accountId, id: memberId } };
  await must(store, 'operators/add', operator);
  await store.members.operators();
  await store.members.addresses(accountId, [memberId]);
  await must(store, 'members/name', { accountId, memberId, name: 'Ann' });
  await store.members.names(accountId, ['ann@example.com']);
  await store.invitations.clientNames(accountId, [1]);
  await store.accounts.firstSteps(accountId);
  await must(store, 'operators/remove', { ...operator, evenLast: false });
  await store.accounts.listUsage({ search: 'owner', offset: 0, limit: 5, now: store.now() });
  await store.accounts.exists(accountId);
  await store.brands.ofServer();
}
