/** `doctor`: what it finds, how severe it is, and what it advises. */
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '@drawbridge/server/config/config';
import { acmeFolderOf, writeAttempt, writeIssued } from '@drawbridge/server/tls/acme/acme-files';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { databases } from '../../kit/server/database.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openMailbox } from '../../kit/server/mailbox.ts';
import { createDatedCertificate } from '../../kit/acme/dated-certificate.ts';
import { openAdminFixture, type AdminFixture } from './fixture.ts';

interface Check {
  name: string;
  state: string;
  says: string;
}

interface Report {
  exit: number;
  ok: boolean;
  checks: Check[];
  /** Checks that are not fine, as `name: state`; the free disk space says nothing about the doctor. */
  amiss: string[];
  of(name: string): Check | undefined;
}

async function examine(fixture: AdminFixture): Promise<Report> {
  const { exit, out } = await fixture.type('doctor', '--json');
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Check[] };
  const amiss = checks
    .filter(({ name, state }) => state !== 'ok' && name !== 'disk')
    .map(({ name, state }) => `${name}: ${state}`);
  return { exit, ok, checks, amiss, of: (name) => checks.find((check) => check.name === name) };
}

const day = 86_400_000;

/** A certificate of the fixture, named in its settings. */
async function giveCertificate(fixture: AdminFixture, name: string, made: Date): Promise<void> {
  const { cert, key } = await createSelfSigned([name], made);
  const files = { DRAWBRIDGE_TLS_CERT: 'cert.pem', DRAWBRIDGE_TLS_KEY: 'key.pem' };
  writeFileSync(join(fixture.folder, 'cert.pem'), cert);
  writeFileSync(join(fixture.folder, 'key.pem'), key, { mode: 0o600 });
  Object.assign(fixture.env, files);
}

for (const { kind, skip } of databases) {
  test(`${kind}: an intact installation passes every check`, { skip }, async () => {
    await using fixture = await openAdminFixture(kind);
    await fixture.json('account', 'create', '--email', 'ann@example.com');
    await fixture.store((store) => store.ping());

    const { exit, ok, amiss, of } = await examine(fixture);
    const forPeople = await fixture.type('doctor');

    assert.deepEqual([exit, ok, amiss], [0, true, []]);
    assert.match(of('schema')?.says ?? '', /^It is up to date \(\d+\)\.$/);
    for (const line of forPeople.out.trimEnd().split('\n')) assert.match(line, /^ok       [\w -]+: .*[.\w]$/);
    assert.equal(forPeople.out.includes('postgres://'), false);
  });

  test(`${kind}: a store of a newer Drawbridge is a problem`, { skip }, async () => {
    await using fixture = await openAdminFixture(kind);
    await fixture.json('account', 'create', '--email', 'ann@example.com');
    await fixture.sql('insert into migration (number) values (99)');

    const { exit, amiss } = await examine(fixture);

    assert.deepEqual([exit, amiss], [1, ['schema: problem']]);
  });

  test(`${kind}: a clock behind the last change in the database is a problem`, { skip }, async () => {
    await using fixture = await openAdminFixture(kind);
    await fixture.json('account', 'create', '--email', 'ann@example.com');
    await fixture.sql(`update account set create_time = ${Math.floor(Date.now() / 1_000) + 3_600}`);

    const { exit, amiss, of } = await examine(fixture);

    assert.deepEqual([exit, amiss], [1, ['clock: problem']]);
    assert.match(of('clock')?.says ?? '', /^It is 3[56]\d\d s behind the last change in the database/);
  });
}

test(
  'a database role that bypasses row-level security is a warning',
  { skip: skipWithout('PostgreSQL') },
  async () => {
    await using fixture = await openAdminFixture('postgres');
    await fixture.json('account', 'create', '--email', 'ann@example.com');
    const role = new URL(fixture.env['DRAWBRIDGE_DATABASE']!).username;

    for (const right of ['superuser', 'bypassrls']) {
      await fixture.sql(`alter role ${role} ${right}`);
      const { exit, amiss } = await examine(fixture);
      await fixture.sql(`alter role ${role} no${right}`);
      assert.deepEqual([right, exit, amiss], [right, 0, ['row-level security: warning']]);
    }
    assert.deepEqual((await examine(fixture)).amiss, []);
  },
);

