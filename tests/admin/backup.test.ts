/** Backups: whole, private, restored all or nothing, and at home in either database. */
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
import { digestOf } from '@drawbridge/server/random';
import { createBackupFile } from '@drawbridge/server/store/backup-file';
import { lockFolder } from '@drawbridge/server/store/lock';
import { must } from '../kit/account.ts';
import { databases } from '../kit/database.ts';
import { skipWithout } from '../kit/machine.ts';
import { attachFile, contentsOf, contentsOfFile, fillStore, large } from './full-store.ts';
import { openStage, type Row, type Stage } from './stage.ts';

const newGroup = (stage: Stage, accountId: number): Promise<number> =>
  stage.store(async (store) => (await must(store, 'groups/create', { accountId, name: 'new' })).id);

const rowsIn = (contents: Record<string, Row[]>): number =>
  Object.entries(contents).reduce((sum, [name, rows]) => sum + (name === 'migration' ? 0 : rows.length), 0);

test(
  'a store moves from SQLite to PostgreSQL and back by backups, equal row by row, but nobody stays signed in',
  { skip: skipWithout('PostgreSQL') },
  async () => {
    await using first = await openStage('sqlite');
    await using second = await openStage('postgres');
    await using third = await openStage('sqlite');
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
    const contents: typeof all = { ...all, panel_session: [], sign_in_step: [] };
    assert.deepEqual(contentsOfFile(one), contents);
    assert.deepEqual(await contentsOf(second), contents);
    assert.deepEqual(contentsOfFile(two), contents);
    assert.deepEqual(await contentsOf(third), contents);
    const counts = { accounts: 2, rows: rowsIn(contents) };
    assert.deepEqual([moved, home], [counts, counts]);
    const schema = contents['migration']!.length;
    assert.deepEqual(made, { file: one, ...counts, bytes: statSync(one).size, schema });
    assert.deepEqual(back, { file: two, ...counts, bytes: statSync(two).size, schema });
    for (const stage of [second, third]) assert.equal((await stage.json('audit', 'verify')).ok, true);
  },
);

for (const { kind, skip } of databases) {
  test(
    `${kind}: what was used stays used after a restore, and no id is given out twice`,
    { skip },
    async () => {
      await using stage = await openStage(kind);
      const filled = await stage.store((store) => fillStore(store, 'ann@example.com'));
      const { accountId, links } = filled;
      await stage.json('backup', 'backup.db');
      const afterwards = await newGroup(stage, accountId);
      await stage.closeStore();

      await stage.json('restore', 'backup.db', '--replace');

      const next = await newGroup(stage, accountId);
      assert.ok(afterwards > filled.removedGroup);
      assert.ok(next > afterwards, `${next} comes after ${afterwards}`);
      await stage.store(async (store) => {
        const consume = async (code: string): Promise<boolean> =>
          isFault(await store.change('links/consume', { digest: digestOf(code) }));
        assert.equal(await consume(links.used), true);
        assert.equal(await consume(links.unused), false);
        assert.equal(await consume(links.unused), true);
        assert.equal((await store.actors.byKey(digestOf(filled.apiKey)))?.actor.accountId, accountId);
      });
    },
  );

  test(
    `${kind}: an id that was removed before the backup is not given out in a new store either`,
    { skip },
    async () => {
      await using stage = await openStage(kind);
      await using fresh = await openStage(kind);
      const { accountId, removedGroup } = await stage.store((store) => fillStore(store, 'ann@example.com'));
      await stage.json('backup', 'backup.db');

      await fresh.json('restore', join(stage.folder, 'backup.db'));

      assert.ok((await newGroup(fresh, accountId)) > removedGroup);
    },
  );

  test(
    `${kind}: a restore over accounts must be asked for, and then nothing of them is left`,
    { skip },
    async () => {
      await using stage = await openStage(kind);
      await using other = await openStage(kind);
      await stage.json('account', 'create', '--email', 'ann@example.com');
      await stage.json('backup', 'backup.db');
      await other.store((store) => fillStore(store, 'bob@example.com'));
      await other.closeStore();
      const before = await contentsOf(other);
      const file = join(stage.folder, 'backup.db');

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
    await using stage = await openStage(kind);
    await stage.store((store) => fillStore(store, 'ann@example.com'));
    await stage.closeStore();
    await stage.json('backup', 'backup.db');
    const file = join(stage.folder, 'backup.db');
    const before = await contentsOf(stage);
    const bytes = readFileSync(file);
    const damages: Record<string, () => void> = {
      'overwritten in the middle': () =>
        writeFileSync(file, Buffer.from(bytes).fill(7, bytes.length / 2, bytes.length / 2 + 8_192)),
      'cut in half': () => truncateSync(file, Math.floor(bytes.length / 8_192) * 4_096),
    };

    for (const [name, damage] of Object.entries(damages)) {
      writeFileSync(file, bytes);
      damage();
      const { exit, err } = await stage.type('restore', 'backup.db', '--replace');
      assert.equal(exit, 1, name);
      assert.match(err, /^drawbridge: (restore failed: .*|.* can be read .*)\.\n$/, name);
    }

    assert.deepEqual(await contentsOf(stage), before);
    assert.deepEqual(leftovers(stage), []);
  });

  test(`${kind}: a restore is refused while a server runs on the data folder`, { skip }, async () => {
    await using stage = await openStage(kind);
    await stage.json('account', 'create', '--email', 'ann@example.com');
    await stage.json('backup', 'backup.db');
    const server = lockFolder(stage.data);

    const refused = await stage.type('restore', 'backup.db', '--replace');
    server?.release();

    assert.deepEqual(refused, {
      exit: 1,
      out: '',
      err: `drawbridge: A server is running on the data folder ${stage.data}: stop it first.\n`,
    });
    await stage.json('restore', 'backup.db', '--replace');
  });

  test(`${kind}: a backup of an older schema is brought up to date on its way`, { skip }, async () => {
    await using stage = await openStage(kind);
    await (await createBackupFile(join(stage.folder, 'old.db'), 0)).destroy();

    const restored = await stage.json('restore', 'old.db');

    assert.deepEqual(restored, { accounts: 0, rows: 0 });
    const { account_id: id } = await stage.json('account', 'create', '--email', 'ann@example.com');
    assert.equal(id, 1);
  });
}

