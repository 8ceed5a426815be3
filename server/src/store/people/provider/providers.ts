/** Identity providers of accounts, in SQL. */
import { fault, isFault } from '@drawbridge/contract/faults';
import type { Kysely } from 'kysely';
import type { ProviderSettings } from '../../../domain/people/provider.ts';
import type { Flag, Tables } from '../../engine/schema.ts';
import type { ChangesOf, ChangeTx } from '../../engine/transaction.ts';
import { lockRights } from '../account-versions.ts';
import { loadActor } from '../actors.ts';
import { findDepartment, fromDirectory } from '../departments.ts';
import { departmentsGiveUnheld } from '../directory/given-permissions.ts';
import { beyondOwnRights } from '../roles.ts';
import { checkEdit, neededRefusal, signsInWithProvider } from './provider-guards.ts';
import { clientSecretOf, isOnlySso, providerRow, toProviderSettings } from './provider-reads.ts';

const toFlag = (value: boolean): Flag => (value ? 1 : 0);

const toColumns = (settings: ProviderSettings) => ({
  name: settings.name,
  ca: settings.ca,
  client_id: settings.clientId,
  scopes: settings.scopes,
  groups_claim: settings.groupsClaim,
  create_people: toFlag(settings.createPeople),
  adopt: toFlag(settings.adopt),
  enabled: toFlag(settings.enabled),
});

/** The most providers of an account, and the most groups of a provider. */
const maxProviders = 100;
const maxGroups = 200;

const missing = fault('not_found', { field: 'id' });

const count = async (db: Kysely<Tables>, accountId: number): Promise<number> =>
  (await db.selectFrom('provider').select('id').where('account_id', '=', accountId).execute()).length;

type Names = 'create' | 'update' | 'remove' | 'group-add' | 'group-remove' | 'require';

/** Sealed for its row, whose id a new provider has only once it is stored. */
const setSecret = (
  { db, secrets }: ChangeTx,
  row: { account_id: number; id: number },
  clientSecret: string,
) =>
  db
    .updateTable('provider')
    .set({ client_secret: secrets.seal(clientSecretOf(row), clientSecret) })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();

