/** `audit verify` names the first altered row, whatever was done to the tables, on both databases. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCanonicalText, type AuditRow } from '@drawbridge/server/domain/audit';
import { hashOf } from '@drawbridge/server/store/audit/audit';
import { databases } from '../../kit/server/database.ts';
import { openAdminFixture, type SqlRow, type AdminFixture } from './fixture.ts';

const rowsEach = 12;

const append = (fixture: AdminFixture, accounts: number[], count: number): Promise<unknown> =>
  fixture.store((store) =>
    Promise.all(
      accounts.flatMap((accountId) =>
        Array.from({ length: count }, (_, at) =>
          store.change(
            'audit/append',
            { accountId, outcome: 'done' },
            {
              accountId,
              memberId: at % 3 === 0 ? null : at,
              email: 'ann@example.com',
              address: '192.0.2.1',
              operation: `agents/${at % 2 === 0 ? 'wake' : 'reboot'}`,
              input: JSON.stringify({ at, name: 'Größe ✓' }),
            },
          ),
        ),
      ),
    ),
  );

/** Two accounts with the same history, and a function that restores it. */
async function openChains(fixture: AdminFixture) {
  const ids: number[] = [];
  for (const email of ['a@x.example', 'b@x.example'])
    ids.push((await fixture.json('account', 'create', '--email', email)).account_id);
  const [a, b] = ids as [number, number];
  await append(fixture, [a, b], rowsEach - 1); // The first row records that the account was created.
  await fixture.sql('create table kept as select * from audit');
  const heads = await fixture.sql('select account_id, audit_seq, audit_hash from account');
  return {
    a,
    b,
    async mend() {
      await fixture.sql('delete from audit');
      await fixture.sql('insert into audit select * from kept');
      for (const head of heads)
        await fixture.sql(
          `update account set audit_seq = ${Number(head['audit_seq'])}, audit_hash = '${String(head['audit_hash'])}' where account_id = ${Number(head['account_id'])}`,
        );
    },
  };
}

interface Verified {
  account_id: number;
  ok: boolean;
  first_bad: number;
  says: string;
}

/** Returns which accounts are broken, and at which row. */
async function verify(fixture: AdminFixture): Promise<Record<number, { first_bad: number; says: string }>> {
  const { exit, out } = await fixture.type('audit', 'verify', '--json');
  const { ok, accounts } = JSON.parse(out) as { ok: boolean; accounts: Verified[] };
  const broken = accounts.filter((each) => !each.ok);
  assert.equal(ok, broken.length === 0);
  assert.equal(exit, ok ? 0 : 1);
  return Object.fromEntries(
    broken.map(({ account_id, first_bad, says }) => [account_id, { first_bad, says }]),
  );
}

const toRow = (row: SqlRow): AuditRow => ({
  accountId: Number(row['account_id']),
  seq: Number(row['seq']),
  time: Number(row['time']),
  memberId: row['member_id'] === null ? null : Number(row['member_id']),
  email: row['email'] as string,
  address: row['address'] as string,
  operation: row['operation'] as string,
  outcome: row['outcome'] as string,
  input: row['input'] as string,
  previousHash: row['previous_hash'] as string,
  hash: row['hash'] as string,
});

/** What an attacker who knows the chain would do: change a row and compute every later hash again. */
async function rewriteFrom(fixture: AdminFixture, account: number, seq: number): Promise<void> {
  const rows = await fixture.sql(
    `select * from audit where account_id = ${account} and seq >= ${seq} order by seq`,
  );
  let previousHash = toRow(rows[0]!).previousHash;
  for (const row of rows.map(toRow)) {
    const operation = row.seq === seq ? 'agents/list' : row.operation;
    const hash = hashOf(toCanonicalText({ ...row, operation, previousHash }));
    await fixture.sql(
      `update audit set operation = '${operation}', previous_hash = '${previousHash}', hash = '${hash}' where account_id = ${account} and seq = ${row.seq}`,
    );
    previousHash = hash;
  }
}

