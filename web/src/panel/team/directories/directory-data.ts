/** Loads the directories of the account, and reloads them when they change. */
import { get, type OutputOf } from '../../api.ts';
import { useResource } from '../../resource.ts';
import type { Resource } from '../../resource-types.ts';

export type Directory = OutputOf<'v1/team/directory/list'>['data'][number];
export type DirectoryReport = OutputOf<'v1/team/directory/plan'>['data'];

export const useDirectories = (): Resource<Directory[]> =>
  useResource('directories', async (options) => (await get('v1/team/directory/list', {}, options)).data, [
    'team',
  ]);

export const directoryHref = (id: number): string => `/panel/team/directories/${id}`;
