/** What the things are called that lines of the audit log speak of, as far as one may see them. */
import { get, type ApiRequestOptions } from '../api.ts';
import { mayInTeam } from '../me.ts';
import type { AuditLine } from './audit-line.ts';
import { keyOf, thingsOf, type Kind, type Names } from './audit-things.ts';

interface Named {
  id: number;
  name: string;
}

/** So many devices can be asked for by their ids. */
const mostDevices = 200;

const asks: Record<Kind, (ids: readonly number[], options: ApiRequestOptions) => Promise<{ data: Named[] }>> =
  {
    agent: (ids, options) => get('devices', { ids: ids.slice(0, mostDevices).join(',') }, options),
    group: (_ids, options) => get('v1/groups/list', {}, options),
    role: (_ids, options) => get('team/roles', {}, options),
    department: (_ids, options) => get('team/departments', {}, options),
  };

const mayAsk = (kind: Kind): boolean => kind === 'agent' || kind === 'group' || mayInTeam('team_user_admin');

/** What is gone, or may not be seen, has no name here: the line tells its number. */
export async function namesFor(lines: readonly AuditLine[], options: ApiRequestOptions): Promise<Names> {
  const byKind = Map.groupBy(lines.flatMap(thingsOf), ({ kind }) => kind);
  const found = await Promise.all(
    [...byKind]
      .filter(([kind]) => mayAsk(kind))
      .map(async ([kind, things]) => {
        const ids = [...new Set(things.map(({ id }) => id))];
        // The log is read without names rather than not at all.
        const { data } = await asks[kind](ids, options).catch(() => ({ data: [] as Named[] }));
        return data.map(({ id, name }): [string, string] => [keyOf({ kind, id }), name]);
      }),
  );
  return new Map(found.flat());
}
