/** Accounts, keys and plans from the command line of the server's machine, on both databases. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { digestOf } from '@drawbridge/server/edges/random';
import { databases } from '../../kit/server/database.ts';
import { openAdminFixture, type AdminFixture } from './fixture.ts';

/** What the administrator left in the audit log of an account after it was created. */
const linesOf = async (fixture: AdminFixture, accountId: number) =>
  fixture.store(async (store) => {
    const { rows } = await store.audit.list(accountId, { offset: 0, limit: 100 });
    const later = rows.filter((row) => row.operation !== 'server/account-create');
    return later.map(({ email, address, operation, outcome, input }) => ({
      email,
      address,
      operation,
      outcome,
      input: JSON.parse(input) as object,
    }));
  });

const invite = (fixture: AdminFixture, accounts: number[], ...emails: string[]) =>
  fixture.store(async (store) => {
    for (const accountId of accounts)
      for (const email of emails) {
        const link = { digest: digestOf(`${accountId} ${email}`), expireTime: 9_999_999_999 };
        await store.change('members/invite', { accountId, email, link });
      }
  });

for (const { kind, skip } of databases) {
  test(`${kind}: an account created here is listed, and its key is its owner's`, { skip }, async () => {
    await using fixture = await openAdminFixture(kind, { DRAWBRIDGE_PUBLIC_URL: 'https://help.example.com' });

    const made = await fixture.json('account', 'create', '--email', ' Ann@Example.com');
    const list = await fixture.json('account', 'list');

    assert.deepEqual(Object.keys(made), ['account_id', 'email', 'api_key', 'sign_in_url']);
    assert.equal(made.email, 'Ann@Example.com');
    assert.match(made.api_key, /^[A-Za-z0-9]{64}$/);
    assert.match(made.sign_in_url, /^https:\/\/help\.example\.com\/sign-in\/[\w-]{43}$/);
    const { create_time, ...first } = list.accounts[0]!;
    assert.deepEqual(first, { account_id: made.account_id, email: 'Ann@Example.com' });
    assert.ok(Math.abs(create_time - Date.now() / 1_000) < 60);
    await fixture.store(async (store) => {
      const holder = await store.actors.byKey(digestOf(made.api_key));
      assert.equal(holder?.ownerEmail, 'Ann@Example.com');
      assert.equal(holder?.actor.owner, true);
      const digest = digestOf(made.sign_in_url.split('/').at(-1)!);
      assert.deepEqual(await store.change('members/sign-in', { digest }), {
        accountId: made.account_id,
        memberId: holder?.actor.memberId,
      });
    });
  });

  test(`${kind}: an address owns one account, whatever its case`, { skip }, async () => {
    await using fixture = await openAdminFixture(kind);
    await fixture.json('account', 'create', '--email', 'ann@example.com');

    const again = await fixture.type('account', 'create', '--email', 'ANN@example.com', '--json');
    const malformed = await fixture.type('account', 'create', '--email', 'ann');

    assert.deepEqual(again, {
      exit: 1,
      out: '{"error":{"message":"ANN@example.com already owns an account."}}\n',
      err: 'drawbridge: ANN@example.com already owns an account.\n',
    });
    assert.deepEqual(malformed, {
      exit: 2,
      out: '',
      err: 'drawbridge: --email must be an e-mail address.\n',
    });
    assert.equal((await fixture.json('account', 'list')).accounts.length, 1);
  });

  test(
    `${kind}: a key is created for an owner or a technician, expires as requested, and leaves a row in the audit log`,
    { skip },
    async () => {
      await using fixture = await openAdminFixture(kind);
      const { account_id: id } = await fixture.json('account', 'create', '--email', 'ann@example.com');
      await invite(fixture, [id], 'Tom@example.com');

      const owners = await fixture.json('key', 'create', '--email', 'Ann@example.com');
      const toms = await fixture.json(
        'key',
        'create',
        '--email',
        'tom@example.com',
        '--name',
        'CI',
        '--expires',
        '90d',
      );

      assert.deepEqual(Object.keys(owners), ['id', 'api_key', 'email', 'expires']);
      assert.deepEqual([owners.email, owners.expires], ['ann@example.com', null]);
      assert.ok(Math.abs(toms.expires! - 90 * 86_400 - Date.now() / 1_000) < 60);
      const holder = await fixture.store(async (store) => store.actors.byKey(digestOf(toms.api_key)));
      assert.deepEqual(
        [holder?.keyId, holder?.actor.email, holder?.expireTime],
        [toms.id, 'Tom@example.com', toms.expires],
      );
      const line = { email: 'server operator', address: '', operation: 'server/key-create', outcome: 'done' };
      assert.deepEqual(await linesOf(fixture, id), [
        { ...line, input: { email: 'Tom@example.com', name: 'CI', expires: toms.expires } },
        { ...line, input: { email: 'ann@example.com', name: 'API key', expires: null } },
      ]);
    },
  );

  test(
    `${kind}: of several accounts with the address the owned one is chosen, else one must be named`,
    { skip },
    async () => {
      await using fixture = await openAdminFixture(kind);
      const ids: number[] = [];
      for (const email of ['a@x.example', 'b@x.example', 'tom@x.example'])
        ids.push((await fixture.json('account', 'create', '--email', email)).account_id);
      const [a, b, toms] = ids as [number, number, number];
      await invite(fixture, [a, b], 'tom@x.example', 'eve@x.example');
      const accountOf = async (...args: string[]) => {
        const { api_key: apiKey } = await fixture.json('key', 'create', ...args);
        const holder = await fixture.store(async (store) => store.actors.byKey(digestOf(apiKey)));
        return holder?.actor.accountId;
      };

      assert.equal(await accountOf('--email', 'tom@x.example'), toms);
      assert.equal(await accountOf('--email', 'tom@x.example', '--account', String(b)), b);
      assert.equal(await accountOf('--email', 'eve@x.example', '--account', String(a)), a);
      const unclear = await fixture.type('key', 'create', '--email', 'eve@x.example');
      assert.equal(unclear.exit, 2);
      assert.match(unclear.err, new RegExp(`set --account to one of ${a}, ${b}\\.`));
      const nobody = await fixture.type(
        'key',
        'create',
        '--email',
        'eve@x.example',
        '--account',
        String(toms),
      );
      assert.deepEqual(
        [nobody.exit, nobody.err],
        [1, `drawbridge: Nobody has the e-mail address eve@x.example in account ${toms}.\n`],
      );
    },
  );

  test(`${kind}: a plan is set limit by limit, and leaves a row in the audit log`, { skip }, async () => {
    await using fixture = await openAdminFixture(kind);
    const { account_id: id } = await fixture.json('account', 'create', '--email', 'ann@example.com');
    await invite(fixture, [id], 'tom@example.com');

    await fixture.json('plan', 'set', '--email', 'ann@example.com', '--computers', '5', '--files', '0');
    const plan = await fixture.json(
      'plan',
      'set',
      '--email=ANN@example.com',
      '--computers=unlimited',
      '--recording_mb=10',
    );

    assert.deepEqual(plan, {
      account_id: id,
      email: 'ann@example.com',
      plan: { computers: null, invitations: null, files: 0, requests: null, recording_mb: 10 },
    });
    assert.deepEqual(
      (await linesOf(fixture, id)).map(({ operation, input }) => [operation, input]),
      [
        ['server/plan-set', { computers: null, recording_mb: 10 }],
        ['server/plan-set', { computers: 5, files: 0 }],
      ],
    );
    const technician = await fixture.type('plan', 'set', '--email', 'tom@example.com', '--files', '1');
    assert.deepEqual(
      [technician.exit, technician.err],
      [1, 'drawbridge: tom@example.com does not own an account on this server.\n'],
    );
    const nothing = await fixture.type('plan', 'set', '--email', 'ann@example.com');
    assert.equal(nothing.exit, 2);
    assert.match(nothing.err, /needs at least one of --computers, .*--recording_mb\.\n$/);
  });

  test(`${kind}: commands that only read do not create a missing store`, { skip }, async () => {
    await using fixture = await openAdminFixture(kind);
    const readers = [
      ['account', 'list'],
      ['key', 'create', '--email', 'a@b'],
      ['plan', 'set', '--email', 'a@b', '--files', '1'],
      ['audit', 'verify'],
      ['backup', 'file'],
    ];

    for (const args of readers) {
      const { exit, out, err } = await fixture.type(...args);
      assert.deepEqual([exit, out], [1, '']);
      assert.match(
        err,
        /^drawbridge: There is no Drawbridge data in .* yet: run drawbridge start first\.\n$/,
      );
    }
    assert.equal((await fixture.type('doctor')).exit, 0);
    assert.equal(existsSync(fixture.data), false);
    if (kind === 'postgres')
      assert.deepEqual(await fixture.sql(`select to_regclass('migration') as table`), [{ table: null }]);
  });

  test(
    `${kind}: a store of another schema is refused in a sentence, and left unchanged`,
    { skip },
    async () => {
      await using fixture = await openAdminFixture(kind);
      await fixture.json('account', 'create', '--email', 'ann@example.com');
      await fixture.sql('insert into migration (number) values (99)');

      for (const args of [
        ['account', 'list'],
        ['account', 'create', '--email', 'b@example.com'],
        ['backup', 'f'],
      ]) {
        const { exit, err } = await fixture.type(...args);
        assert.equal(exit, 1);
        assert.match(
          err,
          /^drawbridge: The database has schema 99, but this Drawbridge supports schemas only up to \d+: .*\.\n$/,
        );
      }
      assert.equal((await fixture.sql('select account_id from account')).length, 1);
    },
  );
}

