/** The commands beside a running server, each in a separate process, on both databases. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { databases } from '../../kit/server/database.ts';
import { startChild, runInProcess, type ChildServer } from './child.ts';
import { contentsOf, contentsOfFile } from './store-contents.ts';
import { openAdminFixture, type SqlRow } from './fixture.ts';

for (const { kind, skip } of databases) {
  test(
    `${kind}: changes by commands apply to the very next request to the running server`,
    { skip },
    async () => {
      await using fixture = await openAdminFixture(kind);
      await using server = await startChild(fixture);
      const ask = (apiKey: string, id: 'plan/info' | 'groups/list') =>
        server.testClient.sdkClient(apiKey).request(id);

      const made = await runInProcess(fixture, 'key', 'create', '--email', 'owner@localhost', '--json');
      const { api_key: apiKey, ...rest } = JSON.parse(made.out);
      const withKey = await ask(apiKey, 'groups/list');
      await fixture.json('plan', 'set', '--email', 'owner@localhost', '--computers', '7');
      const plan = await ask(apiKey, 'plan/info');
      const second = await fixture.json('account', 'create', '--email', 'second@example.com');
      const withSecond = await ask(second.api_key, 'groups/list');

      assert.deepEqual([made.exit, made.err, made.out.split('\n').length], [0, '', 2]);
      assert.deepEqual(rest, { id: 2, email: 'owner@localhost', expires: null });
      assert.equal(withKey.http, 200);
      assert.match(JSON.stringify(plan.body), /"computers":\{[^}]*7/);
      assert.equal(withSecond.http, 200);
    },
  );

  test(
    `${kind}: the doctor gets an answer of the running server, and a restore waits until it is stopped`,
    { skip },
    async () => {
      await using fixture = await openAdminFixture(kind);
      await using server = await startChild(fixture);
      fixture.env['DRAWBRIDGE_LISTEN'] = `127.0.0.1:${server.port}`;
      const checkOf = async (name: string): Promise<SqlRow> => {
        const { checks } = JSON.parse((await fixture.type('doctor', '--json')).out);
        return checks.find((check: SqlRow) => check['name'] === name);
      };

      const running = await fixture.json('doctor');
      await fixture.json('backup', 'backup.db');
      const refused = await fixture.type('restore', 'backup.db', '--replace');
      fixture.env['DRAWBRIDGE_LISTEN'] = '127.0.0.1:1';
      const unreachable = await checkOf('server');
      await server.stop();
      const stopped = await checkOf('server');
      await fixture.json('restore', 'backup.db', '--replace');

      assert.deepEqual(
        running.checks.filter(({ name, state }: SqlRow) => state !== 'ok' && name !== 'disk'),
        [],
      );
      assert.match(JSON.stringify(running), /is running and answers at https:\/\/127\.0\.0\.1:\d+\/healthz/);
      assert.match(refused.err, /A server is running on the data folder .*: stop it first\.\n$/);
      assert.equal(unreachable['state'], 'problem');
      assert.match(
        unreachable['says'] as string,
        /is running but does not answer at 127\.0\.0\.1:1 \(connect ECONNREFUSED/,
      );
      assert.deepEqual(stopped, {
        name: 'server',
        state: 'ok',
        says: 'No server is running on the data folder.',
      });
      await using again = await startChild(fixture);
      assert.equal((await again.testClient.send({ path: '/readyz' })).http, 200);
    },
  );

  test(
    `${kind}: each backup taken under load is a committed state, and restores to it`,
    { skip },
    async () => {
      await using fixture = await openAdminFixture(kind);
      await using server = await startChild(fixture);
      await using load = startLoad(server);

      const backups = [];
      for (const name of ['one.db', 'two.db']) {
        await load.reaches(load.acknowledged.size + 40);
        const before = new Set(load.acknowledged);
        const made = await runInProcess(fixture, 'backup', name, '--json');
        backups.push({ file: join(fixture.folder, name), before, sent: new Set(load.sent), made });
      }
      await load.stop();

      const final = await contentsOf(fixture);
      for (const { file, before, sent, made } of backups) {
        assert.deepEqual([made.exit, made.err], [0, '']);
        const contents = contentsOfFile(file);
        const groups = new Set(contents['agent_group']!.map((row) => row['name'] as string));
        assert.deepEqual(before.difference(groups), new Set());
        assert.deepEqual(groups.difference(sent), new Set());
        const [creation, ...changes] = contents['audit']!;
        assert.equal(creation!['operation'], 'server/account-create');
        const logged = changes.map((row) => JSON.parse(row['input'] as string).name as string);
        assert.deepEqual(logged.toSorted(), [...groups].toSorted());
        assert.deepEqual(contents['account']![0]!['audit_seq'], groups.size + 1);
        for (const table of ['agent_group', 'audit'])
          for (const row of contents[table]!) assert.ok(includes(final[table]!, row));

        await using fresh = await openAdminFixture(kind);
        assert.deepEqual(await fresh.json('restore', file), {
          accounts: 1,
          rows: JSON.parse(made.out).rows,
        });
        assert.deepEqual(await contentsOf(fresh), contents);
        assert.equal((await fresh.json('audit', 'verify')).accounts[0]?.rows, groups.size + 1);
      }
      assert.ok(backups[0]!.before.size < backups[1]!.before.size);
    },
  );
}

const keys = new WeakMap<SqlRow[], Set<string>>();

function includes(rows: SqlRow[], row: SqlRow): boolean {
  if (!keys.has(rows)) keys.set(rows, new Set(rows.map((each) => JSON.stringify(each))));
  return keys.get(rows)!.has(JSON.stringify(row));
}

/** Eight clients that create groups one after the other until they are stopped, 5,000 at most. */
function startLoad({ testClient, apiKey }: ChildServer) {
  const [sent, acknowledged] = [new Set<string>(), new Set<string>()];
  const waiting: { count: number; resolve(): void }[] = [];
  const stopping = new AbortController();
  const client = testClient.sdkClient(apiKey);
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted && sent.size < 5_000) {
      const name = `group ${sent.size}`;
      sent.add(name);
      await client.call('groups/create', { name });
      acknowledged.add(name);
      for (const each of waiting) if (acknowledged.size >= each.count) each.resolve();
    }
  };
  const workers = Array.from({ length: 8 }, work);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await Promise.all(workers);
  };
  return {
    sent,
    acknowledged,
    reaches: (count: number) =>
      Promise.race([
        new Promise<void>((resolve) => void waiting.push({ count, resolve })),
        Promise.all(workers).then(() => assert.ok(acknowledged.size >= count, 'the load ended too early')),
      ]),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
