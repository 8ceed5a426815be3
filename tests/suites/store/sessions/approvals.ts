/** Part of the store's suite: sessions that wait for a second person, and who sees them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentScope } from '@drawbridge/server/domain/people/access';
import { must } from '../../../kit/server/account.ts';
import { openAccount, someDigest, type StoreFixture } from '../fixture.ts';

export function approvalsSuite(fixture: () => StoreFixture): void {
  async function openWaiting() {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const { id: agentId } = await account.agent();
    const second = await account.member();
    const wait = async (memberId: number | null = owner.id): Promise<number> => {
      const permissions = ['agent_connect'];
      const opening = { origin: 'api' as const, permissions, secretDigest: someDigest(), record: true };
      const id = await account.session({ agentId, memberId, reason: 'Ticket 7', opening });
      const { agentId: waitsOn } = await must(store, 'sessions/await-approval', {
        accountId,
        id,
        until: store.now() + 600,
      });
      assert.equal(waitsOn, agentId);
      assert.ok(!(await ids()).includes(id), 'the operator is not connected yet');
      assert.deepEqual(await must(store, 'sessions/begin', { accountId, id }), { waitsOn: agentId });
      return id;
    };
    const seenBy = async (memberId: number, scope: AgentScope = 'all', limit = 10) =>
      store.approvals.waiting(accountId, { scope, exceptMemberId: memberId, limit });
    const ids = async (memberId = second.id, scope: AgentScope = 'all') =>
      (await seenBy(memberId, scope)).waiting.map(({ sessionId }) => sessionId);
    return { store, account, accountId, agentId, owner, second, wait, seenBy, ids };
  }

  test('a session that waits for a second person is seen by others on whose devices it is, newest first', async () => {
    const { agentId, owner, second, wait, seenBy, ids } = await openWaiting();
    const first = await wait();
    const byPassword = await wait(null);

    assert.deepEqual(await ids(), [byPassword, first]);
    assert.deepEqual(await ids(owner.id), [byPassword]);
    assert.deepEqual(await ids(second.id, { agentIds: [agentId], groupIds: [] }), [byPassword, first]);
    assert.deepEqual(await ids(second.id, { agentIds: [agentId + 1], groupIds: [] }), []);
    const { total, waiting } = await seenBy(second.id, 'all', 1);
    assert.deepEqual([total, waiting.length], [2, 1]);
    const { until, device, ...shown } = (await seenBy(second.id)).waiting[1]!;
    assert.ok(until > 0 && device !== '');
    assert.deepEqual(shown, {
      sessionId: first,
      agentId,
      login: owner.email,
      reason: 'Ticket 7',
      permissions: ['agent_connect'],
      record: true,
    });
    const other = await openWaiting();
    assert.deepEqual(await other.ids(), []);
  });

  test('nothing waits any more after it was approved, interrupted or ended, or in time', async () => {
    const { store, accountId, agentId, wait, ids } = await openWaiting();
    const [approved, cut, stopped, expired] = [await wait(), await wait(), await wait(), await wait()];
    assert.equal((await ids()).length, 4);

    assert.deepEqual(await must(store, 'sessions/approve', { accountId, id: approved }), { agentId });
    assert.deepEqual(await must(store, 'sessions/cut', { accountId, id: cut, bytes: 0 }), {
      waitedOn: agentId,
    });
    const { waitedOn } = await must(store, 'sessions/stop', { accountId, id: stopped, bytes: 0 });
    assert.equal(waitedOn, agentId);
    assert.deepEqual(await ids(), [expired]);
    await must(store, 'sessions/resume', { accountId, id: cut, permissions: [] });
    assert.deepEqual(await ids(), [expired]);
    assert.deepEqual(await must(store, 'sessions/cut', { accountId, id: cut, bytes: 0 }), { waitedOn: null });
    fixture().advance(601);

    assert.deepEqual(await ids(), []);
  });
}
