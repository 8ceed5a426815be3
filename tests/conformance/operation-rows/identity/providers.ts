/** Test rows: identity providers. */
import type { providers } from '@drawbridge/contract/v1/providers';
import { must } from '../../../kit/server/account.ts';
import { unreachableProvider } from '../../resources.ts';
import { byProvider, nothing, withName } from '../requests.ts';
import type { FurtherRow, MakeRequest, RowsOf } from '../row.ts';
import { needsUserAdmin } from '../rules.ts';

const names = { id: 'provider' } as const;
const groupNames = { id: 'provider', department_id: 'department' } as const;

const wholeProvider: MakeRequest = async (it, service) => ({
  ...(await withName('name')(it, service)),
  issuer: unreachableProvider,
  client_id: 'drawbridge',
  client_secret: 'a secret of the provider',
});

const aGroup: MakeRequest = async (it) => ({
  id: await it.provider(),
  group: 'staff',
  department_id: await it.department(),
});

const mappedGroup: MakeRequest = async (it, { server }) => {
  const accountId = it.account.id;
  const [id, departmentId] = [await it.provider(), await it.department()];
  const mapping = { accountId, by: it.account.owner.id, id, group: 'staff', departmentId };
  await must(server.store, 'providers/group-add', mapping);
  return { id, group: 'staff', department_id: departmentId };
};

const settings = 'scopes groups_claim create_people adopt enabled';

export const providersRows: RowsOf<typeof providers, FurtherRow> = {
  'team/provider/list': { signature: 'GET query plain', request: nothing, outcome: needsUserAdmin },
  'team/provider/create': {
    signature: `POST body numbered name issuer ca_cert client_id client_secret ${settings}`,
    request: wholeProvider,
    outcome: needsUserAdmin,
    names: { client_id: 'new' },
    freshSignIn: true,
  },
  'team/provider/update': {
    signature: `POST body numbered id name ca_cert client_id ${settings} client_secret`,
    request: withName('name', byProvider),
    outcome: needsUserAdmin,
    names: { ...names, client_id: 'new' },
    freshSignIn: true,
  },
  'team/provider/remove': {
    signature: 'POST body numbered id',
    request: byProvider,
    outcome: needsUserAdmin,
    names,
    freshSignIn: true,
  },
  'team/provider/check': {
    signature: 'POST body numbered id',
    request: byProvider,
    outcome: needsUserAdmin,
    names,
  },
  'team/provider/group/add': {
    signature: 'POST body numbered id group department_id',
    request: aGroup,
    outcome: needsUserAdmin,
    names: groupNames,
    freshSignIn: true,
  },
  'team/provider/group/remove': {
    signature: 'POST body numbered id group department_id',
    request: mappedGroup,
    outcome: needsUserAdmin,
    names: groupNames,
    freshSignIn: true,
  },
  'team/provider/require': {
    signature: 'POST body numbered only_sso',
    request: async () => ({ only_sso: false }),
    outcome: needsUserAdmin,
    freshSignIn: true,
  },
};
