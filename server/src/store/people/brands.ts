/** Brands in SQL. */
import type { Kysely } from 'kysely';
import type { StoredBrand } from '../../domain/people/brand.ts';
import type { BrandReads, StoredPicture } from './account-records.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import type { Reader } from '../engine/database.ts';
import { isContracted } from '../engine/migrate.ts';
import { storedPictures } from '../engine/migrations/0029-stored-pictures.ts';
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

const pictureColumns = [
  'account_id',
  'logo_type',
  'logo_digest',
  'logo',
  'logo_place',
  'logo_size',
] as const satisfies (keyof Tables['brand'])[];

const selectPicture = (db: Kysely<Tables>) =>
  db.selectFrom('brand').select(pictureColumns).where('logo_digest', '<>', '');

const toPicture = (row: Pick<Tables['brand'], (typeof pictureColumns)[number]>): StoredPicture => ({
  accountId: row.account_id,
  type: row.logo_type,
  digest: row.logo_digest,
  bytes: Buffer.from(row.logo, 'base64'),
  blobKey: row.logo_place,
  size: row.logo_size,
});

const accountsWithPicture = (reader: Reader) =>
  reader('all').selectFrom('brand').select('account_id').where('logo_digest', '<>', '').orderBy('account_id');

/** Where the pictures are. */
const placeReads = (
  reader: Reader,
): Pick<BrandReads, 'inDatabase' | 'onlyStored' | 'mayLeaveDatabase' | 'referencedKeys'> => ({
  async inDatabase() {
    const rows = await accountsWithPicture(reader).where('logo', '<>', '').execute();
    return rows.map((row) => row.account_id);
  },

  async onlyStored() {
    const rows = await accountsWithPicture(reader).where('logo', '=', '').execute();
    return rows.map((row) => row.account_id);
  },

  mayLeaveDatabase: () => isContracted(reader('all'), storedPictures),

  async referencedKeys(accountId, blobKeys) {
    const rows = await reader(accountId)
      .selectFrom('brand')
      .select('logo_place')
      .where('account_id', '=', accountId)
      .where('logo_place', 'in', blobKeys)
      .execute();
    return rows.map((row) => row.logo_place);
  },
});

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
    const row = await selectPicture(reader('all'))
      .where('logo_digest', '=', digest)
      // Other accounts may have the same picture: a copy in the database cannot be missing.
      .orderBy('logo', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && toPicture(row);
  },

  async logoOf(accountId) {
    const row = await selectPicture(reader(accountId)).where('account_id', '=', accountId).executeTakeFirst();
    return row && toPicture(row);
  },

  ...placeReads(reader),
});

type Columns = Omit<Tables['brand'], 'account_id'>;

const noLogo = { logo_type: '', logo_digest: '', logo: '', logo_place: '', logo_size: 0 };
const none: Columns = { name: '', accent: '', ...noLogo };

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

/** Sets the picture, and returns the key in the blob store of the one before. */
async function setLogo(
  db: Kysely<Tables>,
  accountId: number,
  logo: Pick<Columns, keyof typeof noLogo>,
): Promise<{ replaced: string }> {
  await set(db, accountId, {}); // Locks the row, so that no key is replaced unnoticed.
  const before = await db
    .selectFrom('brand')
    .select('logo_place')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  await set(db, accountId, logo);
  return { replaced: before.logo_place };
}

export const brandChanges: ChangesOf<`brands/${'update' | 'logo' | 'remove-logo' | 'place-logo'}`> = {
  'brands/update': async function ({ db }, { accountId, name, accent }) {
    await set(db, accountId, {
      ...(name !== undefined && { name }),
      ...(accent !== undefined && { accent }),
    });
    return {};
  },

  'brands/logo': ({ db }, { accountId, type, digest, logo, blobKey, size }) =>
    setLogo(db, accountId, {
      logo_type: type,
      logo_digest: digest,
      logo,
      logo_place: blobKey,
      logo_size: size,
    }),

  'brands/remove-logo': ({ db }, { accountId }) => setLogo(db, accountId, noLogo),

  'brands/place-logo': async function ({ db }, { accountId, digest, before, logo, blobKey, size }) {
    await db
      .updateTable('brand')
      .set({ logo, logo_place: blobKey, logo_size: size })
      .where('account_id', '=', accountId)
      .where('logo_digest', '=', digest)
      // The same picture may have been set again meanwhile, and its bytes are then elsewhere.
      .where('logo_place', '=', before)
      .execute();
    return {};
  },
};
