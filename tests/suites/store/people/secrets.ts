/** Part of the store's suite: the secrets of other systems are stored sealed, each for its row. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../kit/server/account.ts';
import {
  openAccount,
  someDirectory,
  someProvider,
  someWebhook,
  unique,
  type StoreFixture,
} from '../fixture.ts';

export function secretsSuite(fixture: () => StoreFixture): void {
  /** An account with one secret of each kind, and what is stored of them. */
  const create = async () => {
    const { store, sql } = fixture();
    const { accountId, owner } = await openAccount(store);
    const secret = `whsec_${unique()}`;
    const ofAccount = { accountId, by: owner.id };
    const { id: directory } = await must(store, 'directories/create', {
      ...ofAccount,
      ...someDirectory,
      bindPassword: secret,
    });
    const given = { ...ofAccount, ...someProvider, clientSecret: secret, signInName: unique() };
    const { id: provider } = await must(store, 'providers/create', given);
    const { id: webhook } = await must(store, 'webhooks/create', { ...someWebhook(accountId), secret });
    const stored = async () => {
      const rows = await sql<{ stored: string }>(
        `select bind_password as stored from directory where account_id = ${accountId}
         union all select client_secret from provider where account_id = ${accountId}
         union all select secret from webhook where account_id = ${accountId}
         union all select old_secret from webhook where account_id = ${accountId} and old_secret <> ''`,
      );
      return rows.map((row) => row.stored);
    };
    const opened = async () => [
      (await store.directories.connection(accountId, directory))?.bindPassword,
      (await store.providers.connection(accountId, provider))?.clientSecret,
      ...(await store.webhooks.target(accountId, webhook))!.secrets,
    ];
    return { accountId, owner, directory, provider, webhook, secret, stored, opened };
  };

  test('secrets of other systems are sealed before they are stored, also when they change', async () => {
    const { store } = fixture();
    const { accountId, owner, secret, stored, opened, ...ids } = await create();
    const first = await stored();
    const changed = `whsec_${unique()}`;
    const ofAccount = { accountId, by: owner.id, settings: {} };
    await must(store, 'directories/update', { ...ofAccount, id: ids.directory, bindPassword: changed });
    await must(store, 'providers/update', { ...ofAccount, id: ids.provider, clientSecret: changed });
    const oldUntil = store.now() + 60;
    await must(store, 'webhooks/renew', { accountId, id: ids.webhook, secret: changed, oldUntil });
    const second = await stored();

    assert.deepEqual([first.length, second.length, new Set([...first, ...second]).size], [3, 4, 6]);
    for (const each of [...first, ...second]) assert.match(each, /^v1\.[\w-]{8}\.[\w-]{16}\.[\w-]{22,}$/);
    assert.deepEqual(await opened(), [changed, changed, changed, secret]);
  });

  test('a sealed value that was copied to another row does not open', async () => {
    const { sql } = fixture();
    const [one, other] = [await create(), await create()];
    const [password, clientSecret, secret] = await one.stored();
    await sql(`update directory set bind_password = '${password}' where id = ${other.directory}`);
    await sql(`update provider set client_secret = '${clientSecret}' where id = ${other.provider}`);
    await sql(`update webhook set secret = '${secret}' where id = ${other.webhook}`);

    const counted = await must(fixture().store, 'secrets/seal', {});

    assert.deepEqual(await other.opened(), [undefined, undefined]);
    assert.deepEqual(await one.opened(), [one.secret, one.secret, one.secret]);
    assert.equal(counted.unreadable, 3);
    assert.ok(counted.total >= 6);
  });

  test('what an earlier version stored in clear is readable, and is sealed once', async () => {
    const { store, sql } = fixture();
    const { accountId, secret, stored, opened } = await create();
    for (const [table, column] of [
      ['directory', 'bind_password'],
      ['provider', 'client_secret'],
      ['webhook', 'secret'],
    ])
      await sql(`update ${table} set ${column} = '${secret}' where account_id = ${accountId}`);
    const before = await opened();
    const counted = await must(store, 'secrets/seal', {});
    const sealed = await stored();
    await must(store, 'secrets/seal', {});

    assert.deepEqual([before, await opened()], [Array(3).fill(secret), Array(3).fill(secret)]);
    assert.deepEqual([counted.clear, counted.older], [0, 0]);
    for (const each of sealed) assert.match(each, /^v1\./);
    assert.deepEqual(await stored(), sealed);
  });
}