test(
  'a restore into PostgreSQL that fails half-way leaves what was there',
  { skip: skipWithout('PostgreSQL') },
  async () => {
    await using small = await openStage('sqlite');
    await using stage = await openStage('postgres');
    await small.store((store) => fillStore(store, 'ann@example.com'));
    await small.json('backup', 'backup.db');
    await stage.store((store) => fillStore(store, 'bob@example.com'));
    await stage.closeStore();
    const before = await contentsOf(stage);
    const file = new SqliteDatabase(join(small.folder, 'backup.db'));
    // The audit log comes last, and PostgreSQL has no text with a NUL in it.
    file.exec(`update audit set input = 'a' || char(0) || 'b' where seq = 19`);
    file.close();

    const { exit, err } = await stage.type('restore', join(small.folder, 'backup.db'), '--replace');

    assert.equal(exit, 1);
    assert.match(err, /^drawbridge: restore failed: .*0x00\.\n$/);
    assert.deepEqual(await contentsOf(stage), before);
    assert.ok((await newGroup(stage, before['account']![0]!['account_id'] as number)) > 0);
  },
);

/** What a command left half done; a refusal may come before there is a data folder. */
const leftovers = (stage: Stage): string[] =>
  [stage.folder, stage.data]
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []))
    .filter((name) => name.includes('partial'));

test('a backup is private, whole, and never put over anything but a backup', async () => {
  await using stage = await openStage('sqlite');
  await stage.json('account', 'create', '--email', 'ann@example.com');
  const file = join(stage.folder, 'backup.db');

  await stage.json('backup', 'backup.db');
  const again = await stage.type('backup', 'backup.db');
  const forced = await stage.json('backup', 'backup.db', '--force');
  const overDatabase = await stage.type('backup', 'data/drawbridge.db', '--force');
  const nowhere = await stage.type('backup', 'none/backup.db');

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
  assert.deepEqual(leftovers(stage), []);
  assert.equal((await stage.json('account', 'list')).accounts.length, 1);
});

test('what is no backup, or is of a newer Drawbridge, is refused in a sentence', async () => {
  await using stage = await openStage('sqlite');
  await stage.json('account', 'create', '--email', 'ann@example.com');
  await stage.json('backup', 'newer.db');
  await stage.sql('pragma wal_checkpoint(truncate)');
  writeFileSync(
    join(stage.folder, 'letter.txt'),
    'Dear Ann, this is no database at all, however long it may be.',
  );
  writeFileSync(join(stage.folder, 'empty'), '');
  const newer = new SqliteDatabase(join(stage.folder, 'newer.db'));
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
    const { exit, out, err } = await stage.type('restore', file, '--replace');
    assert.deepEqual([exit, out], [1, ''], file);
    assert.match(err, says);
  }
  assert.equal((await stage.json('account', 'list')).accounts.length, 1);
});

test('a damaged database is no obstacle to restoring a backup over it', async () => {
  await using stage = await openStage('sqlite');
  await stage.json('account', 'create', '--email', 'ann@example.com');
  await stage.json('backup', 'backup.db');
  const database = join(stage.data, 'drawbridge.db');
  for (const log of ['-wal', '-shm']) rmSync(database + log, { force: true });
  writeFileSync(database, 'not a database any more, but still in its place');

  const refused = await stage.type('restore', 'backup.db');
  await stage.json('restore', 'backup.db', '--replace');

  assert.match(refused.err, /^drawbridge: The data folder .* cannot be opened: file is not a database\.\n$/);
  assert.equal((await stage.json('account', 'list')).accounts.length, 1);
});

test('a restore does not pull the database from under another program', async () => {
  await using stage = await openStage('sqlite');
  await stage.json('account', 'create', '--email', 'ann@example.com');
  await stage.json('backup', 'backup.db');
  await stage.store((store) => store.ping());

  const { exit, err } = await stage.type('restore', 'backup.db', '--replace');

  assert.deepEqual([exit, err], [1, 'drawbridge: restore failed: another program has the database open.\n']);
});

test('what a cut-off restore or a lost database left behind is not taken for a part of the new one', async () => {
  await using stage = await openStage('sqlite');
  await using other = await openStage('sqlite');
  await using fresh = await openStage('sqlite');
  await stage.json('account', 'create', '--email', 'ann@example.com');
  await stage.json('backup', 'backup.db');
  await other.store((store) => fillStore(store, 'bob@example.com'));
  // The log of a database that is still open: frames that would be replayed into whatever file has its name.
  const log = readFileSync(join(other.data, 'drawbridge.db-wal'));
  lockFolder(fresh.data)?.release();
  for (const name of ['drawbridge.db-wal', 'restore.partial-wal']) writeFileSync(join(fresh.data, name), log);

  await fresh.json('restore', join(stage.folder, 'backup.db'));

  assert.deepEqual(await contentsOf(fresh), contentsOfFile(join(stage.folder, 'backup.db')));
  assert.equal((await fresh.type('doctor')).exit, 0);
  assert.deepEqual(leftovers(fresh), []);
});
