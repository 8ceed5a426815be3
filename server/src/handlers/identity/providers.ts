/** Team: identity providers. One function per row of contract/src/v1/providers.ts. */
import { fault } from '@drawbridge/contract/faults';
import type { Input } from '@drawbridge/contract/operation';
import { ssoLogoutPath, ssoReturnPath, ssoSignInPath } from '@drawbridge/contract/panel/sso';
import type { providers as table } from '@drawbridge/contract/v1/providers';
import type { ChangedProvider, ProviderSettings } from '../../domain/people/provider.ts';
import { toSignInName } from '../../domain/people/sign-in-name.ts';
import type { Handlers } from '../handler.ts';

export const providerHandlers: Handlers<typeof table> = {
  'team/provider/list': async ({ actor: { accountId } }, { store, publicUrl }) => ({
    data: (await store.providers.list(accountId)).map((provider) => ({
      id: provider.id,
      issuer: provider.issuer,
      ...settingsView(provider),
      sign_in_name: provider.signInName,
      sign_in_url: `${publicUrl}${ssoSignInPath(provider.signInName)}`,
      redirect_uri: `${publicUrl}${ssoReturnPath(provider.signInName)}`,
      logout_uri: `${publicUrl}${ssoLogoutPath(provider.signInName)}`,
      people: provider.people,
      groups: provider.groups.map(({ group, departmentId, department }) => ({
        group,
        department_id: departmentId,
        department,
      })),
    })),
    only_sso: await store.providers.onlySso(accountId),
  }),

  'team/provider/create': async ({ actor, input: { client_secret, issuer, ...input }, change }, { random }) =>
    change('providers/create', {
      accountId: actor.accountId,
      by: actor.memberId,
      issuer,
      clientSecret: client_secret,
      signInName: toSignInName(random.token()),
      settings: toSettings(input),
    }),

  'team/provider/update': async ({ actor, input: { id, client_secret, ...input }, change }) =>
    change('providers/update', {
      accountId: actor.accountId,
      by: actor.memberId,
      id,
      clientSecret: client_secret,
      settings: toSettings(input),
    }),

  'team/provider/remove': async ({ actor, input, change }) =>
    change('providers/remove', { accountId: actor.accountId, ...input }),

  'team/provider/check': async ({ actor, input }, { store, identityProviders }) => {
    const connection = await store.providers.connection(actor.accountId, input.id);
    if (!connection) return fault('not_found', { field: 'id' });
    return { data: { problem: (await identityProviders.check(connection)) ?? '' } };
  },

  'team/provider/group/add': async ({ actor, input: { id, group, department_id }, change }) =>
    change('providers/group-add', {
      accountId: actor.accountId,
      by: actor.memberId,
      id,
      group,
      departmentId: department_id,
    }),

  'team/provider/group/remove': async ({ actor, input: { id, group, department_id }, change }) =>
    change('providers/group-remove', { accountId: actor.accountId, id, group, departmentId: department_id }),

  'team/provider/require': async ({ actor: { accountId, memberId }, input, change }) =>
    change('providers/require', { accountId, memberId, onlySso: input.only_sso }),
};

type SettingsInput = Omit<Input<(typeof table)['team/provider/update']>, 'id' | 'client_secret'>;

type WholeSettings = Omit<Input<(typeof table)['team/provider/create']>, 'client_secret' | 'issuer'>;

function toSettings(input: WholeSettings): ProviderSettings;
function toSettings(input: SettingsInput): ChangedProvider;
function toSettings(input: SettingsInput): ChangedProvider {
  return {
    name: input.name,
    ca: input.ca_cert,
    clientId: input.client_id,
    scopes: input.scopes,
    groupsClaim: input.groups_claim,
    createPeople: input.create_people,
    adopt: input.adopt,
    enabled: input.enabled,
  };
}

const settingsView = (settings: ProviderSettings) => ({
  name: settings.name,
  ca_cert: settings.ca,
  client_id: settings.clientId,
  scopes: settings.scopes,
  groups_claim: settings.groupsClaim,
  create_people: settings.createPeople,
  adopt: settings.adopt,
  enabled: settings.enabled,
});
