/** Verifying the audit log, through the public API, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestAccount } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { runSql } from '../../kit/server/raw-sql.ts';

for (const { kind, skip } of databases)
  describe(`verifying the audit log on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    const verify = async ({ owner }: TestAccount) => (await owner.call('audit/verify')).body['data'];
    /** An account with this many entries. */
    async function withLines(lines: number): Promise<TestAccount> {
      const account = await service.account();
      for (let at = 1; at < lines; at += 1)
        await account.owner.call('groups/create', { name: `group ${at}` });
      return account;
    }

    test('an untouched log is intact, and verifying leaves nothing in it', async () => {
      const account = await withLines(8);

      assert.deepEqual(await verify(account), { intact: true, lines: 8, checked_to: 8 });
      assert.deepEqual(await verify(account), { intact: true, lines: 8, checked_to: 8 });
    });

    test('a changed, a missing and an extra entry are found, each at its position', async () => {
      const changed = await withLines(8);
      await runSql(service, `update audit set email = 'eve' where account_id = ${changed.id} and seq = 5`);
      const missing = await withLines(6);
      await runSql(service, `delete from audit where account_id = ${missing.id} and seq = 3`);
      const cut = await withLines(6);
      await runSql(service, `delete from audit where account_id = ${cut.id} and seq > 4`);
      const added = await withLines(4);
      await runSql(
        service,
        `insert into audit select account_id, 9, time, member_id, email, address, operation, outcome, input,
           previous_hash, hash from audit where account_id = ${added.id} and seq = 4`,
      );
      const untouched = await withLines(3);

      assert.deepEqual(await verify(changed), { intact: false, lines: 4, checked_to: 5, broken_at: 5 });
      assert.deepEqual(await verify(missing), { intact: false, lines: 2, checked_to: 4, broken_at: 3 });
      assert.deepEqual(await verify(cut), { intact: false, lines: 4, checked_to: 4, broken_at: 5 });
      assert.deepEqual(await verify(added), { intact: false, lines: 4, checked_to: 9, broken_at: 5 });
      assert.deepEqual(await verify(untouched), { intact: true, lines: 3, checked_to: 3 });
    });

    test('while a long log is verified, other requests are answered', async () => {
      const account = await service.account();
      const { store } = service.server;
      const of = { accountId: account.id, memberId: null, email: 'x', address: '' };
      const line = { ...of, operation: 'o', input: '{}' };
      const append = () => store.change('audit/append', { accountId: account.id, outcome: 'done' }, line);
      for (let round = 0; round < 40; round += 1) await Promise.all(Array.from({ length: 100 }, append));
      let turns = 0;
      let turning = setImmediate(again);
      function again(): void {
        turns += 1;
        turning = setImmediate(again);
      }

      const followed = await store.audit.verify(account.id);

      clearImmediate(turning);
      assert.deepEqual(followed, { rows: 4_001, to: 4_001 });
      assert.ok(turns >= 8, `${turns} turns`);
      assert.equal((await verify(account)).lines, 4_001);
    });
  });
