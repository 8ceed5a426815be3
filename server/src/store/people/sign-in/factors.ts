/** Second factors and passkeys in SQL. Single-use values are used up by one statement. */
import { fault } from '@drawbridge/contract/faults';
import type { Kysely, Selectable } from 'kysely';
import { maxPasskeys, type Passkey } from '../../../domain/people/factors.ts';
import type { MemberRef } from '../../../domain/people/panel.ts';
import type { ChangesOf } from '../../engine/transaction.ts';
import type { Reader } from '../../engine/database.ts';
import { signInDirectory } from '../directory/sign-in-directory.ts';
import type { FactorReads } from '../panel-records.ts';
import type { Tables } from '../../engine/schema.ts';

type ChangeNames =
  | `totp/${'begin' | 'confirm' | 'use' | 'remove'}`
  | `recovery/${'renew' | 'use'}`
  | `passkey/${'add' | 'used' | 'remove'}`;

const toPasskey = (row: Selectable<Tables['passkey']>): Passkey => ({
  id: row.id,
  accountId: row.account_id,
  memberId: row.member_id,
  credential: row.credential,
  publicKey: row.public_key,
  counter: row.counter,
  transports: JSON.parse(row.transports) as string[],
  name: row.name,
  createTime: row.create_time,
  lastUsedTime: row.last_used_time,
});

async function passkeysOf(db: Kysely<Tables>, { accountId, memberId }: MemberRef): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkey')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('member_id', '=', memberId)
    .orderBy('id')
    .execute();
  return rows.map(toPasskey);
}

export const factorReads = (reader: Reader): FactorReads => ({
  async totp({ accountId, memberId }) {
    const row = await reader(accountId)
      .selectFrom('totp')
      .select(['secret', 'confirm_time'])
      .where('account_id', '=', accountId)
      .where('member_id', '=', memberId)
      .executeTakeFirst();
    return row && { secret: row.secret, confirmed: row.confirm_time !== null };
  },

  passkeys: (memberRef) => passkeysOf(reader(memberRef.accountId), memberRef),

  async passkey(credential) {
    const row = await reader('all')
      .selectFrom('passkey')
      .selectAll()
      .where('credential', '=', credential)
      .executeTakeFirst();
    return row && toPasskey(row);
  },
});

/** Replaces all recovery codes of the person. */
async function replaceCodes(
  db: Kysely<Tables>,
  { accountId, memberId }: MemberRef,
  digests: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('member_id', '=', memberId)
    .execute();
  if (digests.length === 0) return;
  const codes = digests.map((digest) => ({ account_id: accountId, member_id: memberId, digest }));
  await db.insertInto('recovery_code').values(codes).execute();
}

async function removeTotp(db: Kysely<Tables>, { accountId, memberId }: MemberRef): Promise<boolean> {
  const row = await db
    .deleteFrom('totp')
    .where('account_id', '=', accountId)
    .where('member_id', '=', memberId)
    .returning('member_id')
    .executeTakeFirst();
  await replaceCodes(db, { accountId, memberId }, []);
  return row !== undefined;
}

/** Removes everything but the password, for somebody who lost it all. */
export async function forgetFactors(db: Kysely<Tables>, memberRef: MemberRef): Promise<void> {
  await removeTotp(db, memberRef);
  await db
    .deleteFrom('passkey')
    .where('account_id', '=', memberRef.accountId)
    .where('member_id', '=', memberRef.memberId)
    .execute();
}

/** Locks the person's row, so that concurrent changes of their passkeys run one after the other. */
const lockMember = (db: Kysely<Tables>, { accountId, memberId }: MemberRef) =>
  db
    .updateTable('member')
    .set((eb) => ({ state: eb.ref('state') }))
    .where('account_id', '=', accountId)
    .where('id', '=', memberId)
    .returning('password')
    .executeTakeFirst();

