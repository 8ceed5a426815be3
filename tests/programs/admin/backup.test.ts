/** Backups: complete, private, restored all or nothing, and portable between both databases. */
import assert from 'node:assert/strict';
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { isFault } from '@drawbridge/contract/faults';
import { digestOf } from '@drawbridge/server/edges/random';
import { createBackupFile } from '@drawbridge/server/store/upkeep/backup-file';
import { emptySchema } from '@drawbridge/server/store/engine/migrate';
import { lockFolder } from '@drawbridge/server/store/engine/lock';
import { must } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { attachFile, fillStore, large } from './full-store.ts';
import { contentsOf, contentsOfFile } from './store-contents.ts';
import { openAdminFixture, type SqlRow, type AdminFixture } from './fixture.ts';

const newGroup = (fixture: AdminFixture, accountId: number): Promise<number> =>
  fixture.store(async (store) => (await must(store, 'groups/create', { accountId, name: 'new' })).id);

const rowsIn = (contents: Record<string, SqlRow[]>): number =>
  Object.entries(contents).reduce((sum, [name, rows]) => sum + (name === 'migration' ? 0 : rows.length), 0);

test(
  'a store moves from SQLite to PostgreSQL and back by backups, equal row by row, except that nobody stays signed in',
  { skip: skipWithout('PostgreSQL') },
  async () => {
    await using first = await openAdminFixture('sqlite');
    await using second = await openAdminFixture('postgres');
    await using third = await openAdminFixture('sqlite');
    const { accountId } = await first.store(async (store) => {
      await fillStore(store, 'ann@example.com', large);
      return fillStore(store, 'bob@example.com');
    });
    await attachFile(first, accountId);
    const [one, two] = [join(first.folder, 'one.db'), join(first.folder, 'two.db')];

    const made = await first.json('backup', one);
    const moved = await second.json('restore', one);
    const back = await second.json('backup', two);
    const home = await third.json('restore', two);

    const all = await contentsOf(first);
    for (const [name, rows] of Object.entries(all)) assert.ok(rows.length > 0, `${name} is empty`);
    const contents: typeof all = { ...all, panel_session: [], sign_in_step: [], bus_key: [], node: [] };
    assert.deepEqual(contentsOfFile(one), contents);
    assert.deepEqual(await contentsOf(second), contents);
    assert.deepEqual(contentsOfFile(two), contents);
    assert.deepEqual(await contentsOf(third), contents);
    const counts = { accounts: 2, rows: rowsIn(contents) };
    assert.deepEqual([moved, home], [counts, counts]);
    const schema = contents['migration']!.length;
    assert.deepEqual(made, { file: one, ...counts, bytes: statSync(one).size, schema });
    assert.deepEqual(back, { file: two, ...counts, bytes: statSync(two).size, schema });
    for (const fixture of [second, third]) assert.equal((await fixture.json('audit', 'verify')).ok, true);
  },
);

