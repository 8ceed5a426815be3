/** Part of the store's suite: grants with an end, and requests for access for a while. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import { devicePermissions } from '@drawbridge/server/domain/sessions/sessions';
import { must } from '../../../kit/server/account.ts';
import { newApiKey, openAccount, someDigest, type StoreFixture } from '../fixture.ts';

const codeOf = (outcome: unknown): string =>
  isFault(outcome) ? [outcome.fault, outcome.code, outcome.field].filter(Boolean).join(' ') : 'done';

/** An account with a device, somebody who sees it, somebody who decides, and the role that is asked for. */
async function askingAccount({ store }: StoreFixture) {
  const account = await openAccount(store);
  const { accountId } = account;
  const { id: agentId } = await account.agent();
  const [ann, bob] = [await account.member(), await account.member()];
  const admin = await account.role('team', ['team_user_admin']);
  await account.grant({ email: bob.email }, admin);
  await account.grant({ email: ann.email }, await account.role('agent', ['agent_chat']), { agentId });
  const roleId = await account.role('agent', ['agent_connect']);
  const wanted = { accountId, memberId: ann.id, roleId, agentId, reason: 'Ticket 7', minutes: 30 };
  const permissionsOf = async (id: number) =>
    (await store.actors.byId(accountId, id))!.grants.flatMap((grant) => grant.permissions);
  const states = async () =>
    (await store.requests.list(accountId, { offset: 0, limit: 9 })).requests.map(({ state }) => state);
  return { ...account, agentId, ann, bob, admin, roleId, wanted, permissionsOf, states };
}

