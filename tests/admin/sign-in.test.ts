/** The operator's command for people who can not sign in any more, on both databases. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import { digestOf } from '@drawbridge/server/random';
import { must } from '../kit/account.ts';
import { databases } from '../kit/database.ts';
import { openStage, type Stage } from './stage.ts';

const ann = 'ann@example.com';
const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** What the link does at the server: the account and person it opens, once. */
const use = (stage: Stage, url: string) =>
  stage.store((store) => store.change('members/sign-in', { digest: digestOf(tokenOf(url)) }));

for (const { kind, skip } of databases) {
  test(
    `${kind}: a link signs its person in once, within a day, and is kept as a digest`,
    { skip },
    async () => {
      await using stage = await openStage(kind);
      const { account_id } = await stage.json('account', 'create', '--email', ann);

      const made = await stage.json('sign-in', 'create', '--email', ann);

      assert.deepEqual(Object.keys(made), ['url', 'email', 'account_id', 'expires']);
      assert.match(made.url, /^https:\/\/localhost:8443\/sign-in\/[\w-]{43}$/);
      assert.equal(made.account_id, account_id);
      const kept = await stage.sql('select digest from sign_in_link');
      assert.ok(kept.every(({ digest }) => digest !== tokenOf(made.url)));
      const opened = await use(stage, made.url);
      assert.equal(isFault(opened) ? undefined : opened.accountId, account_id);
      assert.ok(isFault(await use(stage, made.url)));
      const [line] = await stage.sql("select input from audit where operation = 'server/sign-in-create'");
      assert.deepEqual(JSON.parse(String(line!['input'])), { email: ann, forget_factors: false });
    },
  );

  test(`${kind}: factors are forgotten where it is asked for, and only there`, { skip }, async () => {
    await using stage = await openStage(kind);
    const { account_id: accountId } = await stage.json('account', 'create', '--email', ann);
    const [person] = await stage.store((store) => store.members.everywhere(ann));
    const memberRef = { accountId, memberId: person!.id };
    await stage.store(async (store) => {
      await must(store, 'factors/totp/begin', { ...memberRef, secret: 'ABC' });
      await must(store, 'factors/totp/confirm', { ...memberRef, secret: 'ABC', step: 1, recovery: ['d'] });
    });
    const hasApp = () => stage.store(async (store) => (await store.panel.factors(memberRef)).totp);

    await stage.json('sign-in', 'create', '--email', ann);
    const before = await hasApp();
    await stage.json('sign-in', 'create', '--email', ann, '--forget-factors');

    assert.deepEqual([before, await hasApp()], [true, false]);
  });

  test(
    `${kind}: whoever is in several accounts is found by the owner; nobody's address makes no link`,
    { skip },
    async () => {
      await using stage = await openStage(kind);
      const owners = ['one@example.com', 'two@example.com'];
      for (const owner of owners) {
        const { account_id: accountId } = await stage.json('account', 'create', '--email', owner);
        const link = { digest: digestOf(owner), expireTime: 4_000_000_000 };
        await stage.store((store) => must(store, 'members/invite', { accountId, email: ann, link }));
        await stage.store((store) => must(store, 'members/sign-in', { digest: link.digest }));
      }

      const open = await stage.type('sign-in', 'create', '--email', ann);
      const second = await stage.json('sign-in', 'create', '--email', ann, '--account', owners[1]!);
      const byNumber = await stage.json(
        'sign-in',
        'create',
        '--email',
        ann,
        '--account',
        String(second.account_id),
      );
      const nobody = await stage.type('sign-in', 'create', '--email', 'ben@example.com');
      const wrong = await stage.type('sign-in', 'create', '--email', ann, '--account', 'ben@example.com');

      const accounts = await stage.store((store) => store.accounts.list());
      assert.equal(accounts.find(({ email }) => email === owners[1])?.accountId, second.account_id);
      assert.equal(byNumber.account_id, second.account_id);
      assert.deepEqual([open.exit, nobody.exit, wrong.exit], [2, 1, 1]);
      assert.match(open.err, /several accounts/);
    },
  );
}
