/** Part of the store's suite: tokens, devices that enrol with them and approval. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isFault } from '@drawbridge/contract/faults';
import type { ChangeInput } from '@drawbridge/server/store/changes';
import { must } from '../../../kit/server/account.ts';
import { arrival, openAccount, someDigest, type StoreAccount, type StoreFixture } from '../fixture.ts';
import { newcomer } from '../newcomer.ts';

/** Larger than any id. */
const nobody = 2 ** 52;

const initialSettings = { approveDevices: false, record: false, policy: {} };

export function enrolSuite(fixture: () => StoreFixture): void {
  const join = (token: string) => fixture().store.change('enroll/join', newcomer(token));

  const tokenOf = async (
    { accountId, owner }: StoreAccount,
    given: Partial<ChangeInput<'enroll/create'>> = {},
  ): Promise<{ id: number; digest: string }> => {
    const { store } = fixture();
    const token = { digest: someDigest(), groupId: null, uses: 1, expireTime: store.now() + 60, ...given };
    const { id } = await must(store, 'enroll/create', { accountId, memberId: owner.id, ...token });
    return { id, digest: token.digest };
  };

  test('a device enrols in the account and the group of its token, and is known by its key from then on', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const groupId = await account.group('Desks');
    const { digest } = await tokenOf(account, { groupId });
    const device = newcomer(digest);

    const joined = await must(store, 'enroll/join', device);

    const { accountId } = account;
    const agent = await account.agentOf(joined.id);
    assert.deepEqual(joined, { id: joined.id, deviceId: device.deviceIds[0], accountId });
    assert.deepEqual(
      [agent?.name, agent?.os, agent?.groupId, agent?.approved, agent?.geo],
      ['laptop', 'linux', groupId, true, arrival.geo],
    );
    assert.deepEqual(await store.deviceIdentity.byKey(device.publicKey), joined);
    assert.deepEqual(await store.deviceIdentity.byId(joined.id), joined);
    assert.deepEqual(
      [await store.deviceIdentity.byKey('nobody’s'), await store.deviceIdentity.byId(nobody)],
      [undefined, undefined],
    );
  });

  test('a device without a name is called a device', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { digest } = await tokenOf(account);

    const { id } = await must(store, 'enroll/join', {
      ...newcomer(digest),
      facts: { ...arrival.facts, name: '' },
    });

    assert.equal((await account.agentOf(id))?.name, 'device');
  });

  test('of many devices that use one token at the same moment as many enrol as it allows', async () => {
    const account = await openAccount(fixture().store);
    const { digest } = await tokenOf(account, { uses: 3 });

    const outcomes = await Promise.all(Array.from({ length: 8 }, () => join(digest)));

    assert.equal(outcomes.filter((each) => !isFault(each)).length, 3);
    for (const refused of outcomes.filter(isFault)) assert.deepEqual(refused, fault('not_found'));
    assert.deepEqual(
      await fixture().store.deviceIdentity.enrolments(account.accountId, fixture().store.now()),
      [],
    );
  });

  test('a token that is expired, revoked or unknown lets nobody enrol', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const [late, revoked] = [await tokenOf(account), await tokenOf(account)];
    await must(store, 'enroll/revoke', { accountId: account.accountId, id: revoked.id });
    advance(60);

    for (const digest of [late.digest, revoked.digest, 'never was'])
      assert.deepEqual(await join(digest), fault('not_found'));
    assert.deepEqual(
      await store.agents.list({ ...account, memberId: account.owner.id }, { scope: 'all' }),
      [],
    );
  });

  test('a token works while its creator may create tokens, and again when they may again', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const role = await account.role('team', ['team_permanent_access']);
    const tech = await account.member();
    const department = await account.department();
    const listed = async () =>
      (await store.deviceIdentity.enrolments(accountId, store.now())).map(({ email, active }) => [
        email,
        active,
      ]);
    const token = await tokenOf(account, { memberId: tech.id, uses: 5 });
    const bare = await join(token.digest);
    assert.deepEqual([bare, await listed()], [fault('not_found'), [[tech.email, false]]]);

    await account.grant({ departmentId: department }, role);
    await account.join(department, tech);
    assert.ok(!isFault(await join(token.digest)));
    assert.deepEqual(await listed(), [[tech.email, true]]);

    const membership = { accountId, id: department, email: tech.email };
    await must(store, 'departments/member-remove', membership);
    assert.deepEqual([await join(token.digest), await listed()], [fault('not_found'), [[tech.email, false]]]);

    await account.join(department, tech);
    assert.ok(!isFault(await join(token.digest)));
    const [left] = await store.deviceIdentity.enrolments(accountId, store.now());
    assert.equal(left?.usesLeft, 3, 'what was refused has used nothing up');

    await must(store, 'members/remove', { accountId, email: tech.email });
    assert.deepEqual([await join(token.digest), await listed()], [fault('not_found'), []]);
  });

  test('of devices that enrol while the permission is removed, none enrols after that', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const role = await account.role('team', ['team_permanent_access']);
    const tech = await account.member();
    await account.grant({ email: tech.email }, role);
    const { digest } = await tokenOf(account, { memberId: tech.id, uses: 100 });
    const count = async () =>
      (await store.agents.list({ ...account, memberId: account.owner.id }, { scope: 'all' })).length;
    const joins = Array.from({ length: 20 }, () => join(digest));

    const grant = { accountId: account.accountId, by: account.owner.id, roleId: role };
    await must(store, 'access/remove', { ...grant, holder: { email: tech.email } });
    const joined = await count();
    const outcomes = await Promise.all(joins);

    assert.equal(await count(), joined);
    assert.equal(outcomes.filter((each) => !isFault(each)).length, joined);
    assert.deepEqual(await join(digest), fault('not_found'));
  });

  test('the tokens with which devices can still enrol are listed, and no others', async () => {
    const { store, advance } = fixture();
    const [account, other] = [await openAccount(store), await openAccount(store)];
    const { accountId } = account;
    const born = store.now();
    const groupId = await account.group();
    const used = await tokenOf(account);
    const open = await tokenOf(account, { uses: 2, groupId, expireTime: born + 100 });
    await tokenOf(account);
    const gone = await tokenOf(account, { expireTime: born + 100 });
    await tokenOf(other, { expireTime: born + 100 });
    for (const { digest } of [used, open]) await join(digest);
    await must(store, 'enroll/revoke', { accountId, id: gone.id });
    advance(60);

    assert.deepEqual(await store.deviceIdentity.enrolments(accountId, store.now()), [
      {
        id: open.id,
        email: account.owner.email,
        groupId,
        uses: 2,
        usesLeft: 1,
        createTime: born,
        expireTime: born + 100,
        active: true,
      },
    ]);
  });

  test('a token is not created for a missing group, and not revoked twice or by another account', async () => {
    const { store } = fixture();
    const [ours, theirs] = [await openAccount(store), await openAccount(store)];
    const { accountId, owner } = ours;
    const [alien, theirToken] = [await theirs.group(), await tokenOf(theirs)];
    const { id } = await tokenOf(ours);
    await must(store, 'enroll/revoke', { accountId, id });

    for (const groupId of [nobody, alien]) {
      const token = { digest: someDigest(), groupId, uses: 1, expireTime: store.now() + 60 };
      const refused = await store.change('enroll/create', { accountId, memberId: owner.id, ...token });
      assert.deepEqual(refused, fault('not_found', { field: 'group_id' }));
    }
    for (const each of [id, nobody, theirToken.id])
      assert.deepEqual(
        await store.change('enroll/revoke', { accountId, id: each }),
        fault('not_found', { field: 'id' }),
      );
    assert.ok(!isFault(await join(theirToken.digest)));
  });

  test('if the account requires it a new device waits until it is approved', async () => {
    const { store } = fixture();
    const [account, other] = [await openAccount(store), await openAccount(store)];
    const { accountId } = account;
    assert.deepEqual(await store.accounts.settings(accountId), initialSettings);
    await must(store, 'accounts/settings', { accountId, approveDevices: true });
    const { digest } = await tokenOf(account);
    const { id, deviceId } = await must(store, 'enroll/join', newcomer(digest));

    assert.deepEqual(await store.deviceIdentity.pending(accountId), [
      { id, deviceId, name: 'laptop', os: 'linux', ip: arrival.geo.ip, linkTime: store.now() },
    ]);
    assert.equal((await account.agentOf(id))?.approved, false);
    const byOther = await store.change('devices/approve', { accountId: other.accountId, id });
    assert.deepEqual(byOther, fault('not_found'));
    assert.equal((await store.deviceIdentity.pending(accountId)).length, 1);

    await must(store, 'devices/approve', { accountId, id });

    assert.deepEqual(await store.deviceIdentity.pending(accountId), []);
    assert.equal((await account.agentOf(id))?.approved, true);
  });

  test('of the settings of an account only what is sent changes, and nothing of other accounts', async () => {
    const { store } = fixture();
    const [{ accountId }, other] = [await openAccount(store), await openAccount(store)];
    const settings = () => store.accounts.settings(accountId);
    const forbidden = { onetime_url: 'forbid' };

    await must(store, 'accounts/settings', { accountId, record: true });
    assert.deepEqual(await settings(), { ...initialSettings, record: true });
    await must(store, 'accounts/settings', { accountId, approveDevices: true });
    await must(store, 'accounts/settings', { accountId, policy: { onetime_url: 'forbid' } });
    await must(store, 'accounts/settings', { accountId });
    assert.deepEqual(await settings(), { approveDevices: true, record: true, policy: forbidden });
    await must(store, 'accounts/settings', { accountId, record: false, approveDevices: false });
    assert.deepEqual(await settings(), { approveDevices: false, record: false, policy: forbidden });
    assert.deepEqual(await store.accounts.settings(other.accountId), initialSettings);
  });
}