for (const { kind, skip } of databases) {
  test(`${kind}: used links and ids stay used after a restore`, { skip }, async () => {
    await using fixture = await openAdminFixture(kind);
    const filled = await fixture.store((store) => fillStore(store, 'ann@example.com'));
    const { accountId, links } = filled;
    await fixture.json('backup', 'backup.db');
    const afterwards = await newGroup(fixture, accountId);
    await fixture.closeStore();

    await fixture.json('restore', 'backup.db', '--replace');

    const next = await newGroup(fixture, accountId);
    assert.ok(afterwards > filled.removedGroup);
    assert.ok(next > afterwards, `${next} comes after ${afterwards}`);
    await fixture.store(async (store) => {
      const consume = async (code: string): Promise<boolean> =>
        isFault(await store.change('links/consume', { digest: digestOf(code) }));
      assert.equal(await consume(links.used), true);
      assert.equal(await consume(links.unused), false);
      assert.equal(await consume(links.unused), true);
      assert.equal((await store.actors.byKey(digestOf(filled.apiKey)))?.actor.accountId, accountId);
    });
  });

  test(
    `${kind}: an id that was removed before the backup is not assigned again in a new store either`,
    { skip },
    async () => {
      await using fixture = await openAdminFixture(kind);
      await using fresh = await openAdminFixture(kind);
      const { accountId, removedGroup } = await fixture.store((store) => fillStore(store, 'ann@example.com'));
      await fixture.json('backup', 'backup.db');

      await fresh.json('restore', join(fixture.folder, 'backup.db'));

      assert.ok((await newGroup(fresh, accountId)) > removedGroup);
    },
  );

  test(
    `${kind}: a restore over accounts must be forced, and then nothing of them is left`,
    { skip },
    async () => {
      await using fixture = await openAdminFixture(kind);
      await using other = await openAdminFixture(kind);
      await fixture.json('account', 'create', '--email', 'ann@example.com');
      await fixture.json('backup', 'backup.db');
      await other.store((store) => fillStore(store, 'bob@example.com'));
      await other.closeStore();
      const before = await contentsOf(other);
      const file = join(fixture.folder, 'backup.db');

      const refused = await other.type('restore', file);
      const untouched = await contentsOf(other);
      await other.json('restore', file, '--replace');

      assert.deepEqual(refused, {
        exit: 1,
        out: '',
        err: 'drawbridge: The database already holds accounts; use --replace to replace them with the backup.\n',
      });
      assert.deepEqual(untouched, before);
      assert.deepEqual(await contentsOf(other), contentsOfFile(file));
    },
  );

  test(`${kind}: a damaged backup changes nothing`, { skip }, async () => {
    await using fixture = await openAdminFixture(kind);
    await fixture.store((store) => fillStore(store, 'ann@example.com'));
    await fixture.closeStore();
    await fixture.json('backup', 'backup.db');
    const file = join(fixture.folder, 'backup.db');
    const before = await contentsOf(fixture);
    const bytes = readFileSync(file);
    const damages: Record<string, () => void> = {
      'overwritten in the middle': () =>
        writeFileSync(file, Buffer.from(bytes).fill(7, bytes.length / 2, bytes.length / 2 + 8_192)),
      'cut in half': () => truncateSync(file, Math.floor(bytes.length / 8_192) * 4_096),
    };

    for (const [name, damage] of Object.entries(damages)) {
      writeFileSync(file, bytes);
      damage();
      const { exit, err } = await fixture.type('restore', 'backup.db', '--replace');
      assert.equal(exit, 1, name);
      assert.match(err, /^drawbridge: (restore failed: .*|.* can be read .*)\.\n$/, name);
    }

    assert.deepEqual(await contentsOf(fixture), before);
    assert.deepEqual(leftovers(fixture), []);
  });

  test(`${kind}: a restore is refused while a server runs on the data folder`, { skip }, async () => {
    await using fixture = await openAdminFixture(kind);
    await fixture.json('account', 'create', '--email', 'ann@example.com');
    await fixture.json('backup', 'backup.db');
    const server = lockFolder(fixture.data);

    const refused = await fixture.type('restore', 'backup.db', '--replace');
    server?.release();

    assert.deepEqual(refused, {
      exit: 1,
      out: '',
      err: `drawbridge: A server is running on the data folder ${fixture.data}: stop it first.\n`,
    });
    await fixture.json('restore', 'backup.db', '--replace');
  });

  test(`${kind}: a backup of an older schema is migrated during the restore`, { skip }, async () => {
    await using fixture = await openAdminFixture(kind);
    await (await createBackupFile(join(fixture.folder, 'old.db'), emptySchema)).destroy();

    const restored = await fixture.json('restore', 'old.db');

    assert.deepEqual(restored, { accounts: 0, rows: 0 });
    const { account_id: id } = await fixture.json('account', 'create', '--email', 'ann@example.com');
    assert.equal(id, 1);
  });
}

test(
  'a restore into PostgreSQL that fails halfway leaves the previous content',
  { skip: skipWithout('PostgreSQL') },
  async () => {
    await using small = await openAdminFixture('sqlite');
    await using fixture = await openAdminFixture('postgres');
    await small.store((store) => fillStore(store, 'ann@example.com'));
    await small.json('backup', 'backup.db');
    await fixture.store((store) => fillStore(store, 'bob@example.com'));
    await fixture.closeStore();
    const before = await contentsOf(fixture);
    const file = new SqliteDatabase(join(small.folder, 'backup.db'));
    // The audit log comes last, and PostgreSQL rejects a text that contains NUL.
    file.exec(`update audit set input = 'a' || char(0) || 'b' where seq = 19`);
    file.close();

    const { exit, err } = await fixture.type('restore', join(small.folder, 'backup.db'), '--replace');

    assert.equal(exit, 1);
    assert.match(err, /^drawbridge: restore failed: .*0x00\.\n$/);
    assert.deepEqual(await contentsOf(fixture), before);
    assert.ok((await newGroup(fixture, before['account']![0]!['account_id'] as number)) > 0);
  },
);

/** What a command left half done; a refusal may come before the data folder exists. */
const leftovers = (fixture: AdminFixture): string[] =>
  [fixture.folder, fixture.data]
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []))
    .filter((name) => name.includes('partial'));

