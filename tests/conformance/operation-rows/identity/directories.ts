/** Test rows: directories. */
import type { directories } from '@drawbridge/contract/v1/directories';
import { unreachableDirectory } from '../../resources.ts';
import { byDirectory, nothing, withName } from '../requests.ts';
import type { FurtherRow, MakeRequest, RowsOf } from '../row.ts';
import { needsUserAdmin } from '../rules.ts';

const settings = {
  url: unreachableDirectory,
  bind_dn: 'cn=reader,dc=example,dc=com',
  bind_password: 'a secret of the directory',
  base: 'dc=example,dc=com',
};
const names = { id: 'directory' } as const;
const wholeDirectory: MakeRequest = async (it, service) => ({
  ...(await withName('name')(it, service)),
  ...settings,
});

const parameters =
  'name url ca_cert bind_dn bind_password base person_filter group_filter adopt sign_in every_minutes removal_percent';

export const directoriesRows: RowsOf<typeof directories, FurtherRow> = {
  'team/directory/list': { signature: 'GET query plain', request: nothing, outcome: needsUserAdmin },
  'team/directory/create': {
    signature: `POST body numbered ${parameters}`,
    request: wholeDirectory,
    outcome: needsUserAdmin,
    freshSignIn: true,
  },
  'team/directory/update': {
    signature:
      'POST body numbered id name url ca_cert bind_dn base person_filter group_filter adopt sign_in every_minutes removal_percent bind_password',
    request: withName('name', byDirectory),
    outcome: needsUserAdmin,
    names,
    freshSignIn: true,
  },
  'team/directory/remove': {
    signature: 'POST body numbered id',
    request: byDirectory,
    outcome: needsUserAdmin,
    names,
    freshSignIn: true,
  },
  'team/directory/plan': {
    signature: 'POST body numbered id',
    request: byDirectory,
    outcome: needsUserAdmin,
    names,
  },
  'team/directory/run': {
    signature: 'POST body numbered id confirm_removals removed_percent',
    request: byDirectory,
    outcome: needsUserAdmin,
    logged: 'address', // of the server itself: it is not connected to
    names,
    freshSignIn: true,
  },
};
