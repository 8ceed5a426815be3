/** Finds the devices, groups, roles and departments that entries of the audit log refer to by id. */
import type { OutputOf } from '../api.ts';

export type AuditListItem = OutputOf<'v1/audit/list'>['data'][number];

export type EntityKind = 'agent' | 'group' | 'role' | 'department';

export interface AuditEntity {
  kind: EntityKind;
  id: number;
}

export type EntityNames = ReadonlyMap<string, string>;

const fields: readonly [RegExp, EntityKind][] = [
  [/^(target_)?agent_id$/, 'agent'],
  [/^group_id$/, 'group'],
  [/^role_id$/, 'role'],
  [/^department_id$/, 'department'],
];

/** The kind of record that a plain `id` refers to, by operation. */
const operations: readonly [RegExp, EntityKind][] = [
  [/^agents\/(?!files\/|enroll\/)/, 'agent'],
  [/^groups\//, 'group'],
  [/^team\/role\//, 'role'],
  [/^team\/department\//, 'department'],
];

const kindOf = (field: string, operation: string): EntityKind | undefined =>
  field === 'id'
    ? operations.find(([pattern]) => pattern.test(operation))?.[1]
    : fields.find(([pattern]) => pattern.test(field))?.[1];

export const entitiesOf = ({ operation, input }: Pick<AuditListItem, 'operation' | 'input'>): AuditEntity[] =>
  Object.entries(input).flatMap(([field, id]) => {
    const kind = kindOf(field, operation);
    return kind !== undefined && typeof id === 'number' && id > 0 ? [{ kind, id }] : [];
  });

export const entityKey = ({ kind, id }: AuditEntity): string => `${kind} ${id}`;

const pages: Record<EntityKind, string> = {
  agent: '/panel/devices/',
  group: '/panel/devices?group=',
  role: '/panel/team/roles/',
  department: '/panel/team/departments/',
};

export const entityHref = ({ kind, id }: AuditEntity): string => `${pages[kind]}${id}`;