test('a backup is private, complete, and overwrites nothing but a backup', async () => {
  await using fixture = await openAdminFixture('sqlite');
  await fixture.json('account', 'create', '--email', 'ann@example.com');
  const file = join(fixture.folder, 'backup.db');

  await fixture.json('backup', 'backup.db');
  const again = await fixture.type('backup', 'backup.db');
  const forced = await fixture.json('backup', 'backup.db', '--force');
  const overDatabase = await fixture.type('backup', 'data/drawbridge.db', '--force');
  const nowhere = await fixture.type('backup', 'none/backup.db');

  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(again, {
    exit: 1,
    out: '',
    err: `drawbridge: ${file} already exists; use --force to overwrite it.\n`,
  });
  assert.equal(forced.file, file);
  assert.match(
    overDatabase.err,
    /drawbridge\.db is not a backup made by Drawbridge\. It is not overwritten\.\n$/,
  );
  assert.match(nowhere.err, /There is no folder .*none\.\n$/);
  assert.deepEqual([overDatabase.exit, nowhere.exit], [1, 1]);
  assert.deepEqual(leftovers(fixture), []);
  assert.equal((await fixture.json('account', 'list')).accounts.length, 1);
});

test('a file that is no backup, or is of a newer Drawbridge, is refused in a sentence', async () => {
  await using fixture = await openAdminFixture('sqlite');
  await fixture.json('account', 'create', '--email', 'ann@example.com');
  await fixture.json('backup', 'newer.db');
  await fixture.sql('pragma wal_checkpoint(truncate)');
  writeFileSync(
    join(fixture.folder, 'letter.txt'),
    'Dear Ann, this is no database at all, however long it may be.',
  );
  writeFileSync(join(fixture.folder, 'empty'), '');
  const newer = new SqliteDatabase(join(fixture.folder, 'newer.db'));
  newer.exec('insert into migration (number) values (99)');
  newer.close();
  const refusals: [string, RegExp][] = [
    ['none.db', /There is no file .*none\.db\.\n$/],
    ['letter.txt', /letter\.txt is not a backup that can be read \(file is not a database\)\.\n$/],
    ['empty', /empty is not a backup made by Drawbridge\.\n$/],
    ['data', /data is not a backup that can be read \(.*\)\.\n$/],
    ['data/drawbridge.db', /drawbridge\.db is not a backup made by Drawbridge\.\n$/],
    [
      'newer.db',
      /newer\.db has schema 99, but this Drawbridge supports schemas only up to \d+: use a newer Drawbridge\.\n$/,
    ],
  ];

  for (const [file, says] of refusals) {
    const { exit, out, err } = await fixture.type('restore', file, '--replace');
    assert.deepEqual([exit, out], [1, ''], file);
    assert.match(err, says);
  }
  assert.equal((await fixture.json('account', 'list')).accounts.length, 1);
});

test('a backup can be restored over a damaged database', async () => {
  await using fixture = await openAdminFixture('sqlite');
  await fixture.json('account', 'create', '--email', 'ann@example.com');
  await fixture.json('backup', 'backup.db');
  const database = join(fixture.data, 'drawbridge.db');
  for (const log of ['-wal', '-shm']) rmSync(database + log, { force: true });
  writeFileSync(database, 'not a database any more, but still in its place');

  const refused = await fixture.type('restore', 'backup.db');
  await fixture.json('restore', 'backup.db', '--replace');

  assert.match(refused.err, /^drawbridge: The data folder .* cannot be opened: file is not a database\.\n$/);
  assert.equal((await fixture.json('account', 'list')).accounts.length, 1);
});

test('a restore refuses while another program uses the database', async () => {
  await using fixture = await openAdminFixture('sqlite');
  await fixture.json('account', 'create', '--email', 'ann@example.com');
  await fixture.json('backup', 'backup.db');
  await fixture.store((store) => store.ping());

  const { exit, err } = await fixture.type('restore', 'backup.db', '--replace');

  assert.deepEqual([exit, err], [1, 'drawbridge: restore failed: another program has the database open.\n']);
});

test('leftovers of an interrupted restore or of a lost database do not become part of the new one', async () => {
  await using fixture = await openAdminFixture('sqlite');
  await using other = await openAdminFixture('sqlite');
  await using fresh = await openAdminFixture('sqlite');
  await fixture.json('account', 'create', '--email', 'ann@example.com');
  await fixture.json('backup', 'backup.db');
  await other.store((store) => fillStore(store, 'bob@example.com'));
  // The write-ahead log of a database that is still open: its frames would be replayed into any file with its
  // name.
  const log = readFileSync(join(other.data, 'drawbridge.db-wal'));
  lockFolder(fresh.data)?.release();
  for (const name of ['drawbridge.db-wal', 'restore.partial-wal']) writeFileSync(join(fresh.data, name), log);

  await fresh.json('restore', join(fixture.folder, 'backup.db'));

  assert.deepEqual(await contentsOf(fresh), contentsOfFile(join(fixture.folder, 'backup.db')));
  assert.equal((await fresh.type('doctor')).exit, 0);
  assert.deepEqual(leftovers(fresh), []);
});
