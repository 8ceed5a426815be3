/** What people at the panel make the store do that no operation of the API does: each change and read once. */
import type { Whose } from '@drawbridge/server/domain/panel';
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../kit/account.ts';

export async function useAllOfPanel(store: Store, whose: Whose, email: string): Promise<void> {
  const { accountId } = whose;
  const session = { digest: 'cookie', address: '', userAgent: '', instead: 'another' };
  await must(store, 'members/password', { ...whose, password: 'hash', keep: 0 });
  const { id } = await must(store, 'panel/sessions/open', { ...whose, session, password: 'hash' });
  await store.actors.bySession('cookie');
  await must(store, 'panel/sessions/seen', { accountId, id });
  await must(store, 'panel/sessions/renew', { accountId, id, digest: 'renewed', instead: 'cookie' });
  await store.panel.sessions(whose);
  await must(store, 'panel/sessions/end', { ...whose, id });
  await must(store, 'panel/sessions/end-all', whose);
  const step = {
    digest: 'step',
    kind: 'code',
    challenge: '',
    tries: 2,
    expireTime: store.now() + 9,
  } as const;
  await must(store, 'panel/steps/begin', { ...step, whose: [whose] });
  await must(store, 'panel/steps/try', { digest: 'step', kind: 'code' });
  await must(store, 'panel/steps/take', { digest: 'step', kind: 'code' });
  await store.panel.byEmail(email);
  await store.panel.byLink('-');
  await store.panel.find(whose);
  await store.panel.knownAt([whose], { address: '', now: store.now() });
  await store.panel.factors(whose);
  await useAllFactors(store, whose);
  const link = { digest: 'way back', expireTime: store.now() + 9 };
  await must(store, 'members/reset', { accountId, by: whose.memberId, email, link, forget: true });
}

async function useAllFactors(store: Store, whose: Whose): Promise<void> {
  const { accountId } = whose;
  const recovery = ['code'];
  await must(store, 'factors/totp/begin', { ...whose, secret: 'secret' });
  await store.factors.totp(whose);
  await must(store, 'factors/totp/confirm', { ...whose, secret: 'secret', step: 1, recovery });
  await must(store, 'factors/totp/use', { ...whose, step: 2 });
  await must(store, 'factors/recovery/renew', { ...whose, recovery });
  await must(store, 'factors/recovery/use', { ...whose, digest: 'code' });
  await must(store, 'factors/totp/remove', whose);
  const passkey = { credential: 'c', publicKey: 'k', counter: 1, transports: [], name: 'phone' };
  const { id } = await must(store, 'factors/passkey/add', { ...whose, ...passkey });
  await store.factors.passkey('c');
  await store.factors.passkeys(whose);
  await must(store, 'factors/passkey/used', { accountId, id, counter: 2 });
  await must(store, 'factors/passkey/remove', { ...whose, id });
}

/** And those who look after the server. */
export async function useAllOfServer(store: Store, { accountId, memberId }: Whose): Promise<void> {
  const operator = { member: { accountId, id: memberId } };
  await must(store, 'operators/add', operator);
  await store.members.operators();
  await store.members.addresses(accountId, [memberId]);
  await must(store, 'operators/remove', { ...operator, evenLast: false });
  await store.accounts.inUse({ search: 'owner', offset: 0, limit: 5, now: store.now() });
  await store.accounts.exists(accountId);
  await store.brands.ofServer();
}
