/** Part of the store's suite: identity providers, and the people who sign in with them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isFault } from '@drawbridge/contract/faults';
import type { SsoPerson } from '@drawbridge/server/domain/people/provider';
import { must } from '../../../../kit/server/account.ts';
import { openAccount, someDigest, someProvider, unique, type StoreFixture } from '../../fixture.ts';

const page = { offset: 0, limit: 100 };
const missing = fault('not_found', { field: 'id' });

const somebody = (given: Partial<SsoPerson> = {}): SsoPerson => ({
  subject: unique(),
  email: `sso-${unique()}@example.com`,
  emailVerified: true,
  groups: [],
  ...given,
});

const codeOf = (result: object): string | undefined =>
  isFault(result) ? (result.code ?? result.fault) : undefined;

export function providersSuite(fixture: () => StoreFixture): void {
  const newSession = () => ({ digest: someDigest(), address: '', userAgent: '' });

  /** An account with a provider, and sign-ins with it. */
  async function withProvider(settings = {}) {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const id = await account.provider(settings);
    const signIn = (person: SsoPerson, session = newSession()) =>
      store.change('providers/sign-in', { accountId, id, person, session });
    const link = (memberId: number, person: SsoPerson) =>
      store.change('providers/link', { accountId, memberId, id, person });
    return { ...account, store, account, id, signIn, link };
  }

  test('providers are created, listed without secret, changed and removed', async () => {
    const { store, accountId, owner, id } = await withProvider();
    const other = await openAccount(store);
    const update = (input: object) =>
      store.change('providers/update', { accountId, by: owner.id, id, settings: {}, ...input });

    const changed = await update({ settings: { name: 'Firm', createPeople: false } });
    const elsewhere = await update({ settings: { ca: 'x' } });
    const known = await update({ settings: { ca: 'x' }, clientSecret: 'again' });

    assert.deepEqual([changed, known], [{}, {}]);
    assert.ok(isFault(elsewhere) && elsewhere.field === 'client_secret');
    const expected = { ...someProvider.settings, name: 'Firm', createPeople: false, ca: 'x' };
    const [listed] = await store.providers.list(accountId);
    const { signInName, ...rest } = listed!;
    assert.deepEqual(rest, { id, issuer: someProvider.issuer, ...expected, people: 0, groups: [] });
    const connection = {
      accountId,
      id,
      issuer: someProvider.issuer,
      signInName,
      clientSecret: 'again',
      ...expected,
    };
    assert.deepEqual(await store.providers.connection(accountId, id), connection);
    assert.deepEqual(await store.providers.bySignInName(signInName), connection);
    assert.equal(await store.providers.connection(other.accountId, id), undefined);
    assert.deepEqual(await update({ accountId: other.accountId }), missing);
    assert.deepEqual(await store.change('providers/remove', { accountId: other.accountId, id }), missing);
    assert.deepEqual(await store.change('providers/remove', { accountId, id }), {});
    assert.deepEqual(await store.providers.list(accountId), []);
  });

  test('an account has at most 100 providers', async () => {
    const { store, accountId, owner, account } = await withProvider();
    for (let more = 1; more < 100; more++) await account.provider();
    const input = { accountId, by: owner.id, ...someProvider, signInName: unique() };
    assert.equal(codeOf(await store.change('providers/create', input)), 'invalid');
  });

  test('a person is bound to the subject: the address may change, and nobody else gets it', async () => {
    const { store, accountId, id, owner, signIn } = await withProvider();
    const person = somebody();
    const session = newSession();
    const first = await signIn(person, session);
    const signedIn = (await store.actors.bySession(session.digest))!;
    assert.equal((await store.providers.ofSession(accountId, signedIn.session.id))?.id, id);
    const again = await signIn({ ...person, email: undefined });
    assert.deepEqual(again, first);
    assert.equal(codeOf(await signIn({ ...somebody(), email: person.email })), 'sso_email_taken');
    assert.equal(codeOf(await signIn({ ...somebody(), email: owner.email })), 'sso_email_taken');
    const holder = await store.providers.holder({ accountId, id }, person.subject);
    assert.equal(holder?.email, person.email);
  });

  test('a provider that adds nobody, or is disabled, lets nobody new in', async () => {
    const { store, accountId, id, owner, signIn } = await withProvider({ createPeople: false, adopt: false });
    assert.equal(codeOf(await signIn(somebody())), 'sso_unknown_person');
    const off = { accountId, by: owner.id, id, settings: { enabled: false } };
    await must(store, 'providers/update', off);
    assert.equal(codeOf(await signIn(somebody())), 'sso_off');
  });

  test('departments follow groups, and a person who set a mapping gains nothing by it', async () => {
    const { store, accountId, account, owner, id, signIn, link } = await withProvider();
    const departmentId = await account.department();
    const group = { accountId, id, group: 'staff', departmentId };
    assert.deepEqual(await store.change('providers/group-add', { ...group, by: owner.id }), {});
    const person = somebody({ groups: ['staff'] });
    await signIn(person);
    const members = async () =>
      (await store.departments.find(accountId, departmentId))!.members.map(({ email }) => email);
    assert.deepEqual(await members(), [person.email]);
    await signIn({ ...person, groups: ['Staff'] });
    assert.deepEqual(await members(), []);

    const admin = await account.member();
    await must(store, 'providers/group-add', { ...group, by: admin.id });
    const { id: agentId } = await account.agent();
    await account.grant({ departmentId }, await account.role('agent', ['agent_connect']), { agentId });
    const own = somebody({ groups: ['staff'] });
    assert.deepEqual(await link(admin.id, own), {});
    await signIn(own);
    assert.deepEqual(await members(), [], 'the admin does not join by their own mapping');
    await account.grant({ departmentId }, await account.role('team', ['team_api_key']));
    await signIn(person);
    assert.deepEqual(await members(), [], 'nobody receives what the admin could not give');
    const refused = await store.change('providers/group-add', { ...group, by: admin.id });
    assert.equal(codeOf(refused), 'beyond_own_rights');
    assert.deepEqual(await store.change('providers/group-remove', group), {});
    const gone = fault('not_found', { field: 'group' });
    assert.deepEqual(await store.change('providers/group-remove', group), gone);
  });

  test('groups are mapped to departments of the account that no directory decides', async () => {
    const { store, accountId, owner, id, account } = await withProvider();
    const other = await openAccount(store);
    const add = (departmentId: number, group = 'g') =>
      store.change('providers/group-add', { accountId, by: owner.id, id, group, departmentId });
    assert.deepEqual(await add(await other.department()), fault('not_found', { field: 'department_id' }));
    const department = await account.department();
    await fixture().sql(`update department set ldap = 1 where id = ${department}`);
    assert.equal(codeOf(await add(department)), 'from_directory');
    const foreign = {
      accountId: other.accountId,
      by: other.owner.id,
      id,
      group: 'g',
      departmentId: department,
    };
    assert.deepEqual(await store.change('providers/group-add', foreign), missing);
  });

  test('a disabled person is refused; somebody with an authenticator app is asked for its code', async () => {
    const { store, accountId, signIn } = await withProvider();
    const person = somebody();
    const signedIn = await signIn(person);
    assert.ok(!isFault(signedIn) && !signedIn.asksForCode);
    const { memberId } = signedIn;
    await fixture().sql(
      `insert into totp (account_id, member_id, secret, confirm_time) values (${accountId}, ${memberId}, 's', 1)`,
    );
    const session = newSession();
    assert.deepEqual(await signIn(person, session), { memberId, asksForCode: true });
    assert.equal(await store.actors.bySession(session.digest), undefined);
    await fixture().sql(`update member set disabled = 1 where id = ${memberId}`);
    assert.equal(codeOf(await signIn(person)), 'sso_disabled');
  });

  test('an identity belongs to one person, and the last method stays', async () => {
    const { store, accountId, account, owner, id, signIn, link } = await withProvider();
    const person = somebody();
    const signedIn = await signIn(person);
    assert.ok(!isFault(signedIn));
    assert.equal(codeOf(await link(owner.id, person)), 'sso_taken');
    assert.deepEqual(await link(owner.id, somebody()), {});
    assert.equal(codeOf(await link(owner.id, somebody())), 'sso_linked');
    const own = { accountId, memberId: owner.id };
    assert.equal((await store.providers.ofMember(own))[0]?.identity !== undefined, true);
    const unlink = (memberId: number, provider = id) =>
      store.change('providers/unlink', { accountId, memberId, id: provider });
    assert.equal(codeOf(await unlink(signedIn.memberId)), 'last_way_in');
    await fixture().sql(`update member set password = 'hash' where id = ${owner.id}`);
    assert.deepEqual(await unlink(owner.id), {});
    assert.deepEqual(await unlink(owner.id), missing);
    const gone = await store.change('providers/link', {
      ...own,
      id: await account.group(),
      person: somebody(),
    });
    assert.deepEqual(gone, missing);
  });

  test('where only single sign-on counts, other methods are refused, and the last provider stays', async () => {
    const { store, accountId, account, owner, id, signIn, link } = await withProvider();
    const memberRef = { accountId, memberId: owner.id };
    const require = (onlySso: boolean) => store.change('providers/require', { ...memberRef, onlySso });
    assert.equal(codeOf(await require(true)), 'sso_unused');
    await link(owner.id, somebody());
    const colleague = await account.member();
    const before = newSession();
    await must(store, 'panel/sessions/open', { accountId, memberId: colleague.id, session: before });
    assert.deepEqual(await require(true), {});
    assert.equal(await store.providers.onlySso(accountId), true);
    assert.equal(await store.actors.bySession(before.digest), undefined);
    const open = (memberId: number, providerId?: number) =>
      store.change('panel/sessions/open', { accountId, memberId, session: { ...newSession(), providerId } });
    assert.equal(codeOf(await open(colleague.id)), 'sso_only');
    assert.equal(codeOf(await open(owner.id)), 'sso_only');
    assert.ok('id' in (await open(owner.id, id)));
    const linkFor = async ({ email }: { email: string }) => {
      const digest = someDigest();
      const expireTime = store.now() + 60;
      await fixture().sql(`update member set state = 'active' where email = '${email}'`);
      await must(store, 'members/reset', { accountId, email, link: { digest, expireTime }, forget: false });
      return store.change('members/sign-in', { digest, session: newSession() });
    };
    assert.equal(codeOf(await linkFor(colleague)), 'sso_only');
    assert.deepEqual(await linkFor(owner), memberRef);
    assert.equal(codeOf(await store.change('providers/remove', { accountId, id })), 'sso_only');
    const off = { accountId, by: owner.id, id, settings: { enabled: false } };
    assert.equal(codeOf(await store.change('providers/update', off)), 'sso_only');
    const session = newSession();
    await signIn(somebody(), session);
    assert.deepEqual(await require(false), {});
    await must(store, 'providers/update', off);
    assert.equal(await store.actors.bySession(session.digest), undefined, 'disabling ends its sessions');
    assert.equal((await store.members.list(accountId, page)).members.length, 3);
  });
}
