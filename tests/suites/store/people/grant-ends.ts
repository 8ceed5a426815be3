/** Part of the store's suite: grants with an end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { devicePermissions } from '@drawbridge/server/domain/sessions/sessions';
import { must } from '../../../kit/server/account.ts';
import { newApiKey, someDigest, type StoreFixture } from '../fixture.ts';
import { askingAccount, codeOf } from './request-fixture.ts';

export function grantEndsSuite(fixture: () => StoreFixture): void {
  test('a grant with an end gives nothing from its end on, to keys, panel sessions, lists and links', async () => {
    const { store, advance } = fixture();
    const { accountId, owner, agentId, ann, roleId, ...account } = await askingAccount(fixture());
    const memberRef = { accountId, memberId: ann.id };
    const key = newApiKey();
    const session = { digest: someDigest(), address: '', userAgent: '' };
    await must(store, 'keys/create', { ...memberRef, key });
    const { id: panelId } = await must(store, 'panel/sessions/open', { ...memberRef, session });
    const running = await account.session({ memberId: ann.id, agentId });
    const until = store.now() + 60;
    const grant = { accountId, by: owner.id, holder: { email: ann.email }, roleId, agentId };
    const read = async () => [
      (await store.actors.byKey(key.digest))!.actor.grants.length,
      (await store.actors.bySession(session.digest))!.actor.grants.length,
      (await store.actors.byEmail(accountId, ann.email))!.grants.length,
      (await store.access.ofMember(accountId, ann.id)).length,
      (await store.access.all(accountId, { email: ann.email })).length,
      (await store.access.counts(accountId, 'role_id')).get(roleId) ?? 0,
      (await store.access.holders(accountId, { id: agentId, groupId: null })).at(-1)!.grants.length,
    ];
    const versions = async () => [
      (await store.actors.byKey(key.digest))!.rightsVersion,
      (await store.actors.bySession(session.digest))!.rightsVersion,
      (await store.visibility.signedIn([panelId]))[0]!.rightsVersion,
      (await store.sessions.validity([running]))[0]!.rightsVersion,
    ];

    await must(store, 'access/add', { ...grant, until });
    const [granted, before] = [await read(), await versions()];
    advance(59);
    const last = await read();
    advance(1);
    const [ended, after] = [await read(), await versions()];
    await must(store, 'requests/sweep', { createdBefore: 0 });
    const [swept, later] = [await read(), await versions()];

    assert.deepEqual(granted, [2, 2, 2, 2, 2, 1, 2]);
    assert.deepEqual(last, granted);
    assert.deepEqual(ended, [1, 1, 1, 1, 1, 0, 1]);
    assert.deepEqual(swept, ended);
    assert.equal(new Set(before).size, 1);
    for (const [index, version] of before.entries()) {
      assert.ok(after[index]! > version);
      assert.ok(later[index]! > after[index]!);
    }
    const { rows } = await store.audit.list(accountId, {
      operation: 'server/access-end',
      offset: 0,
      limit: 9,
    });
    assert.deepEqual(
      rows.map(({ input }) => (JSON.parse(input) as { role_id: number }).role_id),
      [roleId],
    );
  });

  test('a grant takes a new end or none, but does not get one after it was given without', async () => {
    const { store, advance } = fixture();
    const { accountId, owner, agentId, ann, roleId } = await askingAccount(fixture());
    const grant = { accountId, by: owner.id, holder: { email: ann.email }, roleId, agentId };
    const add = async (until?: number) => codeOf(await store.change('access/add', { ...grant, until }));
    const untilOf = async () =>
      (await store.access.ofMember(accountId, ann.id)).find((entry) => entry.roleId === roleId)?.until;

    assert.equal(await add(store.now()), 'invalid until');
    assert.equal(await add(store.now() + 60), 'done');
    assert.equal(await add(store.now() + 30), 'done');
    assert.equal(await untilOf(), store.now() + 30);
    advance(30);
    assert.equal(await untilOf(), undefined);
    assert.equal(await add(store.now() + 5), 'done');
    assert.equal(await add(), 'done');
    assert.equal(await untilOf(), null);
    assert.equal(await add(store.now() + 60), 'invalid granted_without_end until');
    assert.equal(codeOf(await store.change('access/remove', grant)), 'done');
    assert.equal(await untilOf(), undefined);
  });

  test('nobody turns rights that end into rights that last', async () => {
    const { store } = fixture();
    const { accountId, owner, agentId, ann, bob, admin, ...account } = await askingAccount(fixture());
    const until = store.now() + 60;
    const by = { accountId, by: ann.id };
    const toAnn = { email: ann.email };
    const full = await account.role('agent', devicePermissions);
    await must(store, 'access/add', { accountId, by: owner.id, holder: toAnn, roleId: admin, until });
    await must(store, 'access/add', { accountId, by: owner.id, holder: toAnn, roleId: full, agentId, until });
    const departmentId = await account.department();
    await account.grant({ departmentId }, admin);
    const groupId = await account.group();
    await account.grant({ departmentId }, await account.role('group', ['agent_connect']), { groupId });
    const permanent = { enable: true, url: '', password: 'hash' };
    const again = await account.role('agent', devicePermissions);
    const attempts = [
      await store.change('access/add', { ...by, holder: toAnn, roleId: full, agentId }),
      await store.change('access/add', { ...by, holder: toAnn, roleId: full, agentId, until: until + 1 }),
      await store.change('access/add', { ...by, holder: toAnn, roleId: again, agentId }),
      await store.change('access/add', { ...by, holder: { email: bob.email }, roleId: admin }),
      await store.change('departments/member-add', { ...by, id: departmentId, email: bob.email }),
      await store.change('agents/update', { ...by, id: agentId, permanent }),
    ];
    const link = { digest: someDigest(), expireTime: store.now() + 9 };
    const reset = await store.change('members/reset', { ...by, email: bob.email, link, forget: false });
    const allowed = await store.change('access/add', { ...by, holder: toAnn, roleId: again, agentId, until });

    assert.deepEqual(new Set(attempts.map(codeOf)), new Set(['forbidden beyond_own_rights']));
    // Somebody who holds the same without an end may not be acted for either.
    assert.match(codeOf(reset), /^(forbidden beyond_own_rights|invalid still_invited email)$/);
    assert.equal(codeOf(allowed), 'done');
  });
}
