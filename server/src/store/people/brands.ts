/** Brands in SQL. */
import type { Kysely } from 'kysely';
import type { StoredBrand } from '../../domain/people/brand.ts';
import type { BrandReads } from './account-records.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import type { Reader } from '../engine/database.ts';
import type { Tables } from '../engine/schema.ts';

const toBrand = (row: Pick<Tables['brand'], 'name' | 'accent' | 'logo_digest'>): StoredBrand => ({
  name: row.name,
  accent: row.accent,
  logoDigest: row.logo_digest,
});

const brandOf = async (db: Kysely<Tables>, accountId: number): Promise<StoredBrand | undefined> => {
  const row = await db
    .selectFrom('brand')
    .select(['name', 'accent', 'logo_digest'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row && toBrand(row);
};

export const brandReads = (reader: Reader): BrandReads => ({
  of: (accountId) => brandOf(reader(accountId), accountId),

  async ofServer() {
    const first = await reader('all')
      .selectFrom('account')
      .select('account_id')
      .orderBy('account_id')
      .limit(1)
      .executeTakeFirst();
    return first && brandOf(reader(first.account_id), first.account_id);
  },

  async logo(digest) {
    const row = await reader('all')
      .selectFrom('brand')
      .select(['logo_type', 'logo'])
      .where('logo_digest', '=', digest)
      .where('logo_digest', '<>', '')
      .limit(1)
      .executeTakeFirst();
    return row && { type: row.logo_type, bytes: Buffer.from(row.logo, 'base64') };
  },
});

type Columns = Omit<Tables['brand'], 'account_id'>;

const none: Columns = { name: '', accent: '', logo_type: '', logo_digest: '', logo: '' };

/** Sets some columns, and creates the row of the account if there is none. */
async function set(db: Kysely<Tables>, accountId: number, some: Partial<Columns>): Promise<void> {
  await db
    .insertInto('brand')
    .values({ account_id: accountId, ...none, ...some })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({ name: eb.ref('brand.name'), ...some })),
    )
    .execute();
}

export const brandChanges: ChangesOf<`brands/${'update' | 'logo' | 'remove-logo'}`> = {
  'brands/update': async function ({ db }, { accountId, name, accent }) {
    await set(db, accountId, {
      ...(name !== undefined && { name }),
      ...(accent !== undefined && { accent }),
    });
    return {};
  },

  'brands/logo': async function ({ db }, { accountId, type, digest, logo }) {
    await set(db, accountId, { logo_type: type, logo_digest: digest, logo });
    return {};
  },

  'brands/remove-logo': async function ({ db }, { accountId }) {
    await set(db, accountId, { logo_type: '', logo_digest: '', logo: '' });
    return {};
  },
};
