/** The administrator's command for people who cannot sign in any more, on both databases. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import { digestOf } from '@drawbridge/server/edges/random';
import { must } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { openAdminFixture, type AdminFixture } from './fixture.ts';

const ann = 'ann@example.com';
const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** What the link does at the server: the account and person it opens, once. */
const use = (fixture: AdminFixture, url: string) =>
  fixture.store((store) => store.change('members/sign-in', { digest: digestOf(tokenOf(url)) }));

for (const { kind, skip } of databases) {
  test(
    `${kind}: a link signs its person in once, within a day, and is stored as a digest`,
    { skip },
    async () => {
      await using fixture = await openAdminFixture(kind);
      const { account_id } = await fixture.json('account', 'create', '--email', ann);

      const made = await fixture.json('sign-in', 'create', '--email', ann);

      assert.deepEqual(Object.keys(made), ['url', 'email', 'account_id', 'expires']);
      assert.match(made.url, /^https:\/\/localhost:8443\/sign-in\/[\w-]{43}$/);
      assert.equal(made.account_id, account_id);
      const kept = await fixture.sql('select digest from sign_in_link');
      assert.ok(kept.every(({ digest }) => digest !== tokenOf(made.url)));
      const opened = await use(fixture, made.url);
      assert.equal(isFault(opened) ? undefined : opened.accountId, account_id);
      assert.ok(isFault(await use(fixture, made.url)));
      const [line] = await fixture.sql("select input from audit where operation = 'server/sign-in-create'");
      assert.deepEqual(JSON.parse(String(line!['input'])), { email: ann, forget_factors: false });
    },
  );

  test(`${kind}: second factors are removed if requested, and only then`, { skip }, async () => {
    await using fixture = await openAdminFixture(kind);
    const { account_id: accountId } = await fixture.json('account', 'create', '--email', ann);
    const [person] = await fixture.store((store) => store.members.everywhere(ann));
    const memberRef = { accountId, memberId: person!.id };
    await fixture.store(async (store) => {
      await must(store, 'factors/totp/begin', { ...memberRef, secret: 'ABC' });
      await must(store, 'factors/totp/confirm', { ...memberRef, secret: 'ABC', step: 1, recovery: ['d'] });
    });
    const hasApp = () => fixture.store(async (store) => (await store.panel.factors(memberRef)).totp);

    await fixture.json('sign-in', 'create', '--email', ann);
    const before = await hasApp();
    await fixture.json('sign-in', 'create', '--email', ann, '--forget-factors');

    assert.deepEqual([before, await hasApp()], [true, false]);
  });

  test(
    `${kind}: for a person in several accounts the owned one is chosen; an unknown address creates no link`,
    { skip },
    async () => {
      await using fixture = await openAdminFixture(kind);
      const owners = ['one@example.com', 'two@example.com'];
      for (const owner of owners) {
        const { account_id: accountId } = await fixture.json('account', 'create', '--email', owner);
        const link = { digest: digestOf(owner), expireTime: 4_000_000_000 };
        await fixture.store((store) => must(store, 'members/invite', { accountId, email: ann, link }));
        await fixture.store((store) => must(store, 'members/sign-in', { digest: link.digest }));
      }

      const open = await fixture.type('sign-in', 'create', '--email', ann);
      const second = await fixture.json('sign-in', 'create', '--email', ann, '--account', owners[1]!);
      const byNumber = await fixture.json(
        'sign-in',
        'create',
        '--email',
        ann,
        '--account',
        String(second.account_id),
      );
      const nobody = await fixture.type('sign-in', 'create', '--email', 'ben@example.com');
      const wrong = await fixture.type('sign-in', 'create', '--email', ann, '--account', 'ben@example.com');

      const accounts = await fixture.store((store) => store.accounts.list());
      assert.equal(accounts.find(({ email }) => email === owners[1])?.accountId, second.account_id);
      assert.equal(byNumber.account_id, second.account_id);
      assert.deepEqual([open.exit, nobody.exit, wrong.exit], [2, 1, 1]);
      assert.match(open.err, /several accounts/);
    },
  );
}
