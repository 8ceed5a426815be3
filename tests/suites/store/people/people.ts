/** Part of the store's suite: accounts and members. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isFault } from '@drawbridge/contract/faults';
import { newAccount } from '@drawbridge/server/compose/create-account';
import { random } from '@drawbridge/server/edges/random';
import { must } from '../../../kit/server/account.ts';
import { openAccount, someDigest, unique, type StoreFixture } from '../fixture.ts';

const page = { offset: 0, limit: 100 };

export function peopleSuite(fixture: () => StoreFixture): void {
  test('an account starts with its owner, a key, a sign-in link and a system role of every kind', async () => {
    const { store } = fixture();
    const { accountId, owner, keyDigest, signInDigest } = await openAccount(store);

    const holder = await store.actors.byKey(keyDigest);
    const roles = await store.roles.list(accountId, page);
    const listed = (await store.accounts.list()).find((each) => each.accountId === accountId);
    const signedIn = await store.change('members/sign-in', { digest: signInDigest });

    assert.deepEqual(holder?.actor, {
      accountId,
      memberId: owner.id,
      email: owner.email,
      owner: true,
      grants: [],
    });
    assert.deepEqual([holder?.ownerEmail, holder?.revoked], [owner.email, false]);
    assert.deepEqual(
      new Set(roles.map((role) => role.type)),
      new Set(['agent', 'group', 'quick_support', 'team']),
    );
    assert.ok(roles.every((role) => role.system));
    assert.deepEqual(listed, { accountId, email: owner.email, createTime: store.now() });
    assert.deepEqual(signedIn, { accountId, memberId: owner.id });
  });

  test('one address owns one account, whatever its case', async () => {
    const { store } = fixture();
    const { owner } = await openAccount(store);
    const again = newAccount(random, owner.email.toUpperCase(), 'https://localhost', store.now());

    const refused = await store.change('accounts/create', again.input);

    assert.ok(isFault(refused) && refused.fault === 'invalid' && refused.field === 'email');
  });

  test('when many create an account for one address at the same moment, one account is created', async () => {
    const { store } = fixture();
    const email = `both-${unique()}@example.com`;
    const inputs = Array.from({ length: 8 }, () =>
      newAccount(random, email, 'https://localhost', store.now()),
    );

    const outcomes = await Promise.all(inputs.map(({ input }) => store.change('accounts/create', input)));

    assert.equal(outcomes.filter((each) => !isFault(each)).length, 1);
    assert.equal((await store.members.everywhere(email)).length, 1);
  });

  test('a first account is created only if there is none', async () => {
    const { store } = fixture();
    await openAccount(store);
    const before = (await store.accounts.list()).length;

    const outcome = await store.change(
      'accounts/first',
      newAccount(random, 'late@example.com', 'https://localhost', store.now()).input,
    );

    assert.deepEqual(outcome, { created: false });
    assert.equal((await store.accounts.list()).length, before);
  });

  test('a member is found by address in any case, in the own account only', async () => {
    const { store } = fixture();
    const [ours, theirs] = [await openAccount(store), await openAccount(store)];
    const { id, email } = await ours.member(`Ünal-${unique()}@Example.com`);

    const found = await store.members.find(ours.accountId, email.toUpperCase());
    const everywhere = await store.members.everywhere(email.toLowerCase());
    const [byEmail, byId] = [
      await store.actors.byEmail(ours.accountId, email),
      await store.actors.byId(ours.accountId, id),
    ];

    assert.deepEqual([found?.id, found?.state, found?.owner], [id, 'invited', false]);
    assert.deepEqual(
      everywhere.map((each) => each.id),
      [id],
    );
    assert.deepEqual(byEmail, byId);
    assert.equal(byId?.memberId, id);
    assert.equal(await store.members.find(theirs.accountId, email), undefined);
    assert.equal(await store.actors.byId(theirs.accountId, id), undefined);
    assert.equal(await store.actors.byEmail(theirs.accountId, email), undefined);
  });

  test('owners come first if one address belongs to several accounts', async () => {
    const { store } = fixture();
    const [ours, theirs] = [await openAccount(store), await openAccount(store)];
    await theirs.member(ours.owner.email);

    const found = await store.members.everywhere(ours.owner.email);

    assert.deepEqual(
      found.map((each) => [each.accountId, each.owner]),
      [
        [ours.accountId, true],
        [theirs.accountId, false],
      ],
    );
  });

  test('inviting a member again replaces the link; once they signed in it is refused', async () => {
    const { store } = fixture();
    const { accountId } = await openAccount(store);
    const email = `tech-${unique()}@example.com`;
    const [first, second] = [someDigest(), someDigest()];
    const invite = (digest: string) =>
      store.change('members/invite', { accountId, email, link: { digest, expireTime: store.now() + 600 } });

    const [one, two] = [await invite(first), await invite(second)];
    const [old, fresh] = [
      await store.change('members/sign-in', { digest: first }),
      await store.change('members/sign-in', { digest: second }),
    ];
    const third = await invite(someDigest());

    assert.deepEqual(one, two);
    assert.deepEqual([old, fresh], [fault('not_found'), { accountId, memberId: (one as { id: number }).id }]);
    assert.equal((await store.members.find(accountId, email))?.state, 'active');
    assert.ok(isFault(third) && third.code === 'already_member');
  });

  test('only the owner gets a new link of an invited member who holds more than they do; an email to that member is created', async () => {
    const { store } = fixture();
    const { accountId, owner, ...account } = await openAccount(store);
    const [manager, strong] = [await account.member(), await account.member()];
    await account.grant(manager, await account.role('team', ['team_user_admin']));
    await account.grant(strong, await account.role('team', ['team_user_admin', 'team_api_key']));
    const [shown, sent] = [someDigest(), someDigest()];
    const invite = (by: number, { email }: { email: string }, digest: string, letter?: string) =>
      store.change('members/invite', {
        accountId,
        by,
        email,
        link: { digest, expireTime: store.now() + 600 },
        ...(letter !== undefined && { emailedLink: { digest: letter } }),
      });

    const refused = await invite(manager.id, strong, shown);
    const mailed = await invite(manager.id, strong, shown, sent);
    const whose = [await store.panel.byLink(shown), await store.panel.byLink(sent)];
    const others = [
      await invite(owner.id, strong, someDigest()),
      await invite(strong.id, manager, someDigest()),
    ];

    assert.ok(isFault(refused) && refused.fault === 'forbidden');
    assert.deepEqual(mailed, { id: strong.id, shown: false });
    assert.deepEqual([whose[0], whose[1]?.memberId], [undefined, strong.id]);
    const both = [strong, manager].map(({ id }) => ({ id, shown: true }));
    assert.deepEqual(others, both);
  });

  test('a link that its creator kept opens nothing once the member holds more than the creator', async () => {
    const { store } = fixture();
    const { accountId, ...account } = await openAccount(store);
    const manager = await account.member();
    await account.grant(manager, await account.role('team', ['team_user_admin']));
    const [email, digest] = [`tech-${unique()}@example.com`, someDigest()];
    const link = { digest, expireTime: store.now() + 600 };
    await must(store, 'members/invite', { accountId, by: manager.id, email, link });
    await account.grant({ email }, await account.role('team', ['team_api_key']));

    assert.deepEqual(await store.change('members/sign-in', { digest }), fault('not_found'));
  });

  test('many who invite one address at the same moment invite one member', async () => {
    const { store } = fixture();
    const { accountId } = await openAccount(store);
    const email = `tech-${unique()}@example.com`;

    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () =>
        must(store, 'members/invite', {
          accountId,
          email,
          link: { digest: someDigest(), expireTime: store.now() + 600 },
        }),
      ),
    );

    assert.equal(new Set(outcomes.map(({ id }) => id)).size, 1);
  });

  test('a sign-in link works once and until it expires', async () => {
    const { store, advance } = fixture();
    const { signInDigest } = await openAccount(store);
    const late = await openAccount(store);

    const tries = await Promise.all(
      Array.from({ length: 20 }, () => store.change('members/sign-in', { digest: signInDigest })),
    );
    advance(86_400);

    assert.equal(tries.filter((each) => !isFault(each)).length, 1);
    assert.deepEqual(
      await store.change('members/sign-in', { digest: late.signInDigest }),
      fault('not_found'),
    );
  });

  test('members are listed by page and by a part of their address, with their departments', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const [ann, bob] = [await account.member(`ann_${unique()}@x.example`), await account.member()];
    const department = await account.department('Field');
    await account.join(department, ann);
    const list = (filter: object) => store.members.list(account.accountId, { ...page, ...filter });

    assert.deepEqual(
      (await list({})).members.map((each) => each.id),
      [account.owner.id, ann.id, bob.id],
    );
    assert.deepEqual(
      (await list({ offset: 1, limit: 1 })).members.map((each) => each.id),
      [ann.id],
    );
    assert.equal((await list({ limit: 1 })).total, 3);
    const { members, total } = await list({ search: 'ANN_' });
    assert.deepEqual([total, members[0]?.departments], [1, [{ id: department, name: 'Field' }]]);
    assert.deepEqual(await list({ search: 'ann%' }), { total: 0, members: [] });
  });

  test('the owner of an account cannot be removed, nor a missing member', async () => {
    const { store } = fixture();
    const { accountId, owner } = await openAccount(store);

    const refused = await store.change('members/remove', { accountId, email: owner.email });

    assert.ok(isFault(refused) && refused.fault === 'invalid');
    assert.deepEqual(
      await store.change('members/remove', { accountId, email: 'nobody@example.com' }),
      fault('not_found', { field: 'email' }),
    );
  });
}