test(
  'a table without row-level security, and a database that does not wait for its disk, are problems',
  { skip: skipWithout('PostgreSQL') },
  async () => {
    await using fixture = await openAdminFixture('postgres');
    await fixture.json('account', 'create', '--email', 'ann@example.com');
    const { username: role } = new URL(fixture.env['DRAWBRIDGE_DATABASE']!);
    await fixture.sql('alter table agent disable row level security');
    await fixture.sql(`alter role ${role} set synchronous_commit = off`);

    const { exit, amiss, of } = await examine(fixture);

    assert.deepEqual([exit, amiss], [1, ['row-level security: problem', 'durability: problem']]);
    assert.match(of('row-level security')?.says ?? '', /^It is off for agent:/);
  },
);

test('a database that does not answer is a problem, and the other checks still run', async () => {
  await using fixture = await openAdminFixture('sqlite', {
    DRAWBRIDGE_DATABASE: 'postgres://drawbridge:s3cret@127.0.0.1:1/main',
  });

  const { exit, checks, amiss } = await examine(fixture);

  assert.deepEqual([exit, amiss], [1, ['database: problem']]);
  assert.equal(checks.at(-1)?.name, 'server');
  assert.equal(JSON.stringify(checks).includes('s3cret'), false);
});

test('a damaged database file is a problem', async () => {
  await using fixture = await openAdminFixture('sqlite');
  await fixture.json('account', 'create', '--email', 'ann@example.com');
  const [page] = await fixture.sql(`select rootpage from sqlite_schema where name = 'role_account'`);
  await fixture.sql('pragma wal_checkpoint(truncate)');
  const file = join(fixture.data, 'drawbridge.db');
  const bytes = readFileSync(file);
  const at = (Number(page!['rootpage']) - 1) * 4_096;
  writeFileSync(file, bytes.fill(0xff, at + 8, at + 64));

  const { exit, amiss } = await examine(fixture);

  assert.deepEqual([exit, amiss], [1, ['database file: problem']]);
});

test('a data folder that others can enter is a warning', async () => {
  await using fixture = await openAdminFixture('sqlite');
  await fixture.json('account', 'create', '--email', 'ann@example.com');
  chmodSync(fixture.data, 0o755);

  const { exit, ok, amiss, of } = await examine(fixture);

  assert.deepEqual([exit, ok, amiss], [0, true, ['privacy: warning']]);
  assert.match(of('privacy')?.says ?? '', /mode 755\): run chmod 700 /);
});

test('a certificate is checked for its key, its dates and its names', async () => {
  await using fixture = await openAdminFixture('sqlite', {
    DRAWBRIDGE_PUBLIC_URL: 'https://help.example.com',
  });
  const now = Date.now();
  const found = async (name: string, made: number): Promise<[number, string[]]> => {
    await giveCertificate(fixture, name, new Date(made));
    const { exit, amiss } = await examine(fixture);
    return [exit, amiss];
  };

  assert.deepEqual(await found('help.example.com', now), [0, []]);
  assert.deepEqual(await found('other.example.com', now), [0, ['names: warning']]);
  assert.deepEqual(await found('help.example.com', now - 710 * day), [0, ['validity: warning']]);
  assert.deepEqual(await found('help.example.com', now - 735 * day), [1, ['validity: problem']]);
  assert.deepEqual(await found('help.example.com', now + 3 * day), [1, ['validity: problem']]);

  await giveCertificate(fixture, 'help.example.com', new Date(now));
  const readableFor = async (mode: number): Promise<string[]> => {
    chmodSync(join(fixture.folder, 'key.pem'), mode);
    return (await examine(fixture)).amiss;
  };
  assert.deepEqual([await readableFor(0o640), await readableFor(0o644)], [[], ['private key: warning']]);
  writeFileSync(join(fixture.folder, 'key.pem'), (await createSelfSigned(['x'], new Date())).key);
  const mixed = await examine(fixture);
  assert.deepEqual([mixed.exit, mixed.amiss], [1, ['certificate: problem']]);
  assert.match(mixed.of('certificate')?.says ?? '', /^The key does not belong to the certificate/);
  fixture.env['DRAWBRIDGE_TLS_CERT'] = 'none.pem';
  assert.deepEqual((await examine(fixture)).amiss, ['certificate: problem']);
});

