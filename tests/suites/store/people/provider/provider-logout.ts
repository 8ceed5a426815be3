/** Part of the store's suite: what identity providers end by a back-channel logout. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import type { SsoPerson } from '@drawbridge/server/domain/people/provider';
import { must } from '../../../../kit/server/account.ts';
import { openAccount, someDigest, unique, type StoreFixture } from '../../fixture.ts';

const codeOf = (result: object): string | undefined =>
  isFault(result) ? (result.code ?? result.fault) : undefined;

export function providerLogoutSuite(fixture: () => StoreFixture): void {
  test('a logout ends panel sessions, unused links and connections of a sign-in, or of all of a person, once', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const id = await account.provider();
    const subject = unique();
    const person = { subject, email: `${subject}@example.com`, emailVerified: true, groups: [] };
    const newSession = () => ({ digest: someDigest(), address: '', userAgent: '' });
    const signIn = (as: SsoPerson, session = newSession()) =>
      store.change('providers/sign-in', { accountId, id, person: as, session });
    const [first, second, unnamed] = [newSession(), newSession(), newSession()];
    const { memberId } = (await signIn({ ...person, sid: 'one' }, first)) as { memberId: number };
    await signIn({ ...person, sid: 'two' }, second);
    await signIn(person, unnamed);
    const agentId = (await account.agent()).id;
    const of = (sid: string) => ({ memberId, agentId, signIn: { providerId: id, sid } });
    const opening = { origin: 'api', permissions: [], secretDigest: '', record: false } as const;
    const [one, two] = [
      await account.session({ ...of('one'), opening }),
      await account.session({ ...of('two'), opening }),
    ];
    const digest = someDigest();
    const link = { accountId, origin: 'api', invitationId: null, video: null, ...of('one') } as const;
    await must(store, 'links/add', { ...link, digest, expireTime: store.now() + 60 });
    const logout = (given: object) =>
      store.change('providers/logout', {
        accountId,
        id,
        logout: { jti: unique(), sid: undefined, subject: undefined, ...given },
        rememberUntil: store.now() + 60,
      });
    const signedIn = async () =>
      Promise.all(
        [first, second, unnamed].map(async (each) => !!(await store.actors.bySession(each.digest))),
      );
    const actor = (await store.actors.bySession(first.digest))?.actor;

    const ended = await logout({ jti: 'a', sid: 'one' });
    const again = await logout({ jti: 'a', sid: 'two' });

    assert.deepEqual(actor?.signIn, { providerId: id, sid: 'one' });
    assert.deepEqual(ended, { ended: [{ accountId, id: one, invitationId: null }] });
    assert.equal(codeOf(again), 'sso_logout_used');
    assert.deepEqual(await signedIn(), [false, true, true]);
    assert.equal(codeOf(await store.change('links/consume', { digest })), 'not_found');
    const resumed = await store.change('sessions/resume', { accountId, id: one, permissions: [] });
    assert.equal(codeOf(resumed), 'not_found');
    assert.equal(codeOf(await signIn({ ...person, sid: 'one' })), 'sso_logged_out');
    assert.deepEqual(await logout({ subject: 'nobody' }), { ended: [] });
    assert.deepEqual(await logout({ sid: 'three', subject: person.subject }), { ended: [] });
    assert.deepEqual(await signedIn(), [false, true, false]);
    const all = await logout({ subject: person.subject });
    assert.deepEqual(all, { ended: [{ accountId, id: two, invitationId: null }] });
    assert.deepEqual(await signedIn(), [false, false, false]);
  });

  test('a logout of a person stops what they began before, and nothing that they begin later', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const [id, other] = [await account.provider(), await account.provider()];
    const subject = unique();
    const person = { subject, email: `${subject}@example.com`, emailVerified: true, groups: [], sid: 'one' };
    const session = (begun: number) => ({ digest: someDigest(), address: '', userAgent: '', begun });
    const signIn = (begun: number) =>
      store.change('providers/sign-in', { accountId, id, person, session: session(begun) });
    const { memberId } = (await signIn(store.now())) as { memberId: number };
    // As after the code of an authenticator app.
    const open = async (begun: number, providerId: number) =>
      codeOf(
        await store.change('panel/sessions/open', {
          accountId,
          memberId,
          session: { ...session(begun), providerId },
        }),
      );
    const before = store.now();
    advance(5);
    const logout = { jti: unique(), sid: undefined, subject };
    await must(store, 'providers/logout', { accountId, id, logout, rememberUntil: store.now() + 60 });

    assert.equal(codeOf(await signIn(before)), 'sso_logged_out');
    assert.equal(await open(before, id), 'sso_only');
    assert.equal(await open(before, other), undefined);
    assert.equal(codeOf(await signIn(store.now())), 'sso_logged_out', 'begun in the second of the logout');
    assert.equal(await open(store.now(), id), 'sso_only');
    advance(1);
    assert.equal(codeOf(await signIn(store.now())), undefined);
    assert.equal(await open(store.now(), id), undefined);
  });
}
