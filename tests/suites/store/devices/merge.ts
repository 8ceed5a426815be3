/** Part of the store's suite: merging a duplicate into the device that stays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import { must } from '../../../kit/server/account.ts';
import { openAccount, unique, type StoreAccount, type StoreFixture, type StorePerson } from '../fixture.ts';

const addFile = ({ sql, store }: StoreFixture, { accountId }: StoreAccount, agentId: number, name: string) =>
  sql(`insert into attached_file (account_id, agent_id, name, size, digest, create_time)
       values (${accountId}, ${agentId}, '${name}', 1, 'd', ${store.now()})`);

export function mergeSuite(fixture: () => StoreFixture): void {
  test('the device that stays takes over grants and subscriptions it lacks, history, notes, files and the earlier link time', async () => {
    const { store, sql, advance } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const [ann, bob] = [await account.member(), await account.member()];
    const { id: sourceId } = await account.agent({ name: 'duplicate' });
    const born = store.now();
    advance(100);
    const groupId = await account.group('Desks');
    const { id: targetId, deviceId } = await account.agent({ name: 'stays', groupId });
    const [view, chat] = [
      await account.role('agent', ['agent_connect']),
      await account.role('agent', ['agent_chat']),
    ];
    await account.grant({ email: ann.email }, view, { agentId: sourceId });
    await account.grant({ email: ann.email }, view, { agentId: targetId });
    await account.grant({ email: bob.email }, chat, { agentId: sourceId });
    const subscribe = (person: StorePerson, agentId: number, minutes: number) =>
      must(store, 'notifications/subscribe', {
        accountId,
        memberId: person.id,
        agentId,
        groupId: null,
        kinds: ['offline'],
        minutes,
      });
    await subscribe(ann, sourceId, 1);
    await subscribe(ann, targetId, 2);
    await subscribe(bob, sourceId, 3);
    const department = await account.department();
    await account.grant({ departmentId: department }, chat, { agentId: sourceId });
    const sessions = [
      await account.session({ agentId: targetId }),
      await account.session({ agentId: sourceId }),
      await account.session({ agentId: sourceId }),
    ];
    await addFile(fixture(), account, sourceId, 'manual.pdf');
    await sql(`update agent set notes = 'from the duplicate' where id = ${sourceId}`);
    await sql(`update agent set notes = 'from the one that stays' where id = ${targetId}`);
    const path = `stays-${unique()}`;
    await must(store, 'agents/update', {
      accountId,
      by: owner.id,
      id: targetId,
      permanent: { enable: true, url: path, password: 'hash' },
    });

    await must(store, 'agents/merge', { accountId, by: owner.id, sourceId, targetId });

    const merged = await account.agentOf(targetId);
    assert.equal(await account.agentOf(sourceId), undefined);
    assert.deepEqual(
      [merged?.name, merged?.groupId, merged?.deviceId, merged?.permanentPath],
      ['stays', groupId, deviceId, path],
    );
    assert.deepEqual([merged?.linkTime, merged?.sessionsTotal], [born, 3]);
    assert.deepEqual(
      (await store.notifications.ofAccount(accountId)).map(({ agentId, minutes }) => [agentId, minutes]),
      [
        [targetId, 2],
        [targetId, 3],
      ],
    );
    // The same person has one subscription to the device that stays.
    await subscribe(bob, targetId, 4);
    assert.equal((await store.notifications.ofAccount(accountId)).length, 2);
    assert.equal(merged?.lastSession?.id, sessions.at(-1));
    const entries = async (holder: object) =>
      sql(
        `select role_id, agent_id from access_entry where ${Object.entries(holder)
          .map(([column, value]) => `${column} = ${value}`)
          .join(' and ')} order by id`,
      );
    assert.deepEqual(await entries({ member_id: ann.id }), [{ role_id: view, agent_id: targetId }]);
    assert.deepEqual(await entries({ member_id: bob.id }), [{ role_id: chat, agent_id: targetId }]);
    assert.deepEqual(await entries({ department_id: department }), [{ role_id: chat, agent_id: targetId }]);
    const history = await store.history.list(accountId, {
      agents: 'all',
      invitations: 'none',
      memberId: owner.id,
      offset: 0,
      limit: 10,
    });
    assert.deepEqual(
      history.sessions.map((each) => [each.id, each.agent?.id]),
      [
        [sessions[2], targetId],
        [sessions[1], targetId],
        [sessions[0], targetId],
      ],
    );
    assert.deepEqual(await sql(`select agent_id from attached_file where account_id = ${accountId}`), [
      { agent_id: targetId },
    ]);
    assert.deepEqual(await sql(`select notes from agent where id = ${targetId}`), [
      { notes: 'from the one that stays\n\nfrom the duplicate' },
    ]);
  });

  test('a device merged into two others at the same moment goes to one of them, completely', async () => {
    const { store, sql } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;

    for (let round = 0; round < 5; round++) {
      const [source, one, two] = [await account.agent(), await account.agent(), await account.agent()];
      for (let count = 0; count < 3; count++) await account.session({ agentId: source.id });
      const merge = (targetId: number) =>
        store.change('agents/merge', { accountId, by: owner.id, sourceId: source.id, targetId });

      const outcomes = await Promise.all([merge(one.id), merge(two.id)]);

      assert.equal(outcomes.filter((each) => !isFault(each)).length, 1);
      const totals = [await account.agentOf(one.id), await account.agentOf(two.id)];
      assert.deepEqual(totals.map((each) => each?.sessionsTotal).toSorted(), [0, 3]);
      const rows = await sql(`select id from session where agent_id in (${one.id}, ${two.id})`);
      assert.equal(rows.length, 3);
    }
  });

  test('a session that begins on the duplicate while it is merged is not lost', async () => {
    const { store, sql } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;

    for (let round = 0; round < 5; round++) {
      const [source, target] = [await account.agent(), await account.agent()];
      const [, started] = await Promise.allSettled([
        must(store, 'agents/merge', { accountId, by: owner.id, sourceId: source.id, targetId: target.id }),
        account.session({ agentId: source.id }),
      ]);

      const rows = await sql(`select id from session where agent_id = ${target.id}`);
      const merged = await account.agentOf(target.id);
      const kept = started.status === 'fulfilled' ? 1 : 0;
      assert.deepEqual([rows.length, merged?.sessionsTotal], [kept, kept], `round ${round}`);
    }
  });
}
