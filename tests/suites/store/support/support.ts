/** Part of the store's suite: invitations. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isFault } from '@drawbridge/contract/faults';
import { random } from '@drawbridge/server/edges/random';
import { statusAt, type InvitationEvent, type Invitation } from '@drawbridge/server/domain/support';
import { must } from '../../../kit/server/account.ts';
import { openAccount, someDigest, type StoreAccount, type StoreFixture } from '../fixture.ts';

const week = 7 * 86_400;
/** Larger than any id. */
const nobody = 2 ** 52;

export function supportSuite(fixture: () => StoreFixture): void {
  test('a removed member creates neither an invitation nor a key', async () => {
    const { store } = fixture();
    const { accountId } = await openAccount(store);
    const key = { digest: someDigest(), prefix: 'abc', name: 'key', expireTime: null, networks: [] };
    const invitation = { clientName: '', codes: [random.digits(9)], connectToken: random.token() };

    const outcomes = [
      await store.change('invitations/create', { accountId, memberId: nobody, ...invitation }),
      await store.change('keys/create', { accountId, memberId: nobody, key }),
    ];

    assert.deepEqual(
      outcomes.map((each) => isFault(each) && each.fault),
      ['not_found', 'not_found'],
    );
  });

  const happen = ({ accountId }: StoreAccount, id: number, event: InvitationEvent) =>
    fixture().store.change('invitations/happen', {
      accountId,
      id,
      event,
      lifetime: week,
      ...(event === 'client_joins' && { client: { os: 'win' as const, preview: 'picture' } }),
    });
  const statusOf = async (account: StoreAccount, id: number, event: InvitationEvent) =>
    ((await happen(account, id, event)) as Invitation).status;
  const openOf = async ({ accountId }: StoreAccount, owner: number | 'everyone' = 'everyone') =>
    (await fixture().store.invitations.open(accountId, owner, fixture().store.now() - week)).map(
      (each) => each.id,
    );

  test('an invitation is new, joined by the client, active, left, active again and closed', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { id, status, createTime } = await account.invitation({ clientName: 'Ann' });

    assert.deepEqual([status, createTime], [0, store.now()]);
    assert.equal(await statusOf(account, id, 'client_joins'), 1);
    assert.equal(await statusOf(account, id, 'operator_joins'), 2);
    assert.equal(await statusOf(account, id, 'operator_leaves'), 1);
    assert.equal(await statusOf(account, id, 'operator_joins'), 2);
    const active = await store.invitations.find(account.accountId, id);
    assert.deepEqual([active?.clientOs, active?.clientPreview], ['win', 'picture']);
    assert.equal(await statusOf(account, id, 'close'), 3);
    const closed = await store.invitations.find(account.accountId, id);
    assert.deepEqual([closed?.status, closed?.clientOs, closed?.clientName], [3, 'win', 'Ann']);
  });

  test('an operator who comes first waits, and the connection is active when the client joins', async () => {
    const account = await openAccount(fixture().store);
    const { id } = await account.invitation();

    assert.equal(await statusOf(account, id, 'operator_joins'), 0);
    assert.equal(await statusOf(account, id, 'client_joins'), 2);
  });

  test('a client who leaves makes the connection new again, with nothing of the client left', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { id } = await account.invitation();
    await happen(account, id, 'client_joins');
    await happen(account, id, 'operator_joins');

    const left = await happen(account, id, 'client_leaves');

    assert.ok(!isFault(left));
    assert.deepEqual([left.status, left.clientOs, left.clientPreview], [0, '', '']);
    assert.equal(await statusOf(account, id, 'client_joins'), 2);
  });

  test('a closed connection stays closed, and its links are dead', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { id: invitationId } = await account.invitation();
    const [digest, other] = [await account.link({ invitationId }), await account.link()];
    await happen(account, invitationId, 'close');

    for (const event of ['close', 'client_joins', 'operator_joins', 'client_leaves'] as const) {
      const refused = await happen(account, invitationId, event);
      assert.ok(isFault(refused) && refused.code === 'connection_closed', event);
    }
    assert.deepEqual(await store.change('links/consume', { digest }), fault('not_found'));
    assert.ok(!isFault(await store.change('links/consume', { digest: other })));
  });

  test('of many who close a connection at the same moment one does', async () => {
    const account = await openAccount(fixture().store);
    const { id } = await account.invitation();

    const outcomes = await Promise.all(Array.from({ length: 10 }, () => happen(account, id, 'close')));

    assert.equal(outcomes.filter((each) => !isFault(each)).length, 1);
  });

  test('client and operator who join at the same moment make the connection active', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const made = await Promise.all(Array.from({ length: 10 }, () => account.invitation()));

    await Promise.all(
      made.flatMap(({ id }) => [happen(account, id, 'client_joins'), happen(account, id, 'operator_joins')]),
    );

    const after = await Promise.all(made.map(({ id }) => store.invitations.find(account.accountId, id)));
    assert.deepEqual(new Set(after.map((each) => each?.status)), new Set([2]));
  });

  test('an invitation nobody joined is closed after a week, before any job has run', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const [waiting, met] = [await account.invitation(), await account.invitation()];
    await happen(account, met.id, 'operator_joins');
    advance(week - 1);
    const dayBefore = await openOf(account);
    advance(1);

    assert.deepEqual([dayBefore, await openOf(account)], [[met.id, waiting.id], [met.id]]);
    const found = await store.invitations.find(accountId, waiting.id);
    assert.equal(found && statusAt(found, store.now(), week), 3);
    const late = await happen(account, waiting.id, 'client_joins');
    assert.ok(isFault(late) && late.code === 'connection_closed');
    assert.equal(await statusOf(account, met.id, 'client_joins'), 2);
  });

  test('the job closes what has expired and nothing else, and its code can be used again', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const [expired, met] = [await account.invitation(), await account.invitation()];
    await happen(account, met.id, 'client_joins');
    advance(week);
    const fresh = await account.invitation();

    await must(store, 'invitations/expire', { bornBefore: store.now() - week });

    const states = await Promise.all(
      [expired, met, fresh].map(
        async ({ id }) => (await store.invitations.find(account.accountId, id))?.status,
      ),
    );
    assert.deepEqual(states, [3, 1, 0]);
    assert.equal((await account.invitation({ codes: [expired.code] })).code, expired.code);
    assert.notEqual((await account.invitation({ codes: [met.code, random.digits(9)] })).code, met.code);
  });

  test('a code of an open invitation, of whatever account, is skipped', async () => {
    const { store } = fixture();
    const [ours, theirs] = [await openAccount(store), await openAccount(store)];
    const { code } = await theirs.invitation();
    const codes = Array.from({ length: 6 }, () => random.digits(9));

    const made = await Promise.all(codes.map(() => ours.invitation({ codes: [code, ...codes] })));

    assert.deepEqual(new Set(made.map((each) => each.code)), new Set(codes));
    await assert.rejects(
      ours.invitation({ codes: [code] }),
      /every invitation code that was tried is in use/,
    );
  });

  test('invitations are listed newest first, all or only one’s own, while they are open', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const ann = await account.member();
    const [one, two] = [await account.invitation(), await account.invitation({ memberId: ann.id })];
    const closed = await account.invitation();
    await happen(account, closed.id, 'close');

    assert.deepEqual(await openOf(account), [two.id, one.id]);
    assert.deepEqual(await openOf(account, ann.id), [two.id]);
  });

  test('an invitation is renamed; one that does not exist, or is another account’s, is not found', async () => {
    const { store } = fixture();
    const [ours, theirs] = [await openAccount(store), await openAccount(store)];
    const { accountId } = ours;
    const [{ id }, { id: alien }] = [await ours.invitation(), await theirs.invitation()];

    await must(store, 'invitations/rename', { accountId, id, name: 'Bob' });

    assert.equal((await store.invitations.find(accountId, id))?.clientName, 'Bob');
    for (const absent of [alien, nobody]) {
      assert.deepEqual(
        await store.change('invitations/rename', { accountId, id: absent, name: 'x' }),
        fault('not_found'),
      );
      assert.deepEqual(await happen(ours, absent, 'close'), fault('not_found'));
      assert.equal(await store.invitations.find(accountId, absent), undefined);
    }
  });

  test('the names of clients stay known after an invitation is closed, and only in its account', async () => {
    const { store } = fixture();
    const [account, outsider] = [await openAccount(store), await openAccount(store)];
    const { accountId, owner } = account;
    const create = async (clientName: string) => {
      const codes = { codes: [random.digits(9)], connectToken: random.token() };
      return (
        await must(store, 'invitations/create', { accountId, memberId: owner.id, clientName, ...codes })
      ).id;
    };
    const [bob, unnamed] = [await create('Bob'), await create('')];
    await happen(account, bob, 'close');

    const found = await store.invitations.clientNames(accountId, [bob, unnamed, nobody]);

    assert.deepEqual(found, [{ id: bob, clientName: 'Bob' }]);
    assert.deepEqual(await store.invitations.clientNames(outsider.accountId, [bob]), []);
    assert.deepEqual(await store.invitations.clientNames(accountId, []), []);
  });
}
