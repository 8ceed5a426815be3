/**
 * Part of the store's suite: recordings grow in order, within the plan, and are removed with the location of
 * their bytes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import { must } from '../../../kit/server/account.ts';
import { recordSession, makeChunk } from '../../../kit/server/recording.ts';
import { openAccount, type StoreFixture } from '../fixture.ts';

const codeOf = (outcome: unknown): string => (isFault(outcome) ? outcome.fault : 'done');

async function begin({ store }: StoreFixture) {
  const account = await openAccount(store);
  const { accountId } = account;
  const { id: agentId } = await account.agent();
  const sessionId = await account.session({ agentId });
  const tokenDigest = 'a digest';
  const { id } = await must(store, 'recordings/begin', { accountId, sessionId, tokenDigest });
  const add = async (given: Parameters<typeof makeChunk>[2]) =>
    codeOf(await store.change('recordings/chunk', makeChunk(accountId, id, given)));
  return { account, accountId, sessionId, id, add };
}

export function recordingsSuite(fixture: () => StoreFixture): void {
  test('an account gets its recording keys once, and keeps them', async () => {
    const { store } = fixture();
    const [{ accountId: account }, other] = [await openAccount(store), await openAccount(store)];
    const [first, second] = [1, 2].map((n) => ({ privateKey: `private ${n}`, publicKey: `public ${n}` }));

    assert.equal(await store.recordings.keys(account), undefined);
    assert.deepEqual(await store.change('recordings/keys', { account, keys: first! }), first);
    assert.deepEqual(await store.change('recordings/keys', { account, keys: second! }), first);
    assert.deepEqual(await store.recordings.keys(account), first);
    assert.equal(await store.recordings.keys(other.accountId), undefined);
  });

  test('a recording is known by its number, and can be started only for a session of the account', async () => {
    const { store } = fixture();
    const { accountId, sessionId, id } = await begin(fixture());
    const other = await openAccount(store);
    const alien = { accountId: other.accountId, sessionId, tokenDigest: 'x' };

    assert.deepEqual(await store.recordings.find(id), { accountId, tokenDigest: 'a digest' });
    assert.equal(await store.recordings.find(id + 1_000), undefined);
    assert.equal(codeOf(await store.change('recordings/begin', alien)), 'not_found');
  });

  test('chunks come one after the other; the last one may come twice, and nothing after the end', async () => {
    const { add, account } = await begin(fixture());

    assert.equal(await add({ number: 1 }), 'invalid');
    assert.equal(await add({ number: 0 }), 'done');
    assert.equal(await add({ number: 0, blobKey: 'elsewhere' }), 'done');
    assert.equal(await add({ number: 0, digest: 'cd'.repeat(32) }), 'invalid');
    assert.equal(await add({ number: 1, publicKey: 'x'.repeat(43) }), 'invalid');
    assert.equal(await add({ number: 1, digest: '01'.repeat(32), last: true }), 'done');
    assert.equal(await add({ number: 1, digest: '01'.repeat(32), last: true }), 'done');
    assert.equal(await add({ number: 2, digest: '02'.repeat(32) }), 'invalid');
    const other = await openAccount(fixture().store);
    assert.equal(await add({ number: 2, accountId: other.accountId }), 'not_found');
    const { sessions } = await fixture().store.history.list(account.accountId, {
      agents: 'all',
      invitations: 'all',
      memberId: 0,
      offset: 0,
      limit: 5,
    });
    assert.equal(sessions[0]!.video?.size, 2_000);
  });

  test('a session that was cut has a take for each part, in order, and a chunk is found by its position', async () => {
    const { store } = fixture();
    const { accountId, sessionId, id, add } = await begin(fixture());
    await add({ number: 0 });
    await add({ number: 1, from: 5_000, to: 5_500, whole: false, digest: '01'.repeat(32), last: true });
    await must(store, 'recordings/begin', { accountId, sessionId, tokenDigest: 'nobody came' });
    const second = await recordSession(store, { accountId, sessionId }, { secret: 'another secret' });

    const takes = await store.recordings.takes(accountId, sessionId);
    const at = { sessionId, takeId: id, number: 1 };

    assert.deepEqual(
      takes.map((take) => [take.id, take.complete, take.publicKey.length, take.chunks.map((c) => c.number)]),
      [
        [id, true, 43, [0, 1]],
        [second, false, 43, [0]],
      ],
    );
    assert.deepEqual(takes[0]!.chunks[1], await store.recordings.chunk(accountId, at));
    assert.equal(takes[0]!.chunks[1]!.whole, false);
    for (const wrong of [{ number: 2 }, { takeId: second }, { sessionId: sessionId + 1 }])
      assert.equal(await store.recordings.chunk(accountId, { ...at, ...wrong }), undefined);
    const other = await openAccount(store);
    assert.equal(await store.recordings.chunk(other.accountId, at), undefined);
    assert.deepEqual(await store.recordings.takes(other.accountId, sessionId), []);
    const { secret, accountId: whose } = (await store.recordings.session(sessionId))!;
    assert.deepEqual([secret, whose], [`secret of ${id}`, accountId]);
    const places = [takes[0]!.chunks[1]!.blobKey, 'nowhere'];
    assert.deepEqual(await store.recordings.referencedKeys(accountId, places), places.slice(0, 1));
    assert.deepEqual(await store.recordings.referencedKeys(other.accountId, places), []);
  });

  test('what does not fit into the plan is not stored, and removals free space again', async () => {
    const { store } = fixture();
    const { accountId, sessionId, add } = await begin(fixture());
    await must(store, 'plan/set', { accountId, plan: { recordingMb: 1 } });

    assert.equal(await store.recordings.remainingBytes(accountId), 1_048_576);
    assert.equal(await add({ number: 0, size: 1_048_000 }), 'done');
    assert.equal(await store.recordings.remainingBytes(accountId), 576);
    assert.equal(await add({ number: 1, size: 577 }), 'plan_exceeded');
    assert.equal(await add({ number: 1, size: 576, digest: '01'.repeat(32) }), 'done');
    await must(store, 'recordings/remove', { accountId, sessionId });
    assert.equal(await store.recordings.remainingBytes(accountId), 1_048_576);
    await must(store, 'plan/set', { accountId, plan: { recordingMb: null } });
    assert.equal(await store.recordings.remainingBytes(accountId), null);
  });

  test('a recording grows for ten minutes after its session, and not longer', async () => {
    const { store, advance } = fixture();
    const { accountId, sessionId, add } = await begin(fixture());
    await must(store, 'sessions/stop', { accountId, id: sessionId, bytes: 0 });

    advance(599);
    assert.equal(await add({ number: 0 }), 'done');
    advance(1);
    assert.equal(await add({ number: 1, digest: '01'.repeat(32) }), 'not_found');
  });

  test('removing a recording returns where its bytes are, once, and leaves the session without one', async () => {
    const { store } = fixture();
    const { accountId, sessionId, id, add } = await begin(fixture());
    await add({ number: 0 });
    const other = await openAccount(store);
    const alien = { accountId: other.accountId, sessionId };

    assert.equal(codeOf(await store.change('recordings/remove', alien)), 'not_found');
    const removed = await must(store, 'recordings/remove', { accountId, sessionId });

    assert.deepEqual(removed.left, [{ accountId, blobKey: `place-${id}-0` }]);
    assert.equal(codeOf(await store.change('recordings/remove', { accountId, sessionId })), 'not_found');
    assert.equal(await store.recordings.session(sessionId), undefined);
    assert.equal(await store.recordings.find(id), undefined);
  });

  test('recordings of sessions that ended long ago are removed, and those that never began; running ones stay', async () => {
    const { store, advance } = fixture();
    const sweep = async () =>
      must(store, 'recordings/sweep', { endedBefore: store.now() - 90, emptySince: store.now() - 90 });
    await sweep();
    const [old, running, empty] = [await begin(fixture()), await begin(fixture()), await begin(fixture())];
    for (const { add } of [old, running]) await add({ number: 0 });
    await must(store, 'sessions/stop', { accountId: old.accountId, id: old.sessionId, bytes: 0 });

    advance(90);
    const early = await sweep();
    advance(1);
    const late = await sweep();

    assert.deepEqual(early, { left: [], more: false });
    assert.deepEqual(late.left, [{ accountId: old.accountId, blobKey: `place-${old.id}-0` }]);
    assert.equal(await store.recordings.session(old.sessionId), undefined);
    assert.ok(await store.recordings.session(running.sessionId));
    assert.equal(await store.recordings.find(empty.id), undefined);
  });
}
