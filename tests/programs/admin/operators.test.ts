/** The server's administrators, set from its own machine, on both databases. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { openAdminFixture } from './fixture.ts';

for (const { kind, skip } of databases)
  test(
    `${kind}: administrators are added, listed and removed, the last one only if forced`,
    { skip },
    async () => {
      await using fixture = await openAdminFixture(kind);
      const { account_id: a } = await fixture.json('account', 'create', '--email', 'a@x.example');
      const { account_id: b } = await fixture.json('account', 'create', '--email', 'b@x.example');
      const list = async () =>
        ((await fixture.json('operator', 'list')) as unknown as { operators: object[] }).operators;
      const chief = { account_id: a, email: 'a@x.example' };
      const second = { account_id: b, email: 'b@x.example' };
      const remove = (email: string, ...more: string[]) =>
        fixture.type('operator', 'remove', '--email', email, ...more);

      assert.deepEqual(await list(), [chief]);
      assert.deepEqual(await fixture.json('operator', 'add', '--email', 'B@x.example'), second);
      assert.deepEqual(await list(), [chief, second]);
      assert.equal((await remove('a@x.example')).exit, 0);
      assert.deepEqual(await remove('b@x.example'), {
        exit: 1,
        out: '',
        err: 'drawbridge: b@x.example is the last server administrator: add another with operator add, or use --force.\n',
      });
      assert.deepEqual(await list(), [second]);
      assert.equal(
        (await remove('a@x.example')).err,
        'drawbridge: a@x.example is not a server administrator.\n',
      );
      assert.equal((await remove('b@x.example', '--force')).exit, 0);
      assert.equal((await fixture.type('operator', 'list')).out, 'There are no server administrators.\n');
      const lines = await fixture.sql(
        `select operation, outcome, email from audit where account_id = ${b} and seq > 1 order by seq`,
      );
      assert.deepEqual(
        lines.map((line) => Object.values(line).join(' ')),
        [
          'server/operator-add done server operator',
          'server/operator-remove last_operator server operator',
          'server/operator-remove done server operator',
        ],
      );
    },
  );

test('an unknown address and an address in several accounts get different messages', async () => {
  await using fixture = await openAdminFixture('sqlite');
  const accounts: number[] = [];
  for (const email of ['a@x.example', 'b@x.example'])
    accounts.push((await fixture.json('account', 'create', '--email', email)).account_id);
  for (const accountId of accounts)
    await fixture.store((store) =>
      must(store, 'members/invite', {
        accountId,
        email: 'c@x.example',
        link: { digest: `d${accountId}`, expireTime: store.now() + 60 },
      }),
    );
  const add = (...args: string[]) => fixture.type('operator', 'add', '--email', ...args);

  assert.match((await add('nobody@x.example')).err, /Nobody has the e-mail address/);
  assert.match((await add('c@x.example')).err, /set --account to one of/);
  assert.equal((await add('c@x.example', '--account', String(accounts[1]))).exit, 0);
  assert.equal((await add('nonsense')).exit, 2);
});
