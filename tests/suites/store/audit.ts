/** Part of the store's suite: the audit log and its chain. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import { findChainBreak, type AuditLine, type AuditRow } from '@drawbridge/server/domain/audit';
import { hashOf } from '@drawbridge/server/store/audit/audit';
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../../kit/server/account.ts';
import { openAccount, unique, type StoreAccount, type StoreFixture } from './fixture.ts';

const lineOf = ({ accountId, owner }: StoreAccount, operation: string): AuditLine => ({
  accountId,
  memberId: owner.id,
  email: owner.email,
  address: '192.0.2.1',
  operation,
  input: '{"name":"ünïcode ☃"}',
});

const start = { seq: 0, hash: '' };

/** Verifies the chain from its start; returns the rows, or the first fault. */
async function checkChain(store: Pick<Store, 'audit'>, accountId: number): Promise<AuditRow[] | string> {
  const rows: AuditRow[] = [];
  for (let part = await store.audit.chain(accountId, 0, 50); part.length > 0;) {
    for (const row of part) {
      const wrong = findChainBreak(row, rows.at(-1) ?? start, hashOf);
      if (wrong !== undefined) return wrong;
      rows.push(row);
    }
    part = await store.audit.chain(accountId, rows.at(-1)!.seq, 50);
  }
  const head = await store.audit.head(accountId);
  const last = rows.at(-1) ?? start;
  return head?.seq === last.seq && head.hash === last.hash ? rows : 'the chain ends before its head';
}

export function auditSuite(fixture: () => StoreFixture): void {
  test('a change and its row are written together; a refused change leaves its refusal and nothing else', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const [one, two] = [await account.agent(), await account.agent()];
    const path = `taken-${unique()}`;
    const take = (id: number, name: string) =>
      store.change(
        'agents/update',
        {
          accountId,
          by: account.owner.id,
          id,
          name,
          permanent: { enable: true, url: path, password: 'hash' },
        },
        lineOf(account, 'agents/update'),
      );

    await take(one.id, 'first');
    const refused = await take(two.id, 'second');

    assert.ok(isFault(refused));
    assert.notEqual((await account.agentOf(two.id))?.name, 'second');
    const { total, rows } = await store.audit.list(accountId, { offset: 0, limit: 10 });
    assert.equal(total, 3);
    assert.deepEqual(
      rows.map((row) => [row.seq, row.outcome, row.time]),
      [
        [3, 'path_taken', store.now()],
        [2, 'done', store.now()],
        [1, 'done', store.now()],
      ],
    );
    assert.partialDeepStrictEqual(rows[1], lineOf(account, 'agents/update'));
    assert.equal(rows[0]?.previousHash, rows[1]?.hash);
    assert.equal(rows[2]?.operation, 'server/account-create');
  });

  test('a change that fails leaves no row', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { code } = await account.invitation();

    const failing = store.change(
      'invitations/create',
      {
        accountId: account.accountId,
        memberId: account.owner.id,
        clientName: '',
        codes: [code],
        connectToken: unique(),
      },
      lineOf(account, 'support/create'),
    );

    await assert.rejects(failing);
    assert.equal((await store.audit.head(account.accountId))?.seq, 1);
    assert.equal((await store.plan.usage(account.accountId, store.now())).invitations, 1);
  });

  test('rows of one account written at the same moment form one chain, and those of another a second', async () => {
    const { store } = fixture();
    const accounts = [await openAccount(store), await openAccount(store)];

    await Promise.all(
      Array.from({ length: 60 }, (_, at) => {
        const account = accounts[at % 2]!;
        const { accountId } = account;
        const line = lineOf(account, `test/${at}`);
        if (at % 3 === 0) return store.change('audit/append', { accountId, outcome: 'forbidden' }, line);
        if (at % 3 === 1) return store.change('groups/create', { accountId, name: `g${at}` }, line);
        return store.change('groups/remove', { accountId, id: 2 ** 52 }, line);
      }),
    );

    for (const { accountId } of accounts) {
      const rows = await checkChain(store, accountId);
      assert.ok(Array.isArray(rows), JSON.stringify(rows));
      assert.equal(rows.length, 31);
      assert.deepEqual(new Set(rows.map((row) => row.outcome)), new Set(['done', 'forbidden', 'not_found']));
      assert.equal(new Set(rows.map((row) => row.operation)).size, 31);
    }
  });

  test('a row that is changed, removed or moved afterwards is detected', async () => {
    const { store, sql } = fixture();
    const tampered = async (statement: (accountId: number) => string): Promise<unknown> => {
      const account = await openAccount(store);
      const { accountId } = account;
      for (let at = 1; at <= 4; at++) await must(store, 'audit/append', { accountId, outcome: 'done' });
      for (let at = 1; at <= 4; at++)
        await store.change('audit/append', { accountId, outcome: 'done' }, lineOf(account, `test/${at}`));
      await sql(statement(accountId));
      return checkChain(store, accountId);
    };
    const where = (accountId: number, seq: number) => `account_id = ${accountId} and seq = ${seq}`;

    const changed = await tampered((id) => `update audit set outcome = 'x' where ${where(id, 2)}`);
    const removed = await tampered((id) => `delete from audit where ${where(id, 3)}`);
    const cut = await tampered((id) => `delete from audit where ${where(id, 5)}`);

    assert.deepEqual(
      [changed, removed, cut],
      ['row 2 was changed', 'row 3 is missing', 'the chain ends before its head'],
    );
  });

  test('the log is searched by operation, member and time, newest first', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const begin = store.now();
    for (const operation of ['a', 'b', 'a']) {
      await store.change('audit/append', { accountId, outcome: 'done' }, lineOf(account, operation));
      advance(10);
    }
    const seqs = async (filter: object) =>
      (await store.audit.list(accountId, { offset: 0, limit: 10, ...filter })).rows.map((row) => row.seq);

    assert.deepEqual(await seqs({ operation: 'a' }), [4, 2]);
    assert.deepEqual(await seqs({ email: account.owner.email.toUpperCase() }), [4, 3, 2]);
    assert.deepEqual(await seqs({ email: 'nobody@example.com' }), []);
    assert.deepEqual(await seqs({ from: begin + 10, to: begin + 10 }), [3]);
    assert.deepEqual(await seqs({ offset: 1, limit: 1 }), [3]);
    assert.equal(await store.audit.head(2 ** 52), undefined);
  });
}
