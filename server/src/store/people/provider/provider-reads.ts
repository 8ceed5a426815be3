/** Reads identity providers, in SQL. */
import type { Kysely, Selectable } from 'kysely';
import type { MemberRef } from '../../../domain/people/panel.ts';
import type { ProviderConnection, ProviderSettings } from '../../../domain/people/provider.ts';
import type { Reader } from '../../engine/database.ts';
import type { Tables } from '../../engine/schema.ts';
import type { SecretBox, SecretPlace } from '../../secrets/secret-box.ts';
import { hasMoreRightsThan } from '../actors.ts';
import type { ListedProvider, MappedGroup, OwnProvider, ProviderReads } from './provider-records.ts';

type Row = Selectable<Tables['provider']>;

export const toProviderSettings = (row: Row): ProviderSettings => ({
  name: row.name,
  ca: row.ca,
  clientId: row.client_id,
  scopes: row.scopes,
  groupsClaim: row.groups_claim,
  createPeople: row.create_people === 1,
  adopt: row.adopt === 1,
  enabled: row.enabled === 1,
});

export const clientSecretOf = ({ account_id, id }: Pick<Row, 'account_id' | 'id'>): SecretPlace => ({
  column: 'provider.client_secret',
  accountId: account_id,
  id,
});

const toConnection = (row: Row, secrets: SecretBox): ProviderConnection => ({
  accountId: row.account_id,
  id: row.id,
  issuer: row.issuer,
  signInName: row.sign_in_name,
  clientSecret: secrets.open(clientSecretOf(row), row.client_secret),
  ...toProviderSettings(row),
});

export const providerRow = (db: Kysely<Tables>, accountId: number, id: number): Promise<Row | undefined> =>
  db
    .selectFrom('provider')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

export async function isOnlySso(db: Kysely<Tables>, accountId: number): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select('only_sso')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.only_sso === 1;
}

async function groupsOf(db: Kysely<Tables>, accountId: number): Promise<Map<number, MappedGroup[]>> {
  const rows = await db
    .selectFrom('provider_group as mapped')
    .innerJoin('department', 'department.id', 'mapped.department_id')
    .select(['mapped.provider_id', 'mapped.group_name', 'department.id', 'department.name'])
    .where('mapped.account_id', '=', accountId)
    .orderBy('mapped.group_name')
    .orderBy('department.id')
    .execute();
  const byProvider = Map.groupBy(rows, (row) => row.provider_id);
  return new Map(
    [...byProvider].map(([id, some]) => [
      id,
      some.map((row) => ({ group: row.group_name, departmentId: row.id, department: row.name })),
    ]),
  );
}

async function listProviders(db: Kysely<Tables>, accountId: number): Promise<ListedProvider[]> {
  const rows = await db
    .selectFrom('provider')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('provider_identity as identity')
        .select((inner) => inner.fn.countAll<number>().as('people'))
        .whereRef('identity.provider_id', '=', 'provider.id')
        .as('people'),
    )
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
  const groups = await groupsOf(db, accountId);
  return rows.map((row) => ({
    id: row.id,
    issuer: row.issuer,
    signInName: row.sign_in_name,
    people: Number(row.people),
    groups: groups.get(row.id) ?? [],
    ...toProviderSettings(row),
  }));
}

async function providersOfMember(
  db: Kysely<Tables>,
  { accountId, memberId }: MemberRef,
): Promise<OwnProvider[]> {
  const rows = await db
    .selectFrom('provider')
    .leftJoin('provider_identity as identity', (join) =>
      join.onRef('identity.provider_id', '=', 'provider.id').on('identity.member_id', '=', memberId),
    )
    .select(['provider.id', 'provider.name', 'identity.email', 'identity.last_time'])
    .where('provider.account_id', '=', accountId)
    .where('provider.enabled', '=', 1)
    .orderBy('provider.id')
    .execute();
  return rows.map(({ id, name, email, last_time: lastTime }) => ({
    id,
    name,
    ...(email !== null && lastTime !== null && { identity: { email, lastTime } }),
  }));
}

const rowBySignInName = (db: Kysely<Tables>, name: string): Promise<Row | undefined> =>
  db
    .selectFrom('provider')
    .selectAll()
    .where('sign_in_name', '=', name)
    .where('enabled', '=', 1)
    .executeTakeFirst();

async function holderOf(
  db: Kysely<Tables>,
  { accountId, id }: { accountId: number; id: number },
  subject: string,
): Promise<(MemberRef & { email: string }) | undefined> {
  const row = await db
    .selectFrom('provider_identity as identity')
    .innerJoin('member', 'member.id', 'identity.member_id')
    .select(['member.id', 'member.email'])
    .where('identity.account_id', '=', accountId)
    .where('identity.provider_id', '=', id)
    .where('identity.subject', '=', subject)
    .executeTakeFirst();
  return row && { accountId, memberId: row.id, email: row.email };
}

const providerOfSession = (
  db: Kysely<Tables>,
  accountId: number,
  sessionId: number,
): Promise<Row | undefined> =>
  db
    .selectFrom('panel_session as session')
    .innerJoin('provider', 'provider.id', 'session.provider_id')
    .selectAll('provider')
    .where('session.account_id', '=', accountId)
    .where('session.id', '=', sessionId)
    .executeTakeFirst();

export const providerReads = (reader: Reader, now: () => number, secrets: SecretBox): ProviderReads => ({
  list: (accountId) => listProviders(reader(accountId), accountId),
  onlySso: (accountId) => isOnlySso(reader(accountId), accountId),
  async connection(accountId, id) {
    const row = await providerRow(reader(accountId), accountId, id);
    return row && toConnection(row, secrets);
  },
  // Reads across accounts, because the account is not known yet.
  async bySignInName(name) {
    const row = await rowBySignInName(reader('all'), name);
    return row && toConnection(row, secrets);
  },
  holder: (provider, subject) => holderOf(reader(provider.accountId), provider, subject),
  async isVouched(memberRef, id) {
    const db = reader(memberRef.accountId);
    const row = await providerRow(db, memberRef.accountId, id);
    return row !== undefined && !(await hasMoreRightsThan({ db, now: now() }, memberRef, row.member_id));
  },
  ofMember: (memberRef) => providersOfMember(reader(memberRef.accountId), memberRef),
  async ofSession(accountId, sessionId) {
    const row = await providerOfSession(reader(accountId), accountId, sessionId);
    return row && toConnection(row, secrets);
  },
});

/** The sign-in at a provider that somebody wants to finish. */
interface UnfinishedSignIn {
  providerId: number;
  sid?: string | undefined;
  /** When the browser left for the provider. */
  begun?: number | undefined;
}

/** Whether the provider ended this sign-in, or all of the person since it began: it must not be finished. */
export async function wasLoggedOut(
  db: Kysely<Tables>,
  { accountId, memberId }: MemberRef,
  { providerId, sid = '', begun }: UnfinishedSignIn,
): Promise<boolean> {
  const named = await db
    .selectFrom('provider_logout')
    .select('jti')
    .where('account_id', '=', accountId)
    .where('provider_id', '=', providerId)
    .where('sid', '=', sid)
    .where('sid', '<>', '')
    .executeTakeFirst();
  if (named || begun === undefined) return named !== undefined;
  const ended = await db
    .selectFrom('provider_identity')
    .select('subject')
    .where('account_id', '=', accountId)
    .where('provider_id', '=', providerId)
    .where('member_id', '=', memberId)
    // Times are whole seconds: of two in the same second, the logout counts as the later one.
    .where('logout_time', '>=', begun)
    .executeTakeFirst();
  return ended !== undefined;
}