for (const { kind, skip } of databases) {
  test(`${kind}: an untouched audit log is intact, account by account`, { skip }, async () => {
    await using fixture = await openAdminFixture(kind);
    const { a, b } = await openChains(fixture);

    const all = await fixture.json('audit', 'verify');
    const one = await fixture.json('audit', 'verify', '--email', 'B@x.example');
    const nobody = await fixture.type('audit', 'verify', '--email', 'c@x.example');

    const intact = { rows: rowsEach, ok: true };
    assert.deepEqual(all, {
      ok: true,
      accounts: [
        { account_id: a, email: 'a@x.example', ...intact },
        { account_id: b, email: 'b@x.example', ...intact },
      ],
    });
    assert.deepEqual(one, { ok: true, accounts: [{ account_id: b, email: 'b@x.example', ...intact }] });
    assert.deepEqual(
      [nobody.exit, nobody.err],
      [1, 'drawbridge: c@x.example does not own an account on this server.\n'],
    );
  });

  test(`${kind}: whatever is done to the audit log, the first altered row is named`, { skip }, async (t) => {
    await using fixture = await openAdminFixture(kind);
    const { a, b, mend } = await openChains(fixture);
    const inA = (condition: string): string => `where account_id = ${a} and ${condition}`;
    const columns =
      'account_id, seq, time, member_id, email, address, operation, outcome, input, previous_hash, hash';
    const copied = (seq: string): string => columns.replace('seq', seq);
    const bad = (seq: number, says: string) => ({ [a]: { first_bad: seq, says } });

    const alterations: [string, string][] = [
      ['time', 'time + 1'],
      ['member_id', 'coalesce(member_id, 0) + 1'],
      ['email', `'eve@example.com'`],
      ['address', `'192.0.2.2'`],
      ['operation', `'agents/list'`],
      ['outcome', `'forbidden'`],
      ['input', `'{}'`],
      ['hash', `'${'0'.repeat(64)}'`],
    ];
    const cases: [string, string[] | (() => Promise<void>), object][] = [
      ...alterations.map(([column, value]): [string, string[], object] => [
        `${column} altered`,
        [`update audit set ${column} = ${value} ${inA('seq = 5')}`],
        bad(5, 'row 5 was changed.'),
      ]),
      [
        'previous_hash altered',
        [`update audit set previous_hash = '' ${inA('seq = 5')}`],
        bad(5, 'row 5 does not follow the row before it.'),
      ],
      ['a row deleted', [`delete from audit ${inA('seq = 5')}`], bad(5, 'row 5 is missing.')],
      ['the first row deleted', [`delete from audit ${inA('seq = 1')}`], bad(1, 'row 1 is missing.')],
      [
        'a row inserted between two',
        [
          `update audit set seq = seq + 1000 ${inA('seq > 5')}`,
          `update audit set seq = seq - 999 ${inA('seq > 1000')}`,
          `insert into audit (${columns}) select ${copied('6')} from audit ${inA('seq = 5')}`,
        ],
        bad(6, 'row 6 does not follow the row before it.'),
      ],
      [
        'a row put before the first',
        [`insert into audit (${columns}) select ${copied('0')} from audit ${inA('seq = 1')}`],
        bad(0, 'row 0 was inserted.'),
      ],
      [
        'a row put after the last',
        [`insert into audit (${columns}) select ${copied('13')} from audit ${inA('seq = 12')}`],
        bad(13, 'row 13 does not follow the row before it.'),
      ],
      [
        'a fitting row put after the last',
        [
          `update account set audit_seq = 11, audit_hash = (select hash from audit ${inA('seq = 11')}) where account_id = ${a}`,
        ],
        bad(12, 'row 12 comes after the last row that the account recorded.'),
      ],
      [
        'two rows reordered',
        [
          `update audit set seq = 1000 ${inA('seq = 5')}`,
          `update audit set seq = 5 ${inA('seq = 6')}`,
          `update audit set seq = 6 ${inA('seq = 1000')}`,
        ],
        bad(5, 'row 5 does not follow the row before it.'),
      ],
      [
        'rows swapped between accounts',
        [
          `update audit set seq = 1000 ${inA('seq = 5')}`,
          `update audit set account_id = ${a} where account_id = ${b} and seq = 5`,
          `update audit set account_id = ${b}, seq = 5 ${inA('seq = 1000')}`,
        ],
        Object.fromEntries(
          [a, b].map((id) => [id, { first_bad: 5, says: 'row 5 does not follow the row before it.' }]),
        ),
      ],
      [
        'whole logs swapped between accounts',
        [
          `update audit set seq = seq + 1000 where account_id = ${a}`,
          `update audit set account_id = ${a} where account_id = ${b}`,
          `update audit set account_id = ${b}, seq = seq - 1000 where account_id = ${a} and seq > 1000`,
        ],
        Object.fromEntries([a, b].map((id) => [id, { first_bad: 1, says: 'row 1 was changed.' }])),
      ],
      [
        'the tail cut off',
        [`delete from audit ${inA('seq > 9')}`],
        bad(10, 'the end is cut off: row 10 is missing.'),
      ],
      [
        'everything deleted',
        [`delete from audit ${inA('seq > 0')}`],
        bad(1, 'the end is cut off: row 1 is missing.'),
      ],
      [
        'a row changed and all later hashes computed again',
        () => rewriteFrom(fixture, a, 5),
        bad(12, 'row 12 is not the last row that the account recorded.'),
      ],
    ];

    for (const [name, tamper, found] of cases)
      await t.test(name, async () => {
        if (typeof tamper === 'function') await tamper();
        else for (const statement of tamper) await fixture.sql(statement);

        assert.deepEqual(await verify(fixture), found);

        await mend();
        assert.deepEqual(await verify(fixture), {});
      });
  });
}

test('a long log is verified to its end, and the doctor verifies its last thousand rows', async () => {
  await using fixture = await openAdminFixture('sqlite');
  const { account_id: id } = await fixture.json('account', 'create', '--email', 'a@x.example');
  await append(fixture, [id], 2_099);
  const change = (seq: number, to: string): Promise<SqlRow[]> =>
    fixture.sql(`update audit set outcome = '${to}' where seq = ${seq}`);
  const doctor = async (): Promise<string[]> => {
    const { checks } = JSON.parse((await fixture.type('doctor', '--json')).out);
    return checks.flatMap(({ name, state, says }: SqlRow) =>
      name === 'audit log' ? [`${String(state)}: ${String(says)}`] : [],
    );
  };

  assert.equal((await fixture.json('audit', 'verify')).accounts[0]?.rows, 2_100);
  await change(1_101, 'forbidden');
  assert.deepEqual(await verify(fixture), { [id]: { first_bad: 1_101, says: 'row 1101 was changed.' } });
  assert.deepEqual(await doctor(), ['problem: Account 1 (a@x.example): row 1101 was changed.']);
  await change(1_101, 'done');
  await change(1_100, 'forbidden');
  assert.deepEqual(await verify(fixture), { [id]: { first_bad: 1_100, says: 'row 1100 was changed.' } });
  assert.deepEqual(await doctor(), ['ok: The last 1000 rows of every account are intact.']);
});