export const factorChanges: ChangesOf<`factors/${ChangeNames}`> = {
  'factors/totp/begin': async function ({ db }, { accountId, memberId, secret }) {
    const row = await db
      .insertInto('totp')
      .values({ account_id: accountId, member_id: memberId, secret, confirm_time: null })
      .onConflict((conflict) =>
        conflict.column('member_id').doUpdateSet({ secret }).where('totp.confirm_time', 'is', null),
      )
      .returning('member_id')
      .executeTakeFirst();
    return row
      ? {}
      : fault('invalid', {
          code: 'totp_on',
          message: 'An authenticator app is already in use: turn it off first.',
        });
  },

  'factors/totp/confirm': async function ({ db, now }, { accountId, memberId, secret, step, recovery }) {
    const row = await db
      .updateTable('totp')
      .set({ confirm_time: now, last_step: step })
      .where('account_id', '=', accountId)
      .where('member_id', '=', memberId)
      .where('secret', '=', secret)
      .where('confirm_time', 'is', null)
      .returning('member_id')
      .executeTakeFirst();
    if (!row) return fault('not_found');
    await replaceCodes(db, { accountId, memberId }, recovery);
    return {};
  },

  // One statement decides between two uses of the same code; an older code is refused after a newer one.
  'factors/totp/use': async function ({ db }, { accountId, memberId, step }) {
    const row = await db
      .updateTable('totp')
      .set({ last_step: step })
      .where('account_id', '=', accountId)
      .where('member_id', '=', memberId)
      .where('last_step', '<', step)
      .where('confirm_time', 'is not', null)
      .returning('member_id')
      .executeTakeFirst();
    return row ? {} : fault('not_found');
  },

  'factors/totp/remove': async ({ db }, memberRef) =>
    (await removeTotp(db, memberRef))
      ? {}
      : fault('not_found', { message: 'No authenticator app is in use.' }),

  'factors/recovery/renew': async function ({ db }, { accountId, memberId, recovery }) {
    const row = await db
      .updateTable('totp')
      .set((eb) => ({ last_step: eb.ref('last_step') }))
      .where('account_id', '=', accountId)
      .where('member_id', '=', memberId)
      .where('confirm_time', 'is not', null)
      .returning('member_id')
      .executeTakeFirst();
    if (!row)
      return fault('not_found', {
        message: 'Recovery codes need an authenticator app: turn it on first.',
      });
    await replaceCodes(db, { accountId, memberId }, recovery);
    return {};
  },

  // One statement decides between two uses of the same code.
  'factors/recovery/use': async function ({ db }, { accountId, memberId, digest }) {
    const row = await db
      .deleteFrom('recovery_code')
      .where('account_id', '=', accountId)
      .where('member_id', '=', memberId)
      .where('digest', '=', digest)
      .returning('digest')
      .executeTakeFirst();
    return row ? {} : fault('not_found');
  },

  'factors/passkey/add': async function ({ db, now }, { accountId, memberId, ...passkey }) {
    await lockMember(db, { accountId, memberId });
    if ((await passkeysOf(db, { accountId, memberId })).length >= maxPasskeys)
      return fault('invalid', {
        message: `You cannot have more than ${maxPasskeys} passkeys: remove one first.`,
      });
    const row = await db
      .insertInto('passkey')
      .values({
        account_id: accountId,
        member_id: memberId,
        credential: passkey.credential,
        public_key: passkey.publicKey,
        counter: passkey.counter,
        transports: JSON.stringify(passkey.transports),
        name: passkey.name,
        create_time: now,
        last_used_time: null,
      })
      .onConflict((conflict) => conflict.column('credential').doNothing())
      .returning('id')
      .executeTakeFirst();
    return row ?? fault('invalid', { code: 'passkey_known', message: 'This passkey is already registered.' });
  },

  // The counter of a passkey must increase: otherwise the passkey was copied or the response was replayed. Some never
  // count.
  'factors/passkey/used': async function ({ db, now }, { accountId, id, counter }) {
    const row = await db
      .updateTable('passkey')
      .set({ counter, last_used_time: now })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where((eb) => (counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', counter)))
      .returning('id')
      .executeTakeFirst();
    return row ? {} : fault('not_found');
  },

  'factors/passkey/remove': async function ({ db, now }, { accountId, memberId, id }) {
    const person = await lockMember(db, { accountId, memberId });
    const known = await passkeysOf(db, { accountId, memberId });
    if (!known.some((each) => each.id === id)) return fault('not_found', { field: 'id' });
    const hasPassword =
      person?.password !== null || (await signInDirectory({ db, now }, { accountId, memberId }));
    if (!hasPassword && known.length === 1)
      return fault('invalid', {
        code: 'last_way_in',
        message: 'This passkey is your only way to sign in: set a password or add another passkey first.',
      });
    await db.deleteFrom('passkey').where('account_id', '=', accountId).where('id', '=', id).execute();
    return {};
  },
};
