/** Accounts in SQL: each starts with its owner, a key, a sign-in link and the system roles. */
import { fault } from '@drawbridge/contract/faults';
import { sql, type Kysely } from 'kysely';
import { systemRoles } from '../../domain/people/roles.ts';
import { operatorAuditLine } from '../../domain/audit.ts';
import { changePolicy, formatPolicy, parsePolicy } from '../../domain/devices/policies.ts';
import { fold } from '../../domain/text.ts';
import type { AccountReads } from './account-records.ts';
import { listAccountUsage } from './account-usage.ts';
import { appendAudit } from '../audit/audit.ts';
import type { AccountSettings } from '../records.ts';
import type { Tables } from '../engine/schema.ts';
import type { ChangesOf, Tx } from '../engine/transaction.ts';
import type { Reader } from '../engine/database.ts';
import { bumpPolicyVersion } from './account-versions.ts';
import { addKey } from './keys.ts';
import { addMember } from './members.ts';
import { addSignInLink } from './sign-in/sign-in-links.ts';
import { addRole } from './roles.ts';
import type { ChangeInput } from '../changes.ts';

export async function settingsOf(db: Kysely<Tables>, accountId: number): Promise<AccountSettings> {
  const row = await db
    .selectFrom('account')
    .select(['approve_devices', 'record_by_default', 'policy'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return {
    approveDevices: row.approve_devices === 1,
    record: row.record_by_default === 1,
    policy: parsePolicy(row.policy),
  };
}

export const accountReads = (reader: Reader): AccountReads => ({
  listUsage: (filter) => listAccountUsage(reader('all'), filter),

  async exists(accountId) {
    const row = await reader(accountId)
      .selectFrom('account')
      .select('account_id')
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row !== undefined;
  },

  settings: (accountId) => settingsOf(reader(accountId), accountId),

  firstSteps: (accountId) => firstStepsOf(reader(accountId), accountId),

  async list() {
    const rows = await reader('all')
      .selectFrom('account')
      .innerJoin('member', (join) =>
        join.onRef('member.account_id', '=', 'account.account_id').on('member.owner', '=', 1),
      )
      .select(['account.account_id', 'member.email', 'account.create_time'])
      .orderBy('account.account_id')
      .execute();
    return rows.map((row) => ({ accountId: row.account_id, email: row.email, createTime: row.create_time }));
  },
});

async function firstStepsOf(
  db: Kysely<Tables>,
  accountId: number,
): Promise<{ device: boolean; client: boolean; technician: boolean }> {
  const idsOf = (table: 'agent' | 'invitation' | 'member') =>
    db.selectFrom(table).select('id').where('account_id', '=', accountId);
  const [device, client, technician] = await Promise.all([
    idsOf('agent').limit(1).execute(),
    idsOf('invitation').limit(1).execute(),
    idsOf('member').where('owner', '=', 0).limit(1).execute(),
  ]);
  return { device: device.length > 0, client: client.length > 0, technician: technician.length > 0 };
}

async function createAccount(
  { db, now }: Tx,
  { email, key, signIn }: ChangeInput<'accounts/create'>,
  isFirst: boolean,
) {
  const { account_id: accountId } = await db
    .insertInto('account')
    .values({
      create_time: now,
      plan_computers: null,
      plan_invitations: null,
      plan_files: null,
      plan_requests: null,
      plan_recording_mb: null,
    } as never)
    .returning('account_id')
    .executeTakeFirstOrThrow();
  // The owner of the first account is the server administrator.
  const owner = { owner: true, operator: isFirst, state: 'active' } as const;
  const { id: memberId } = await addMember(db, { accountId, email, ...owner, now });
  if (key) await addKey(db, { accountId, memberId, key }, now);
  await addSignInLink(db, { accountId, memberId, purpose: 'sign_in', inviterId: null, ...signIn });
  for (const role of systemRoles) await addRole(db, { accountId, ...role, system: true });
  await appendAudit({ db, now }, operatorAuditLine(accountId, 'server/account-create', { email }), 'done');
  return { accountId, memberId };
}

/** Serializes the creation of accounts, because two concurrent ones would not see each other. */
export const lockServer = ({ db }: Tx) =>
  sql`update migration set number = number where number = 1`.execute(db);

const hasAccounts = async (db: Kysely<Tables>): Promise<boolean> =>
  (await db.selectFrom('account').select('account_id').limit(1).executeTakeFirst()) !== undefined;

export const accountChanges: ChangesOf<'accounts/create' | 'accounts/first' | 'accounts/settings'> = {
  'accounts/settings': async function ({ db }, { accountId, approveDevices, record, policy }) {
    if (policy) await bumpPolicyVersion(db, accountId);
    const set = {
      ...(approveDevices !== undefined && { approve_devices: approveDevices ? (1 as const) : (0 as const) }),
      ...(record !== undefined && { record_by_default: record ? (1 as const) : (0 as const) }),
      ...(policy && { policy: formatPolicy(changePolicy((await settingsOf(db, accountId)).policy, policy)) }),
    };
    if (Object.keys(set).length > 0)
      await db.updateTable('account').set(set).where('account_id', '=', accountId).execute();
    return {};
  },

  'accounts/create': async function (tx, input) {
    await lockServer(tx);
    const existing = await tx.db
      .selectFrom('member')
      .select('id')
      .where('email_folded', '=', fold(input.email))
      .where('owner', '=', 1)
      .executeTakeFirst();
    if (existing)
      return fault('invalid', { field: 'email', message: `${input.email} already owns an account.` });
    return createAccount(tx, input, !(await hasAccounts(tx.db)));
  },

  'accounts/first': async function (tx, input) {
    await lockServer(tx);
    if (await hasAccounts(tx.db)) return { created: false };
    await createAccount(tx, input, true);
    return { created: true };
  },
};
