/** Loads the names of the records that audit entries refer to, as far as the user may see them. */
import { get, type ApiRequestOptions } from '../api.ts';
import { mayInTeam } from '../current-user.ts';
import { loadPersonNames } from '../team/people/load-person-names.ts';
import type { AuditNames } from './audit-text.ts';
import {
  entityKey,
  entitiesOf,
  type AuditListItem,
  type EntityKind,
  type EntityNames,
} from './audit-entities.ts';

interface Named {
  id: number;
  name: string;
}

/** The maximum number of device ids in one request. */
const maxDevices = 200;

const loaders: Record<
  EntityKind,
  (ids: readonly number[], options: ApiRequestOptions) => Promise<{ data: Named[] }>
> = {
  agent: (ids, options) => get('devices', { ids: ids.slice(0, maxDevices).join(',') }, options),
  group: (_ids, options) => get('v1/groups/list', {}, options),
  role: (_ids, options) => get('team/roles', {}, options),
  department: (_ids, options) => get('team/departments', {}, options),
};

const mayAsk = (kind: EntityKind): boolean =>
  kind === 'agent' || kind === 'group' || mayInTeam('team_user_admin');

export async function loadAuditNames(
  lines: readonly AuditListItem[],
  options: ApiRequestOptions,
): Promise<AuditNames> {
  const emails = lines.flatMap(({ email, input }) => [email, input['email']]);
  const [entities, people] = await Promise.all([
    loadEntityNames(lines, options),
    loadPersonNames(emails, options),
  ]);
  return { entities, people };
}

/** Records that are deleted or not visible to the user have no name here: the entry shows their id. */
async function loadEntityNames(
  lines: readonly AuditListItem[],
  options: ApiRequestOptions,
): Promise<EntityNames> {
  const byKind = Map.groupBy(lines.flatMap(entitiesOf), ({ kind }) => kind);
  const found = await Promise.all(
    [...byKind]
      .filter(([kind]) => mayAsk(kind))
      .map(async ([kind, entities]) => {
        const ids = [...new Set(entities.map(({ id }) => id))];
        // Without names the log is still readable, so errors are ignored.
        const { data } = await loaders[kind](ids, options).catch(() => ({ data: [] as Named[] }));
        return data.map(({ id, name }): [string, string] => [entityKey({ kind, id }), name]);
      }),
  );
  return new Map(found.flat());
}