test('a renewal that failed, or was never tried, is a warning, and a problem once the certificate ends within a week or a ninth of its life', async () => {
  await using fixture = await openAdminFixture('sqlite', {
    DRAWBRIDGE_PUBLIC_URL: 'https://help.example.com',
    DRAWBRIDGE_ACME_DOMAINS: 'help.example.com',
    DRAWBRIDGE_ACME_TERMS_AGREED: 'true',
  });
  const folder = acmeFolderOf(fixture.data);
  const automatic = async (): Promise<string> => {
    const check = (await examine(fixture)).of('automatic certificate');
    return `${check?.state}: ${check?.says}`;
  };
  const { config } = await loadConfig({ env: fixture.env, cwd: fixture.folder });
  const { directory, domains } = config!.acme!;
  const failed = { failures: 3, retryAt: Date.now() + day, restartAt: 0, error: 'No way in.' };
  await writeIssued(folder, await createSelfSigned(['help.example.com'], new Date()));
  assert.match(await automatic(), /^warning: None was requested from /);
  await writeAttempt(folder, { directory, domains, ...failed });
  /** The state and the words, with a certificate that ends in so many days; it lives for 730. */
  const found = async (daysLeft: number): Promise<string> => {
    const created = new Date(Date.now() - (730 - daysLeft) * day);
    await writeIssued(folder, await createSelfSigned(['help.example.com'], created));
    return automatic();
  };

  assert.match(await found(20), /^warning: No way in\. Failed attempts: 3; the server tries again at /);
  assert.match(await found(6), /^problem: No way in\. Failed attempts: 3; the server tries again at /);
  /** The state, with a certificate that lives for 18 days and ends in so many. */
  const foundShort = async (daysLeft: number): Promise<string> => {
    const end = Date.now() + daysLeft * day;
    const dates = [new Date(end - 18 * day), new Date(end)] as const;
    await writeIssued(folder, await createDatedCertificate('help.example.com', ...dates));
    return (await automatic()).replace(/:.*/s, '');
  };
  assert.deepEqual(
    [await foundShort(2.5), await foundShort(1.5)],
    ['warning', 'problem'],
    'a ninth is 2 days',
  );
  await writeAttempt(folder, { directory, domains, ...failed, failures: 0 });
  assert.match(await found(6), /^ok: /);
});

test('all wrong settings are reported, and no other check runs', async () => {
  await using fixture = await openAdminFixture('sqlite', {
    DRAWBRIDGE_LISTEN: 'nowhere',
    DRAWBRIDGE_DATTA: 'x',
  });

  const { exit, ok, amiss } = await examine(fixture);

  assert.deepEqual([exit, ok, amiss], [1, false, ['settings: problem', 'settings: problem']]);
});

test('a mail server that accepts the credentials is fine, one that does not is a problem, and none is fine too', async () => {
  await using mailbox = await openMailbox();
  await using fixture = await openAdminFixture('sqlite', mailbox.env);
  await using quiet = await openAdminFixture('sqlite');
  const accepted = (await examine(fixture)).of('mail');
  const none = (await examine(quiet)).of('mail');

  await mailbox[Symbol.asyncDispose]();
  const gone = (await examine(fixture)).of('mail');

  assert.deepEqual([accepted?.state, none?.state, gone?.state], ['ok', 'ok', 'problem']);
  assert.match(accepted!.says, /accepts mail from help@example.com/);
  assert.match(gone!.says, /ECONNREFUSED/);
});