export const providerChanges: ChangesOf<`providers/${Names}`> = {
  'providers/create': async function (tx, { accountId, by, settings, ...given }) {
    const { db, now } = tx;
    await lockRights(db, accountId);
    if ((await count(db, accountId)) >= maxProviders)
      return fault('invalid', { message: `An account cannot have more than ${maxProviders} providers.` });
    const row = await db
      .insertInto('provider')
      .values({
        account_id: accountId,
        member_id: by,
        sign_in_name: given.signInName,
        issuer: given.issuer,
        client_secret: '',
        create_time: now,
        ...toColumns(settings),
      })
      .returning(['id', 'account_id'])
      .executeTakeFirstOrThrow();
    await setSecret(tx, row, given.clientSecret);
    return { id: row.id };
  },

  'providers/update': async function (tx, { accountId, by, id, clientSecret, settings }) {
    const { db } = tx;
    await lockRights(db, accountId);
    const row = await providerRow(db, accountId, id);
    if (!row) return missing;
    const before = toProviderSettings(row);
    const changed = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
    const after = { ...before, ...changed };
    if (after.ca !== before.ca && clientSecret === undefined)
      return fault('invalid', {
        field: 'client_secret',
        message: 'The secret would be sent to a server with another certificate: give it again.',
      });
    const checked = await checkEdit(tx, row, { by, after, clientSecret });
    if (isFault(checked)) return checked;
    const lockedOut = after.enabled ? undefined : await neededRefusal(db, row, 'enabled');
    if (lockedOut) return lockedOut;
    await db
      .updateTable('provider')
      .set({ member_id: checked.responsible, ...toColumns(after) })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
    if (clientSecret !== undefined) await setSecret(tx, row, clientSecret);
    if (!after.enabled) await endSessions(db, accountId, id);
    return {};
  },

  // Its people and their memberships stay; sessions that it opened end with it.
  'providers/remove': async function ({ db }, { accountId, id }) {
    await lockRights(db, accountId);
    const row = await providerRow(db, accountId, id);
    if (!row) return missing;
    const lockedOut = await neededRefusal(db, row, 'id');
    if (lockedOut) return lockedOut;
    await db.deleteFrom('provider').where('account_id', '=', accountId).where('id', '=', id).execute();
    return {};
  },

  'providers/group-add': async function ({ db, now }, { accountId, by, id, group, departmentId }) {
    await lockRights(db, accountId);
    const actor = await loadActor({ db, now }, accountId, by);
    if (!actor || !(await providerRow(db, accountId, id))) return missing;
    const department = await findDepartment(db, accountId, departmentId);
    if (!department) return fault('not_found', { field: 'department_id' });
    if (department.ldap) return fault('invalid', { ...fromDirectory, field: 'department_id' });
    if (await departmentsGiveUnheld({ db, now }, actor, [departmentId]))
      return fault('forbidden', beyondOwnRights);
    const known = await db
      .selectFrom('provider_group')
      .select('group_name')
      .where('account_id', '=', accountId)
      .where('provider_id', '=', id)
      .execute();
    if (known.length >= maxGroups)
      return fault('invalid', { message: `A provider cannot have more than ${maxGroups} groups.` });
    await db
      .insertInto('provider_group')
      .values({
        account_id: accountId,
        provider_id: id,
        department_id: departmentId,
        group_name: group,
        member_id: by,
      })
      .onConflict((conflict) =>
        conflict.columns(['provider_id', 'group_name', 'department_id']).doUpdateSet({ member_id: by }),
      )
      .execute();
    return {};
  },

  'providers/group-remove': async function ({ db }, { accountId, id, group, departmentId }) {
    if (!(await providerRow(db, accountId, id))) return missing;
    if (!(await findDepartment(db, accountId, departmentId)))
      return fault('not_found', { field: 'department_id' });
    const row = await db
      .deleteFrom('provider_group')
      .where('account_id', '=', accountId)
      .where('provider_id', '=', id)
      .where('group_name', '=', group)
      .where('department_id', '=', departmentId)
      .returning('group_name')
      .executeTakeFirst();
    return row ? {} : fault('not_found', { field: 'group' });
  },

  'providers/require': async function ({ db, now }, { accountId, memberId, onlySso }) {
    await lockRights(db, accountId);
    if ((await isOnlySso(db, accountId)) === onlySso) return {};
    if ((await loadActor({ db, now }, accountId, memberId))?.owner !== true)
      return fault('forbidden', {
        field: 'only_sso',
        message: 'Only the owner decides whether people can sign in only with a provider.',
      });
    if (onlySso && !(await signsInWithProvider(db, { accountId, memberId })))
      return fault('invalid', {
        field: 'only_sso',
        code: 'sso_unused',
        message: 'Sign in with a provider of the account once before you require it from everybody.',
      });
    await db
      .updateTable('account')
      .set({ only_sso: toFlag(onlySso) })
      .where('account_id', '=', accountId)
      .execute();
    if (onlySso) await endOtherMethods(db, accountId, memberId);
    return {};
  },
};

/** Ends what began with other methods, except for this person, and links that would sign in without a provider. */
async function endOtherMethods(db: Kysely<Tables>, accountId: number, memberId: number): Promise<void> {
  await db
    .deleteFrom('panel_session')
    .where('account_id', '=', accountId)
    .where('provider_id', 'is', null)
    .where('member_id', '!=', memberId)
    .execute();
  await db
    .deleteFrom('sign_in_link')
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'sign_in')
    .execute();
}

const endSessions = (db: Kysely<Tables>, accountId: number, id: number) =>
  db.deleteFrom('panel_session').where('account_id', '=', accountId).where('provider_id', '=', id).execute();
