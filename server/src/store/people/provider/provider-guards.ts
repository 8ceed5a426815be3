/** Which changes of an identity provider are refused, because other people depend on it, in SQL. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import type { Kysely, Selectable } from 'kysely';
import type { ProviderSettings } from '../../../domain/people/provider.ts';
import type { Tables } from '../../engine/schema.ts';
import type { ChangeTx, Tx } from '../../engine/transaction.ts';
import { loadActor } from '../actors.ts';
import { clientSecretOf, isOnlySso, toProviderSettings } from './provider-reads.ts';

type Provider = Selectable<Tables['provider']>;

/** The settings after a change, and the secret if it changes. */
interface ProviderEdit {
  by: number;
  after: ProviderSettings;
  clientSecret: string | undefined;
}

const ownerOnly = (field: string, why: string): Fault<'forbidden'> =>
  fault('forbidden', { field, message: `${why}: only the owner can change this.` });

/** The first setting that changes who people are at the provider, or to which groups they belong. */
function changedIdentity(before: ProviderSettings, after: ProviderSettings): string | undefined {
  if (after.ca !== before.ca) return 'ca_cert';
  if (after.clientId !== before.clientId) return 'client_id';
  if (after.scopes !== before.scopes) return 'scopes';
  if (after.groupsClaim !== before.groupsClaim) return 'groups_claim';
  return after.enabled && !before.enabled ? 'enabled' : undefined;
}

/** The first setting that lets in more people than before. */
function openedTo(before: ProviderSettings, after: ProviderSettings): string | undefined {
  if (after.createPeople && !before.createPeople) return 'create_people';
  return after.adopt && !before.adopt ? 'adopt' : undefined;
}

async function hasOthers(
  { db }: Tx,
  table: 'provider_identity' | 'provider_group',
  { account_id, id }: Provider,
  by: number,
): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select('member_id')
    .where('account_id', '=', account_id)
    .where('provider_id', '=', id)
    .where('member_id', '!=', by)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Somebody who chooses for which certificates, client or claims the provider answers could sign in as anybody who uses
 * it, and could receive what others gave to its groups. So only the owner does, once others depend on it. `responsible`:
 * the person who answers for the provider from now on; the owner does by saving it.
 */
export async function checkEdit(
  tx: ChangeTx,
  provider: Provider,
  { by, after, clientSecret }: ProviderEdit,
): Promise<Fault<'forbidden'> | { responsible: number }> {
  if ((await loadActor(tx, provider.account_id, by))?.owner === true) return { responsible: by };
  const before = toProviderSettings(provider);
  const [identity, opened] = [changedIdentity(before, after), openedTo(before, after)];
  if (identity !== undefined && (await hasOthers(tx, 'provider_identity', provider, by)))
    return ownerOnly(identity, 'Other people sign in with this provider');
  const given = identity ?? opened;
  if (given !== undefined && (await hasOthers(tx, 'provider_group', provider, by)))
    return ownerOnly(given, 'Somebody else mapped groups of this provider');
  const known = tx.secrets.open(clientSecretOf(provider), provider.client_secret);
  const isOtherSecret = clientSecret !== undefined && clientSecret !== known;
  if (isOtherSecret && (await isOnlySso(tx.db, provider.account_id)))
    return ownerOnly('client_secret', 'People can sign in only with providers');
  return { responsible: given !== undefined || isOtherSecret ? by : provider.member_id };
}

/** Whether this person signs in with an enabled provider, other than the one that is left out. */
export async function signsInWithProvider(
  db: Kysely<Tables>,
  { accountId, memberId }: { accountId: number; memberId: number },
  leftOut?: number,
): Promise<boolean> {
  const rows = await db
    .selectFrom('provider_identity as identity')
    .innerJoin('provider', 'provider.id', 'identity.provider_id')
    .select('provider.id')
    .where('identity.account_id', '=', accountId)
    .where('identity.member_id', '=', memberId)
    .where('provider.enabled', '=', 1)
    .execute();
  return rows.some(({ id }) => id !== leftOut);
}

const needed = {
  code: 'sso_only',
  message:
    'People can sign in only with providers, and the owner with none but this one. Allow other sign-in methods first, or let the owner connect another provider.',
};

/** Refuses to take away a provider without which nobody could sign in, or not the owner, who could change that. */
export async function neededRefusal(
  db: Kysely<Tables>,
  { account_id: accountId, id, enabled }: Provider,
  field: string,
): Promise<Fault<'invalid'> | undefined> {
  if (enabled === 0 || !(await isOnlySso(db, accountId))) return undefined;
  const owner = await db
    .selectFrom('member')
    .select('id')
    .where('account_id', '=', accountId)
    .where('owner', '=', 1)
    .executeTakeFirst();
  const stays = owner && (await signsInWithProvider(db, { accountId, memberId: owner.id }, id));
  return stays ? undefined : fault('invalid', { field, ...needed });
}