export function requestsSuite(fixture: () => StoreFixture): void {
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
    const full = await account.role('agent', devicePermissions as never);
    await must(store, 'access/add', { accountId, by: owner.id, holder: toAnn, roleId: admin, until });
    await must(store, 'access/add', { accountId, by: owner.id, holder: toAnn, roleId: full, agentId, until });
    const departmentId = await account.department();
    await account.grant({ departmentId }, admin);
    const groupId = await account.group();
    await account.grant({ departmentId }, await account.role('group', ['agent_connect']), { groupId });
    const permanent = { enable: true, url: '', password: 'hash' };
    const again = await account.role('agent', devicePermissions as never);
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

  test('a request becomes a grant until its end, by somebody else and once', async () => {
    const { store, advance } = fixture();
    const other = await askingAccount(fixture());
    const { accountId, owner, wanted, ann, bob, agentId, permissionsOf, states } =
      await askingAccount(fixture());
    const { id, deciders } = await must(store, 'requests/create', wanted);
    assert.deepEqual(deciders, [owner.email]); // the other is invited and has not signed in yet
    const approve = (by: number, more = {}) =>
      store.change('requests/approve', { accountId, by, id, ...more });

    assert.equal(codeOf(await approve(ann.id)), 'forbidden own_request id');
    assert.equal(codeOf(await approve(bob.id, { minutes: 31 })), 'invalid minutes');
    const foreign = { accountId: other.accountId, by: other.bob.id, id };
    assert.equal(codeOf(await store.change('requests/approve', foreign)), 'not_found id');
    assert.equal(
      await store.requests.reason({ accountId, memberId: ann.id }, { id: agentId, groupId: null }),
      '',
    );
    const both = await Promise.all([approve(bob.id, { minutes: 10 }), approve(bob.id)]);
    assert.deepEqual(both.map(codeOf).toSorted(), ['done', 'invalid already_decided id']);
    assert.deepEqual(await states(), ['approved']);
    assert.deepEqual(await permissionsOf(ann.id), ['agent_chat', 'agent_connect']);
    assert.equal(
      await store.requests.reason({ accountId, memberId: ann.id }, { id: agentId, groupId: 3 }),
      'Ticket 7',
    );
    advance(30 * 60);
    assert.deepEqual(await permissionsOf(ann.id), ['agent_chat']);
    assert.deepEqual(await states(), ['ended']);
    assert.equal(
      codeOf(await store.change('requests/cancel', { accountId, by: ann.id, id })),
      'invalid already_decided id',
    );
  });

  test('requests are denied, withdrawn, ended early, and expire', async () => {
    const { store, advance } = fixture();
    const { accountId, wanted, ann, bob, permissionsOf, states, ...account } = await askingAccount(fixture());
    const carl = await account.member();
    const ask = async () => (await must(store, 'requests/create', wanted)).id;
    const [denied, withdrawn, ended, expired] = [await ask(), await ask(), await ask(), await ask()];
    const deny = (by: number, id: number) =>
      store.change('requests/deny', { accountId, by, id, decision: 'No' });
    const cancel = (by: number, id: number) => store.change('requests/cancel', { accountId, by, id });

    assert.equal(codeOf(await deny(ann.id, denied)), 'forbidden own_request id');
    assert.equal(codeOf(await deny(bob.id, denied)), 'done');
    assert.equal(codeOf(await deny(bob.id, denied)), 'invalid already_decided id');
    assert.equal(codeOf(await deny(bob.id, 999_999)), 'not_found id');
    assert.equal(codeOf(await cancel(carl.id, withdrawn)), 'not_found id');
    assert.equal(codeOf(await cancel(ann.id, withdrawn)), 'done');
    await must(store, 'requests/approve', { accountId, by: bob.id, id: ended });
    assert.deepEqual(await permissionsOf(ann.id), ['agent_chat', 'agent_connect']);
    assert.equal(codeOf(await cancel(bob.id, ended)), 'done');
    assert.deepEqual(await permissionsOf(ann.id), ['agent_chat']);
    advance(86_400);
    assert.deepEqual(await states(), ['expired', 'ended', 'withdrawn', 'denied']);
    const late = await store.change('requests/approve', { accountId, by: bob.id, id: expired });
    assert.equal(codeOf(late), 'invalid already_decided id');
    for (const state of ['expired', 'ended', 'withdrawn', 'denied', 'waiting', 'approved'] as const) {
      const { total } = await store.requests.list(accountId, {
        state,
        memberId: ann.id,
        offset: 0,
        limit: 1,
      });
      assert.equal(total, state === 'waiting' || state === 'approved' ? 0 : 1, state);
    }
    await must(store, 'requests/sweep', { createdBefore: store.now() });
    assert.deepEqual(await states(), []);
  });

  test('people ask only for what they see, for as long as the account allows, and not too often', async () => {
    const { store } = fixture();
    const { accountId, owner, bob, wanted, ...account } = await askingAccount(fixture());
    const { id: hidden } = await account.agent();
    const [groupId, onGroup] = [await account.group(), await account.role('group', ['agent_connect'])];
    const ask = async (more: object) => codeOf(await store.change('requests/create', { ...wanted, ...more }));
    const onWholeGroup = { roleId: onGroup, agentId: undefined, groupId };

    assert.equal(await ask({ agentId: hidden }), 'not_found agent_id');
    assert.equal(await ask({ agentId: 999_999 }), 'not_found agent_id');
    assert.equal(await ask(onWholeGroup), 'not_found group_id');
    assert.equal(await ask({ ...onWholeGroup, memberId: owner.id }), 'done');
    assert.equal(await ask({ roleId: await account.role('team', ['team_api_key']) }), 'not_found role_id');
    assert.equal(await ask({ minutes: 481 }), 'invalid minutes');
    const settings = { accountId, by: bob.id };
    assert.deepEqual(await store.requests.settings(accountId), { maxMinutes: 480, emergency: false });
    await must(store, 'requests/settings', { ...settings, maxMinutes: 0 });
    assert.equal(await ask({}), 'invalid requests_off');
    await must(store, 'requests/settings', { ...settings, maxMinutes: 30 });
    for (let count = 0; count < 20; count += 1) assert.equal(await ask({}), 'done');
    assert.equal(await ask({}), 'invalid too_many_requests');
  });

  test('emergency access begins at once, if the owner allows it', async () => {
    const { store, advance } = fixture();
    const { accountId, owner, bob, ann, wanted, permissionsOf } = await askingAccount(fixture());
    const take = () => store.change('requests/emergency', wanted);
    const allow = (by: number) => store.change('requests/settings', { accountId, by, emergency: true });

    assert.equal(codeOf(await take()), 'forbidden emergency_off');
    assert.equal(codeOf(await allow(bob.id)), 'forbidden emergency');
    assert.equal(codeOf(await allow(owner.id)), 'done');
    assert.equal(
      codeOf(await store.change('requests/emergency', { ...wanted, agentId: 9 })),
      'not_found agent_id',
    );
    assert.equal(
      codeOf(await store.change('requests/emergency', { ...wanted, minutes: 999 })),
      'invalid minutes',
    );
    assert.equal(codeOf(await take()), 'done');
    assert.deepEqual(await permissionsOf(ann.id), ['agent_chat', 'agent_connect']);
    advance(30 * 60);
    assert.deepEqual(await permissionsOf(ann.id), ['agent_chat']);
  });
}