test('a database that cannot be reached is reported in one sentence, without its password', async () => {
  await using fixture = await openAdminFixture('sqlite', {
    DRAWBRIDGE_DATABASE: 'postgres://drawbridge:s3cret@127.0.0.1:1/main',
  });

  for (const args of [
    ['account', 'list'],
    ['account', 'create', '--email', 'a@b'],
    ['backup', 'file'],
  ]) {
    const { exit, out, err } = await fixture.type(...args);
    assert.deepEqual([exit, out], [1, '']);
    assert.equal(
      err,
      'drawbridge: The database main at 127.0.0.1:1 cannot be opened: connect ECONNREFUSED 127.0.0.1:1.\n',
    );
  }
});

test('wrong settings are reported one by one, as the server reports them', async () => {
  await using fixture = await openAdminFixture('sqlite', {
    DRAWBRIDGE_LISTEN: 'nowhere',
    DRAWBRIDGE_DATTA: 'x',
  });

  const { exit, err } = await fixture.type('account', 'list');

  assert.equal(exit, 2);
  assert.match(err, /DRAWBRIDGE_DATTA is not a setting; did you mean DRAWBRIDGE_DATA\?/);
  assert.match(err, /DRAWBRIDGE_LISTEN must be host:port/);
});

test('every command prints its usage', async () => {
  await using fixture = await openAdminFixture('sqlite');
  const commands = [
    'account create',
    'account list',
    'key create',
    'plan set',
    'audit verify',
    'operator add',
  ];

  for (const name of [...commands, 'backup', 'restore', 'doctor']) {
    const { exit, out } = await fixture.type(...name.split(' '), '--help');
    assert.equal(exit, 0);
    assert.match(out, new RegExp(`^Usage: drawbridge ${name} .*\\[--json\\]\\n\\n[A-Z]`));
  }
  const message = 'key create has no option --emial; it takes --email, --name, --expires, --account, --json.';
  const wrong = { exit: 2, out: '', err: `drawbridge: ${message}\n` };
  assert.deepEqual(await fixture.type('key', 'create', '--emial', 'a@b'), wrong);
  assert.deepEqual(await fixture.type('--json', 'key', 'create', '--emial', 'a@b'), {
    ...wrong,
    out: `${JSON.stringify({ error: { message } })}\n`,
  });
});
