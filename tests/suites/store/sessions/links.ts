/** Part of the store's suite: single-use links, one-time windows, and who forbids one-time links. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isFault } from '@drawbridge/contract/faults';
import { must } from '../../../kit/server/account.ts';
import { openAccount, someDigest, type StoreFixture } from '../fixture.ts';

/** Larger than any id. */
const nobody = 2 ** 52;
const week = 7 * 86_400;

export function linksSuite(fixture: () => StoreFixture): void {
  test('a link opens its target once, for one of many at the same moment', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { id: agentId } = await account.agent();
    const digest = await account.link({ agentId, video: false });

    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () => store.change('links/consume', { digest })),
    );

    assert.deepEqual(
      outcomes.filter((each) => !isFault(each)),
      [
        {
          accountId: account.accountId,
          memberId: account.owner.id,
          origin: 'api',
          agentId,
          invitationId: null,
          video: false,
        },
      ],
    );
    assert.deepEqual(await store.change('links/consume', { digest: someDigest() }), fault('not_found'));
  });

  test('a link that was not used in time is dead, and swept a while later', async () => {
    const { store, sql, advance } = fixture();
    const account = await openAccount(store);
    const [digest, fresh] = [await account.link(), await account.link({ expireTime: store.now() + 900 })];
    advance(300);

    const late = await store.change('links/consume', { digest });
    await must(store, 'links/sweep', { expiredBefore: store.now() });
    const early = await sql(`select digest from link where digest = '${digest}'`);
    await must(store, 'links/sweep', { expiredBefore: store.now() + 1 });

    assert.deepEqual(late, fault('not_found'));
    assert.equal(early.length, 1);
    assert.deepEqual(await sql(`select digest from link where digest in ('${digest}', '${fresh}')`), [
      { digest: fresh },
    ]);
  });

  test('a link can be looked at without being used, as long as it would open', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const { id: agentId } = await account.agent();
    const { id: invitationId } = await account.invitation();
    const target = {
      accountId,
      memberId: owner.id,
      origin: 'api',
      agentId: null,
      invitationId,
      video: null,
    } as const;
    const [toDevice, late, toInvitation] = [
      await account.link({ agentId }),
      await account.link(),
      someDigest(),
    ];
    await must(store, 'links/add', { ...target, digest: toInvitation, expireTime: store.now() + 900 });
    const look = (digest: string) => store.links.unused(digest, store.now());

    assert.equal((await look(toDevice))?.agentId, agentId);
    assert.equal((await look(toDevice))?.agentId, agentId);
    assert.deepEqual(await look(toInvitation), target);
    assert.equal(await look(someDigest()), undefined);
    await must(store, 'links/consume', { digest: toDevice });
    await must(store, 'invitations/happen', { accountId, id: invitationId, event: 'close', lifetime: week });
    assert.deepEqual([await look(toDevice), await look(toInvitation)], [undefined, undefined]);
    assert.notEqual(await look(late), undefined);
    advance(300);
    assert.equal(await look(late), undefined);
  });

  test('the one-time link of a window works once for each member, and again in the next window', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const { id: agentId } = await account.agent();
    const window = Math.floor(store.now() / 45);
    const [ann, bob] = [await account.member(), await account.member()];
    const use = (which: number, { id: memberId } = ann) =>
      store.change('links/consume-onetime', { accountId, agentId, memberId, window: which });

    const isUsed = () => store.links.isOnetimeUsed({ accountId, agentId, memberId: ann.id, window });

    const unused = await isUsed();
    const tries = await Promise.all(Array.from({ length: 20 }, () => use(window)));
    const used = await isUsed();
    const [ofAnother, next] = [await use(window, bob), await use(window + 1)];
    await must(store, 'links/sweep', { expiredBefore: (window + 1) * 45 });

    assert.equal(tries.filter((each) => !isFault(each)).length, 1);
    assert.deepEqual([ofAnother, next], [{}, {}]);
    assert.deepEqual([unused, used], [false, true]);
    const ofNobody = await use(window + 1, { ...ann, id: nobody });
    assert.ok(isFault(ofNobody) && ofNobody.fault === 'not_found');
    assert.deepEqual(await use(window + 1), fault('not_found'));
  });

  test('a link fails when its device is gone or its invitation is closed, also when that happens later', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const { id } = await account.invitation();
    const by = { accountId, memberId: owner.id, origin: 'api' } as const;
    const link = { ...by, video: null, expireTime: store.now() + 60 };
    const digest = someDigest();
    await must(store, 'links/add', { ...link, digest, agentId: null, invitationId: id });

    const toNoDevice = await store.change('links/add', {
      ...link,
      digest: someDigest(),
      agentId: nobody,
      invitationId: null,
    });
    await must(store, 'invitations/happen', { accountId, id, event: 'close', lifetime: week });
    const toClosed = await store.change('links/add', {
      ...link,
      digest: someDigest(),
      agentId: null,
      invitationId: id,
    });

    assert.ok(isFault(toNoDevice) && toNoDevice.fault === 'not_found');
    assert.ok(isFault(toClosed) && toClosed.code === 'connection_closed');
    assert.deepEqual(await store.change('links/consume', { digest }), fault('not_found'));
  });

  test('of device, group and account the nearest that decides about one-time links wins, in every read', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const groupId = await account.group();
    const [{ id }, { id: alone }] = [await account.agent({ groupId }), await account.agent()];
    const [session, ofAlone] = [
      await account.session({ agentId: id }),
      await account.session({ agentId: alone }),
    ];
    const isAllowed = async () => {
      const found = await store.agents.find({ accountId, memberId: owner.id }, { id });
      const [listed] = await store.agents.list({ accountId, memberId: owner.id }, { scope: 'all', groupId });
      const [validity] = await store.sessions.validity([session]);
      assert.equal(listed?.onetimeInherited, found?.onetimeInherited);
      assert.equal(validity?.agent?.onetimeAllowed, found?.onetimeAllowed);
      return found?.onetimeAllowed;
    };

    assert.equal(await isAllowed(), true);
    await must(store, 'accounts/settings', { accountId, policy: { onetime_url: 'forbid' } });
    assert.equal(await isAllowed(), false);
    assert.equal((await store.sessions.validity([ofAlone]))[0]?.agent?.onetimeAllowed, false);
    await must(store, 'groups/policy', { accountId, id: groupId, policy: { onetime_url: 'allow' } });
    assert.equal(await isAllowed(), true);
    await must(store, 'agents/policy', { accountId, id, policy: { onetime_url: 'forbid' } });
    assert.equal(await isAllowed(), false);
    await must(store, 'agents/policy', { accountId, id, policy: { onetime_url: 'inherit' } });
    await must(store, 'agents/policy', { accountId, id, policy: {} });
    assert.equal(await isAllowed(), true);
    await must(store, 'groups/remove', { accountId, id: groupId });
    assert.equal((await account.agentOf(id))?.onetimeAllowed, false);
  });
}
