/** Part of the store's suite: plans, their usage, sessions and the history. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isFault } from '@drawbridge/contract/faults';
import { isDisabled, isLimited, unlimitedPlan, type Plan } from '@drawbridge/server/domain/people/plan';
import type { HistoryFilter } from '@drawbridge/server/store/people/account-records';
import { must } from '../../../kit/server/account.ts';
import { openAccount, type StoreAccount, type StoreFixture } from '../fixture.ts';

const day = 86_400;

export function planSuite(fixture: () => StoreFixture): void {
  const setPlan = ({ accountId }: StoreAccount, plan: Partial<Plan>) =>
    must(fixture().store, 'plan/set', { accountId, plan });
  const addFile = ({ accountId }: StoreAccount, agentId: number) =>
    fixture().sql(`insert into attached_file (account_id, agent_id, name, size, digest, create_time)
                 values (${accountId}, ${agentId}, 'file', 1, 'd', 1)`);
  const blocked = async (account: StoreAccount, ids: number[]): Promise<boolean[]> => {
    const { store } = fixture();
    const state = await store.plan.state(account.accountId);
    const devices = await Promise.all(ids.map((id) => account.agentOf(id)));
    return devices.map((device) => isDisabled(device!, state, store.now()));
  };

  test('a plan has no limits until they are set, one by one', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const planOf = () => store.plan.of(account.accountId);

    assert.deepEqual(await planOf(), unlimitedPlan);
    await setPlan(account, { computers: 3, requests: 0 });
    await setPlan(account, { files: 1, invitations: 2, recordingMb: 10 });
    await setPlan(account, { computers: null });
    await setPlan(account, {});
    assert.deepEqual(await planOf(), {
      computers: null,
      invitations: 2,
      files: 1,
      requests: 0,
      recordingMb: 10,
    });
  });

  test('devices beyond the plan’s number of computers are blocked, and the oldest waiting is freed first', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const ids: number[] = [];
    for (let count = 0; count < 4; count++, advance(1)) ids.push((await account.agent()).id);

    assert.deepEqual(await blocked(account, ids), [false, false, false, false]);
    await setPlan(account, { computers: 2 });
    assert.deepEqual(await blocked(account, ids), [false, false, true, true]);
    await must(store, 'agents/remove', { accountId: account.accountId, id: ids[0]! });
    assert.deepEqual(await blocked(account, ids.slice(1)), [false, false, true]);
    await setPlan(account, { computers: 0 });
    assert.deepEqual(await blocked(account, ids.slice(1)), [true, true, true]);
  });

  test('of devices added in the same second the one with the lower number came first', async () => {
    const account = await openAccount(fixture().store);
    const [one, two] = [await account.agent(), await account.agent()];

    await setPlan(account, { computers: 1 });

    assert.deepEqual(await blocked(account, [one.id, two.id]), [false, true]);
  });

  test('a device added while there are too many files is limited, after ten days blocked, and freed with the files', async () => {
    const { store, sql, advance } = fixture();
    const account = await openAccount(store);
    const { id: old } = await account.agent();
    await setPlan(account, { files: 1 });
    await addFile(account, old);
    const { id: within } = await account.agent();
    await addFile(account, old);
    const { id: over } = await account.agent();
    const limited = async () => {
      const state = await store.plan.state(account.accountId);
      const devices = await Promise.all([old, within, over].map((id) => account.agentOf(id)));
      return devices.map((device) => isLimited(device!, state));
    };

    assert.deepEqual(await limited(), [false, false, true]);
    advance(10 * day - 1);
    assert.deepEqual(await blocked(account, [old, within, over]), [false, false, false]);
    advance(1);
    assert.deepEqual(await blocked(account, [old, within, over]), [false, false, true]);
    await sql(`delete from attached_file where account_id = ${account.accountId} and id =
      (select max(id) from attached_file where account_id = ${account.accountId})`);
    assert.deepEqual(await limited(), [false, false, false]);
    assert.deepEqual(await blocked(account, [over]), [false]);
  });

  test('of many requests at the same moment exactly as many pass as the hour has left', async () => {
    const { store, advance } = fixture();
    const { accountId } = await openAccount(store);
    const ask = (limit: number) => store.change('usage/request', { accountId, limit });

    const outcomes = await Promise.all(Array.from({ length: 40 }, () => ask(25)));

    const passed = outcomes.flatMap((each) => (isFault(each) ? [] : [each.used]));
    assert.deepEqual(
      passed.toSorted((a, b) => a - b),
      Array.from({ length: 25 }, (_, at) => at + 1),
    );
    assert.equal((await store.plan.usage(accountId, store.now())).requests, 25);
    assert.deepEqual(await ask(0), fault('plan_exceeded'));
    advance(3_600);
    assert.deepEqual(await ask(25), { used: 1 });
  });

  test('of many invitations at the same moment exactly as many are created as the month has left', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    await setPlan(account, { invitations: 5 });
    const used = () => store.plan.invitations(account.accountId, store.now());

    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => account.invitation()));

    const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
    assert.equal(refused.length, 15);
    assert.match(refused[0]!, /plan_exceeded/);
    assert.equal(await used(), 5);
    advance(31 * day);
    assert.equal(await used(), 0);
    await account.invitation();
    assert.equal(await used(), 1);
  });

  test('the usage of a plan is counted from the rows themselves', async () => {
    const { store, sql } = fixture();
    const account = await openAccount(store);
    const { id } = await account.agent();
    await addFile(account, id);
    const sessionId = await account.session({ agentId: id });
    await sql(`update session set video_secret = 'v', video_size = 1048577 where id = ${sessionId}`);

    const usage = await store.plan.usage(account.accountId, store.now());

    assert.deepEqual(usage, { computers: 1, invitations: 0, files: 1, requests: 0, recordingMb: 2 });
  });

  test('a session counts on its device, and its end is stored once', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const { id } = await account.agent();
    const [first, last] = [await account.session({ agentId: id }), await account.session({ agentId: id })];
    const start = store.now();
    advance(10);
    await must(store, 'sessions/stop', { accountId, id: last, bytes: 77 });
    advance(10);
    await must(store, 'sessions/stop', { accountId, id: last, bytes: 99 });

    const device = await account.agentOf(id);
    const { sessions } = await store.history.list(accountId, everything(account));

    assert.equal(device?.sessionsTotal, 2);
    assert.deepEqual([device?.lastSession?.id, device?.lastSession?.stopTime], [last, start + 10]);
    assert.deepEqual(
      sessions.map((each) => [each.id, each.stop, each.bytes]),
      [
        [last, start + 10, 77],
        [first, null, 0],
      ],
    );
  });

  test('a session without keep-alives ended when it was last alive', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const [silent, alive] = [await account.session(), await account.session()];
    const begin = store.now();
    advance(30);
    await must(store, 'sessions/alive', { sessions: [silent, alive].map((id) => ({ id, bytes: 200 })) });
    advance(40);
    await must(store, 'sessions/alive', { sessions: [{ id: alive, bytes: 7 }] });
    await must(store, 'sessions/alive', { sessions: [] });

    const { ended } = await must(store, 'sessions/bury', { silentSince: store.now() - 39 });

    const { sessions } = await store.history.list(accountId, { ...everything(account), agents: 'all' });
    assert.ok(ended.some((each) => each.id === silent && each.accountId === accountId));
    const none = sessions.map((each) => [each.id, each.stop]);
    assert.deepEqual(none, []);
    const rows = await fixture().sql(
      `select id, stop_time, bytes from session where account_id = ${accountId} order by id`,
    );
    assert.deepEqual(rows, [
      { id: silent, stop_time: begin + 30, bytes: 200 },
      { id: alive, stop_time: null, bytes: 207 },
    ]);
  });

  test('the history shows what a member may see, by device, invitation, time and recording', async () => {
    const { store, sql, advance } = fixture();
    const account = await openAccount(store);
    const ann = await account.member();
    const groupId = await account.group('Desks');
    const [one, two] = [await account.agent({ groupId, name: 'desk' }), await account.agent()];
    const [hers, his] = [await account.invitation({ memberId: ann.id }), await account.invitation()];
    const begin = store.now();
    const a = await account.session({ agentId: one.id });
    advance(10);
    const b = await account.session({ agentId: two.id, start: store.now() });
    advance(10);
    const c = await account.session({ invitationId: hers.id, start: store.now() });
    const d = await account.session({ invitationId: his.id, start: store.now() });
    await sql(`update session set video_secret = 'v', video_size = 5 where id = ${c}`);
    const seen = async (filter: Partial<HistoryFilter> & { offset?: number; limit?: number }) => {
      const list = await store.history.list(account.accountId, { ...everything(account), ...filter });
      return [list.total, ...list.sessions.map((each) => each.id)];
    };

    assert.deepEqual(await seen({}), [4, d, c, b, a]);
    assert.deepEqual(await seen({ offset: 1, limit: 2 }), [4, c, b]);
    assert.deepEqual(await seen({ agents: { agentIds: [two.id], groupIds: [groupId] } }), [4, d, c, b, a]);
    assert.deepEqual(await seen({ agents: { agentIds: [], groupIds: [groupId] }, invitations: 'none' }), [
      1,
      a,
    ]);
    assert.deepEqual(
      await seen({ agents: { agentIds: [], groupIds: [] }, invitations: 'own', memberId: ann.id }),
      [1, c],
    );
    assert.deepEqual(await seen({ kind: 'agent' }), [2, b, a]);
    assert.deepEqual(await seen({ kind: 'support' }), [2, d, c]);
    assert.deepEqual(await seen({ agentId: two.id }), [1, b]);
    assert.deepEqual(await seen({ invitationId: his.id }), [1, d]);
    assert.deepEqual(await seen({ from: begin + 10, to: begin + 10 }), [1, b]);
    assert.deepEqual(await seen({ video: true }), [1, c]);
    assert.deepEqual(await seen({ video: false }), [3, d, b, a]);
    const { sessions } = await store.history.list(account.accountId, {
      ...everything(account),
      agentId: one.id,
    });
    assert.deepEqual([sessions[0]?.agent?.name, sessions[0]?.agent?.group], ['desk', 'Desks']);
  });

  const everything = ({ owner }: StoreAccount) =>
    ({ agents: 'all', invitations: 'all', memberId: owner.id, offset: 0, limit: 100 }) as const;
}
