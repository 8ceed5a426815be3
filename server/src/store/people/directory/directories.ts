/** Connections to directories, in SQL. */
import { fault } from '@drawbridge/contract/faults';
import type { Kysely, Selectable } from 'kysely';
import {
  leadsElsewhere,
  maxDirectories,
  type DirectorySettings,
} from '../../../domain/people/directory-connection.ts';
import type { ImportProblem } from '../../../domain/people/directory-report.ts';
import type { Reader } from '../../engine/database.ts';
import type { Flag, Tables } from '../../engine/schema.ts';
import type { SecretBox, SecretPlace } from '../../secrets/secret-box.ts';
import type { ChangesOf, ChangeTx } from '../../engine/transaction.ts';
import { lockRights } from '../account-versions.ts';
import type { DirectoryReads } from './directory-records.ts';
import { importDirectory, planDirectory } from './import.ts';

type Row = Selectable<Tables['directory']>;

const toSettings = (row: Row): DirectorySettings => ({
  name: row.name,
  url: row.url,
  ca: row.ca,
  bindDn: row.bind_dn,
  base: row.base,
  personFilter: row.person_filter,
  groupFilter: row.group_filter,
  adopt: row.adopt === 1,
  signIn: row.sign_in === 1,
  everyMinutes: row.every_minutes,
  removalPercent: row.removal_percent,
});

const toFlag = (value: boolean): Flag => (value ? 1 : 0);

const toColumns = (settings: DirectorySettings, now: number) => ({
  name: settings.name,
  url: settings.url,
  ca: settings.ca,
  bind_dn: settings.bindDn,
  base: settings.base,
  person_filter: settings.personFilter,
  group_filter: settings.groupFilter,
  adopt: toFlag(settings.adopt),
  sign_in: toFlag(settings.signIn),
  every_minutes: settings.everyMinutes,
  removal_percent: settings.removalPercent,
  next_time: nextTime(settings.everyMinutes, now),
});

const nextTime = (everyMinutes: number, now: number): number | null =>
  everyMinutes === 0 ? null : now + everyMinutes * 60;

const rowOf = (db: Kysely<Tables>, accountId: number, id: number): Promise<Row | undefined> =>
  db
    .selectFrom('directory')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

const passwordOf = (accountId: number, id: number): SecretPlace => ({
  column: 'directory.bind_password',
  accountId,
  id,
});

export const directoryReads = (reader: Reader, now: () => number, secrets: SecretBox): DirectoryReads => ({
  async list(accountId) {
    const rows = await reader(accountId)
      .selectFrom('directory')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('id')
      .execute();
    return rows.map((row) => ({
      id: row.id,
      ...toSettings(row),
      nextTime: row.next_time,
      lastTime: row.last_time,
      lastProblem: row.last_problem as ImportProblem,
    }));
  },

  async connection(accountId, id) {
    const row = await rowOf(reader(accountId), accountId, id);
    const bindPassword = row && secrets.open(passwordOf(accountId, id), row.bind_password);
    return row && { ...toSettings(row), bindPassword };
  },

  plan: (target, reading) => planDirectory({ db: reader(target.accountId), now: now() }, target, reading),
});

const missing = fault('not_found', { field: 'id' });
/** People enter their password before they choose an account, so an account alone must not decide who gets it. */
const passwordsLeave = fault('forbidden', {
  field: 'sign_in',
  message:
    'People’s passwords are sent to a directory with sign_in: only a server administrator can turn it on, or change its settings while it is on.',
});

async function isOperator(db: Kysely<Tables>, accountId: number, memberId: number): Promise<boolean> {
  const row = await db
    .selectFrom('member')
    .select('operator')
    .where('account_id', '=', accountId)
    .where('id', '=', memberId)
    .executeTakeFirst();
  return row?.operator === 1;
}

/** Sealed for its row, whose id a new directory has only once it is stored. */
const setPassword = (
  { db, secrets }: ChangeTx,
  { accountId, id, bindPassword }: { accountId: number; id: number; bindPassword: string },
) =>
  db
    .updateTable('directory')
    .set({ bind_password: secrets.seal(passwordOf(accountId, id), bindPassword) })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();

const tooMany = fault('invalid', {
  code: 'too_many_directories',
  message: `An account can have at most ${maxDirectories} directories. Remove one first.`,
});

async function countDirectories(db: Kysely<Tables>, accountId: number): Promise<number> {
  const { total } = await db
    .selectFrom('directory')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

const longestDue = (db: Kysely<Tables>, now: number, exceptAccounts: readonly number[]) =>
  db
    .selectFrom('directory')
    .select('id')
    .where('next_time', '<=', now)
    .where((eb) => eb.not(eb.or(exceptAccounts.map((each) => eb('account_id', '=', each)))))
    .orderBy('next_time')
    .orderBy('id')
    .limit(1);

export const directoryChanges: ChangesOf<`directories/${'create' | 'update' | 'remove' | 'claim' | 'apply'}`> =
  {
    'directories/create': async function (tx, { accountId, by, bindPassword, settings }) {
      const { db, now } = tx;
      await lockRights(db, accountId);
      if (settings.signIn && !(await isOperator(db, accountId, by))) return passwordsLeave;
      if ((await countDirectories(db, accountId)) >= maxDirectories) return tooMany;
      const { id } = await db
        .insertInto('directory')
        .values({ account_id: accountId, member_id: by, bind_password: '', ...toColumns(settings, now) })
        .returning('id')
        .executeTakeFirstOrThrow();
      await setPassword(tx, { accountId, id, bindPassword });
      return { id };
    },

    'directories/update': async function (tx, { accountId, by, id, bindPassword, settings }) {
      const { db, now } = tx;
      const row = await rowOf(db, accountId, id);
      if (!row) return missing;
      const before = toSettings(row);
      const changed = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
      const after = { ...before, ...changed };
      if (after.signIn && !(await isOperator(db, accountId, by))) return passwordsLeave;
      if (bindPassword === undefined && leadsElsewhere(before, settings))
        return fault('invalid', {
          field: 'bind_password',
          message: 'The password would be sent to another server: give it again.',
        });
      await db
        .updateTable('directory')
        .set({ member_id: by, ...toColumns(after, now) })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .execute();
      if (bindPassword !== undefined) await setPassword(tx, { accountId, id, bindPassword });
      return {};
    },

    // The people and departments stay, and can be changed here from now on.
    'directories/remove': async function ({ db }, { accountId, id }) {
      if (!(await rowOf(db, accountId, id))) return missing;
      await db
        .updateTable('department')
        .set({ ldap: 0 })
        .where('account_id', '=', accountId)
        .where('directory_id', '=', id)
        .execute();
      await db.deleteFrom('directory').where('account_id', '=', accountId).where('id', '=', id).execute();
      return {};
    },

    // One statement decides which of several servers imports a directory.
    'directories/claim': async function ({ db, now }, { exceptAccounts }) {
      const row = await db
        .updateTable('directory')
        .set((eb) => ({ next_time: eb(eb.val(now), '+', eb('every_minutes', '*', 60)) }))
        .where('id', '=', longestDue(db, now, exceptAccounts))
        .where('next_time', '<=', now)
        .returning(['account_id', 'id', 'member_id'])
        .executeTakeFirst();
      return { due: row && { accountId: row.account_id, id: row.id, by: row.member_id } };
    },

    'directories/apply': importDirectory,
  };
