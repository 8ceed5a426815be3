/** Part of the store's suite: who may change an identity provider that others depend on, and that nobody is locked out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import type { ChangedProvider, SsoPerson } from '@drawbridge/server/domain/people/provider';
import { must } from '../../../../kit/server/account.ts';
import { openAccount, someDigest, someProvider, unique, type StoreFixture } from '../../fixture.ts';

const somebody = (groups: readonly string[] = []): SsoPerson => ({
  subject: unique(),
  email: `sso-${unique()}@example.com`,
  emailVerified: true,
  groups,
});

/** Which field a change is refused for. */
const refusedField = (result: object): string | undefined => (isFault(result) ? result.field : undefined);

const codeOf = (result: object): string | undefined =>
  isFault(result) ? (result.code ?? result.fault) : undefined;

/** What decides who people are at the provider, and to which groups they belong. */
const identitySettings: readonly (readonly [field: string, settings: ChangedProvider])[] = [
  ['ca_cert', { ca: 'y' }],
  ['client_id', { clientId: 'another application' }],
  ['scopes', { scopes: 'openid email nickname' }],
  ['groups_claim', { groupsClaim: 'nickname' }],
];

/** What lets in more people. */
const openings: readonly (readonly [field: string, settings: ChangedProvider])[] = [
  ['create_people', { createPeople: true }],
  ['adopt', { adopt: true }],
];

export function providerGuardsSuite(fixture: () => StoreFixture): void {
  /** An account with a closed provider of the owner, and a person who is not the owner. */
  async function withProvider() {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const admin = await account.member();
    const id = await account.provider({ createPeople: false, adopt: false });
    const update = (by: number, settings: ChangedProvider, clientSecret = someProvider.clientSecret) =>
      store.change('providers/update', { accountId, by, id, clientSecret, settings });
    const link = (memberId: number, provider = id, person = somebody()) =>
      store.change('providers/link', { accountId, memberId, id: provider, person });
    const require = (memberId: number, onlySso: boolean) =>
      store.change('providers/require', { accountId, memberId, onlySso });
    return { store, account, accountId, owner, admin, id, update, link, require };
  }

  test('only the owner changes what decides who people are, once others sign in with the provider', async () => {
    const { owner, admin, update, link } = await withProvider();
    for (const [, settings] of [...identitySettings, ...openings])
      assert.deepEqual(await update(admin.id, settings), {}, 'nobody depends on it');
    for (const settings of [someProvider.settings, { enabled: false }, { enabled: true }])
      assert.deepEqual(await update(admin.id, settings), {});
    assert.deepEqual(await link(admin.id), {});
    assert.deepEqual(await update(admin.id, { groupsClaim: 'roles' }), {}, 'they are the only one');
    assert.deepEqual(await update(owner.id, { groupsClaim: 'groups' }), {});
    assert.deepEqual(await link(owner.id), {});

    for (const [field, settings] of identitySettings) {
      assert.equal(refusedField(await update(admin.id, settings)), field);
      assert.deepEqual(await update(owner.id, settings), {});
    }
    assert.deepEqual(await update(admin.id, { name: 'Firm', enabled: false }, 'a new secret'), {});
    assert.equal(refusedField(await update(admin.id, { enabled: true })), 'enabled');
    assert.deepEqual(await update(owner.id, { enabled: true }), {});
  });

  test('only the owner changes to whom groups that others mapped give something', async () => {
    const { store, account, accountId, owner, admin, id, update } = await withProvider();
    const departmentId = await account.department();
    const mapping = { accountId, id, group: 'staff', departmentId };
    await must(store, 'providers/group-add', { ...mapping, by: admin.id });
    assert.deepEqual(await update(admin.id, { groupsClaim: 'roles' }), {}, 'their own mapping');
    await must(store, 'providers/group-add', { ...mapping, by: owner.id });
    await account.grant({ departmentId }, await account.role('team', ['team_api_key']));

    for (const [field, settings] of [...identitySettings, ...openings])
      assert.equal(refusedField(await update(admin.id, settings)), field);
    await must(store, 'providers/remove', { accountId, id });
    const created = { accountId, by: admin.id, ...someProvider, signInName: unique() };
    const again = await must(store, 'providers/create', created);
    const refused = await store.change('providers/group-add', { ...mapping, ...again, by: admin.id });
    assert.equal(codeOf(refused), 'beyond_own_rights');
    const session = { digest: someDigest(), address: '', userAgent: '' };
    await must(store, 'providers/sign-in', { accountId, ...again, person: somebody(['staff']), session });
    assert.deepEqual((await store.departments.find(accountId, departmentId))!.members, []);
  });

  test('nobody connects a provider of somebody with fewer rights, until the owner saves it', async () => {
    const { store, account, accountId, owner, admin, link } = await withProvider();
    const colleague = await account.member();
    await account.grant({ email: colleague.email }, await account.role('team', ['team_api_key']));
    const created = { accountId, by: admin.id, ...someProvider, signInName: unique() };
    const { id } = await must(store, 'providers/create', created);
    const save = (by: number, settings: ChangedProvider) =>
      must(store, 'providers/update', { accountId, by, id, settings });

    const isVouched = (memberId: number, of = id) => store.providers.isVouched({ accountId, memberId }, of);
    assert.deepEqual(await Promise.all([owner.id, colleague.id, admin.id].map((each) => isVouched(each))), [
      false,
      false,
      true,
    ]);
    assert.equal(await isVouched(admin.id, 999_999), false);
    assert.equal(codeOf(await link(owner.id, id)), 'sso_unvouched');
    assert.equal(codeOf(await link(colleague.id, id)), 'sso_unvouched');
    assert.deepEqual(await link(admin.id, id), {});
    await save(owner.id, {});
    await save(admin.id, { name: 'Firm' });
    assert.deepEqual(await link(colleague.id, id), {}, 'another name changes nothing');
    assert.equal(await isVouched(owner.id), true);
    assert.deepEqual(await link(owner.id, id), {});
  });

  test('only the owner requires single sign-on, and keeps a provider to sign in with', async () => {
    const { store, account, accountId, owner, admin, id, update, link, require } = await withProvider();
    const other = await account.provider();
    const remove = (provider: number) => store.change('providers/remove', { accountId, id: provider });
    const unlink = () => store.change('providers/unlink', { accountId, memberId: owner.id, id });
    await link(admin.id);
    assert.equal(refusedField(await require(admin.id, true)), 'only_sso');
    assert.deepEqual(await require(admin.id, false), {}, 'it is not required');
    await link(owner.id);
    assert.deepEqual(await require(owner.id, true), {});

    assert.equal(refusedField(await require(admin.id, false)), 'only_sso');
    assert.equal(refusedField(await update(owner.id, { enabled: false })), 'enabled');
    assert.equal(codeOf(await remove(id)), 'sso_only', 'the owner does not use the other provider');
    assert.equal(refusedField(await update(admin.id, {}, 'another secret')), 'client_secret');
    await link(owner.id, other);
    assert.deepEqual(await update(admin.id, { enabled: false }), {}, 'the owner has the other one');
    const last = await store.change('providers/unlink', { accountId, memberId: owner.id, id: other });
    assert.equal(codeOf(last), 'last_way_in', 'a disabled provider is no way in');
    assert.equal(codeOf(await remove(other)), 'sso_only');
    assert.deepEqual(await update(admin.id, { name: 'Firm' }), {});
    assert.deepEqual([await unlink(), await remove(id)], [{}, {}]);
  });
}
