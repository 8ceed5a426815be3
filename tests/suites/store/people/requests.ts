/** Part of the store's suite: requests for access for a while. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../kit/server/account.ts';
import { someDigest, type StoreFixture } from '../fixture.ts';
import { askingAccount, codeOf } from './request-fixture.ts';

export function requestsSuite(fixture: () => StoreFixture): void {
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

  test('an approval gives what was asked for, and nothing that the role permits since then', async () => {
    const { store, sql } = fixture();
    const { accountId, owner, wanted, ann, bob, roleId, permissionsOf } = await askingAccount(fixture());
    const { id } = await must(store, 'requests/create', wanted);
    const edit = (...permissions: ('agent_connect' | 'agent_control' | 'agent_reboot')[]) =>
      must(store, 'roles/edit', { accountId, by: owner.id, id: roleId, permissions });
    const approve = async () => codeOf(await store.change('requests/approve', { accountId, by: bob.id, id }));
    const shown = async () =>
      (await store.requests.list(accountId, { offset: 0, limit: 1 })).requests[0]!.permissions;

    await edit('agent_connect', 'agent_control');
    const seen = [await approve(), await shown()];
    await edit('agent_reboot');
    seen.push(await approve());
    assert.deepEqual(await permissionsOf(ann.id), ['agent_chat']);
    await edit('agent_connect');
    await sql(`update access_request set permissions = null where id = ${id}`);
    seen.push(await approve());
    await sql(`update access_request set permissions = '["agent_connect"]' where id = ${id}`);
    seen.push(await approve());

    const refused = 'invalid role_changed id';
    assert.deepEqual(seen, [refused, ['agent_connect'], refused, refused, 'done']);
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

  test('withdrawing requests does not let people ask without end, and an account holds a limited number', async () => {
    const { store, advance, sql } = fixture();
    const { accountId, owner, ann, wanted } = await askingAccount(fixture());
    const allowed = { accountId, by: owner.id, emergency: true };
    await must(store, 'requests/settings', allowed);
    for (let count = 0; count < 30; count += 1) {
      const { id } = await must(store, 'requests/create', wanted);
      await must(store, 'requests/cancel', { accountId, by: ann.id, id });
    }

    const refused = [
      codeOf(await store.change('requests/create', wanted)),
      codeOf(await store.change('requests/emergency', wanted)),
    ];
    const ofOthers = codeOf(await store.change('requests/create', { ...wanted, memberId: owner.id }));
    advance(3_600);
    const later = codeOf(await store.change('requests/emergency', wanted));
    const columns =
      'account_id, member_id, role_id, agent_id, reason, minutes, emergency, create_time, expire_time, decision';
    await sql(`insert into access_request (state, ${columns})
      with recursive number (n) as (select 1 union all select n + 1 from number where n < 500)
      select 'waiting', ${columns} from number cross join
        (select * from access_request where account_id = ${accountId} and state = 'waiting') as open`);
    const full = await store.change('requests/create', wanted);

    assert.deepEqual(refused, ['invalid too_many_requests', 'invalid too_many_requests']);
    assert.deepEqual([ofOthers, later], ['done', 'done']);
    assert.equal(codeOf(full), 'invalid too_many_requests');
    assert.match((full as { message: string }).message, /500 requests of an account/);
  });

  test('a request is told to 50 people who may decide, and an emergency to all of them', async () => {
    const { store } = fixture();
    const { accountId, owner, wanted, admin, ...account } = await askingAccount(fixture());
    const department = await account.department();
    await account.grant({ departmentId: department }, admin);
    for (let count = 0; count < 60; count += 1) {
      const { id, email } = await account.member();
      await must(store, 'departments/member-add', { accountId, by: owner.id, id: department, email });
      const session = { digest: someDigest(), address: '', userAgent: '' };
      await must(store, 'panel/sessions/open', { accountId, memberId: id, session });
    }
    await must(store, 'requests/settings', { accountId, by: owner.id, emergency: true });

    const asked = await must(store, 'requests/create', wanted);
    const taken = await must(store, 'requests/emergency', wanted);

    assert.deepEqual([asked.deciders.length, taken.deciders.length], [50, 61]);
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
