/**
 * Part of the store's suite: brands, notes of devices, the server's administrators, and what they see of
 * accounts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isFault } from '@drawbridge/contract/faults';
import { must } from '../../../kit/server/account.ts';
import { openAccount, someDigest, type StoreFixture } from '../fixture.ts';

export function brandsSuite(fixture: () => StoreFixture): void {
  test('a brand is stored field by field, and fields that are not sent stay unchanged', async () => {
    const { store } = fixture();
    const [{ accountId }, other] = [await openAccount(store), await openAccount(store)];
    const [first, second] = [someDigest(), someDigest()];
    const logo = Buffer.from('picture').toString('base64');
    const inRow = { logo, blobKey: '', size: 0 };

    assert.equal(await store.brands.of(accountId), undefined);
    await must(store, 'brands/update', { accountId, accent: '#112233' });
    await must(store, 'brands/logo', { accountId, type: 'image/png', digest: first, ...inRow });
    await must(store, 'brands/update', { accountId, name: 'Acme' });
    await must(store, 'brands/update', { accountId });

    const kept = { name: 'Acme', accent: '#112233', logoDigest: first };
    assert.deepEqual(await store.brands.of(accountId), kept);
    assert.equal(await store.brands.of(other.accountId), undefined);
    const found = await store.brands.logo(first);
    assert.deepEqual([found?.type, Buffer.from(found!.bytes).toString()], ['image/png', 'picture']);

    await must(store, 'brands/logo', { accountId, type: 'image/webp', digest: second, ...inRow });
    assert.equal(await store.brands.logo(first), undefined);
    await must(store, 'brands/remove-logo', { accountId });
    assert.equal(await store.brands.logo(second), undefined);
    assert.equal(await store.brands.logo(''), undefined);
    assert.deepEqual(await store.brands.of(accountId), { ...kept, logoDigest: '' });
  });

  test('the brand of the server is that of its first account', async () => {
    const { store } = fixture();
    const [first] = await store.accounts.list();
    await must(store, 'brands/update', { accountId: first!.accountId, name: 'The first' });

    assert.equal((await store.brands.ofServer())?.name, 'The first');
  });

  test('the history continues after any connection, also among those of one moment, and records whose they were', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const person = await account.member();
    const { id: agentId } = await account.agent();
    for (const memberId of [owner.id, person.id, owner.id]) {
      const login = memberId === owner.id ? owner.email : person.email;
      for (let count = 0; count < 3; count += 1) await account.session({ memberId, login, agentId });
      advance(1);
    }
    const filter = { agents: 'all', invitations: 'all', memberId: owner.id } as const;
    const { sessions } = await store.history.list(accountId, { ...filter, offset: 0, limit: 100 });

    const walked: number[] = [];
    for (let last = undefined as (typeof sessions)[number] | undefined; ;) {
      const part = await store.history.after(accountId, filter, last, 2);
      if (part.length === 0) break;
      walked.push(...part.map(({ id }) => id));
      last = part.at(-1);
    }
    const of = async (email: string) =>
      (await store.history.list(accountId, { ...filter, email, offset: 0, limit: 100 })).total;

    assert.deepEqual(
      walked,
      sessions.map(({ id }) => id),
    );
    assert.deepEqual([await of(owner.email.toUpperCase()), await of(person.email)], [6, 3]);
    await must(store, 'members/remove', { accountId, email: person.email });
    assert.deepEqual([await of(person.email), await of('nobody@example.com')], [3, 0]);
  });

  test('an audit log is read to its end while it grows', async () => {
    const { store } = fixture();
    const { accountId, owner } = await openAccount(store);
    const line = {
      accountId,
      memberId: owner.id,
      email: owner.email,
      address: '',
      operation: 'o',
      input: '{}',
    };
    const append = () => store.change('audit/append', { accountId, outcome: 'done' }, line);
    for (let count = 0; count < 20; count += 1) await Promise.all(Array.from({ length: 60 }, append));

    const growing = Promise.all(Array.from({ length: 200 }, append));
    const followed = await Promise.all(Array.from({ length: 10 }, () => store.audit.verify(accountId)));
    await growing;

    for (const { rows, to, broken } of followed)
      assert.deepEqual([broken, rows, rows >= 1_201], [undefined, to, true]);
    assert.deepEqual(await store.audit.verify(accountId), { rows: 1_401, to: 1_401 });
  });

  test('notes belong to their device, and those of another account’s device cannot be written', async () => {
    const { store } = fixture();
    const [account, other] = [await openAccount(store), await openAccount(store)];
    const { accountId } = account;
    const { id } = await account.agent();

    assert.equal(await store.agents.notes(accountId, id), '');
    await must(store, 'agents/notes', { accountId, id, notes: 'Second floor.' });

    assert.equal(await store.agents.notes(accountId, id), 'Second floor.');
    assert.equal(await store.agents.notes(other.accountId, id), undefined);
    for (const given of [{}, { before: 'Second floor.' }])
      assert.deepEqual(
        await store.change('agents/notes', { accountId: other.accountId, id, notes: '', ...given }),
        fault('not_found'),
      );
  });

  test('of two who replace the same notes, the second is refused', async () => {
    const { store } = fixture();
    const { accountId, agent } = await openAccount(store);
    const { id } = await agent();
    const write = (notes: string) => store.change('agents/notes', { accountId, id, notes, before: '' });

    const outcomes = await Promise.all([write('one'), write('two')]);

    const [refused, ...others] = outcomes.filter(isFault);
    assert.deepEqual([refused?.code, others], ['changed_meanwhile', []]);
    assert.equal(await store.agents.notes(accountId, id), isFault(outcomes[0]) ? 'two' : 'one');
  });

  test('members are found by their addresses, in their own account only', async () => {
    const { store } = fixture();
    const [account, outsider] = [await openAccount(store), await openAccount(store)];
    const ann = await account.member();
    const asked = [account.owner.id, ann.id, outsider.owner.id];

    const found = await store.members.addresses(account.accountId, asked);

    assert.deepEqual([...found.keys()].toSorted(), [account.owner.id, ann.id].toSorted());
    assert.equal(found.get(ann.id), (await store.members.find(account.accountId, found.get(ann.id)!))?.email);
    assert.equal((await store.members.addresses(account.accountId, [])).size, 0);
  });

  test('the owner of the first account administers the server, and the last administrator cannot be removed unless forced', async () => {
    const { store } = fixture();
    const [account, outsider] = [await openAccount(store), await openAccount(store)];
    const [first] = await store.accounts.list();
    const ids = async () => (await store.members.operators()).map(({ id }) => id);
    const [chief] = await store.members.operators();
    const member = { accountId: account.accountId, id: account.owner.id };
    const remove = (one: typeof member, evenLast = false) =>
      store.change('operators/remove', { member: one, evenLast });

    assert.deepEqual([chief?.accountId, await ids()], [first!.accountId, [chief!.id]]);
    await must(store, 'operators/add', { member });
    assert.deepEqual(await ids(), [chief!.id, member.id]);
    const wrong = { accountId: outsider.accountId, id: member.id };
    assert.deepEqual(await store.change('operators/add', { member: wrong }), fault('not_found'));
    assert.deepEqual(await remove(wrong), fault('not_found'));
    await must(store, 'operators/remove', { member: chief!, evenLast: false });
    assert.deepEqual(await ids(), [member.id]);
    assert.deepEqual(await remove(member), fault('invalid', { code: 'last_operator' }));
    assert.deepEqual(await ids(), [member.id]);
    assert.deepEqual([await remove(member, true), await ids()], [{}, []]);
    await must(store, 'operators/add', { member: chief! });
  });

  test('of two administrators who are removed at the same moment one stays', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const [chief] = await store.members.operators();
    const member = { accountId: account.accountId, id: account.owner.id };
    await must(store, 'operators/add', { member });

    await Promise.all(
      [chief!, member].map((each) => store.change('operators/remove', { member: each, evenLast: false })),
    );

    const left = await store.members.operators();
    assert.equal(left.length, 1);
    await must(store, 'operators/add', { member: chief! });
    await store.change('operators/remove', { member, evenLast: false }); // It may be the one that was removed.
  });

  test('accounts are listed with their usage, and found by the address of their owner', async () => {
    const { store, sql } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const now = store.now();
    await account.member();
    const [{ id: one }] = [await account.agent(), await account.agent()];
    await must(store, 'presence/renew', { node: 'n', agents: [{ id: one }], leaseUntil: now + 30 });
    await account.invitation();
    await must(store, 'usage/request', { accountId, limit: 100 });
    await must(store, 'plan/set', { accountId, plan: { computers: 7 } });
    const sessionId = await account.session({ memberId: owner.id, agentId: one });
    await sql(`update session set video_secret = 'v', video_size = 2000000 where id = ${sessionId}`);
    await sql(`insert into attached_file (account_id, agent_id, name, size, digest, create_time)
               values (${accountId}, ${one}, 'file', 1, 'd', 1)`);
    const search = owner.email.slice(0, 18).toUpperCase();

    const found = await store.accounts.listUsage({ search, offset: 0, limit: 10, now });
    const nobody = await store.accounts.listUsage({ search: 'nobody has this', offset: 0, limit: 10, now });
    const all = await store.accounts.listUsage({ offset: 1, limit: 2, now });

    const plan = { computers: 7, invitations: null, files: null, requests: null, recordingMb: null };
    const used = { computers: 2, invitations: 1, files: 1, requests: 1, recordingMb: 2 };
    assert.deepEqual(found, {
      total: 1,
      accounts: [{ accountId, owner: owner.email, createTime: now, members: 2, online: 1, plan, used }],
    });
    assert.deepEqual(nobody, { total: 0, accounts: [] });
    assert.deepEqual(await store.accounts.firstSteps(accountId), {
      device: true,
      client: true,
      technician: true,
    });
    const every = await store.accounts.list();
    assert.equal(all.total, every.length);
    assert.deepEqual(
      all.accounts.map((each) => each.accountId),
      every.slice(1, 3).map((each) => each.accountId),
    );
    assert.deepEqual(
      [await store.accounts.exists(accountId), await store.accounts.exists(accountId + 1_000_000)],
      [true, false],
    );
  });
}
