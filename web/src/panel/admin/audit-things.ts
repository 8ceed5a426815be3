/** Which devices, groups, roles and departments lines of the audit log speak of, and what these are called. */
import type { AuditLine } from './audit-line.ts';

export type Kind = 'agent' | 'group' | 'role' | 'department';

export interface Thing {
  kind: Kind;
  id: number;
}

export type Names = ReadonlyMap<string, string>;

const fields: readonly [RegExp, Kind][] = [
  [/^(target_)?agent_id$/, 'agent'],
  [/^group_id$/, 'group'],
  [/^role_id$/, 'role'],
  [/^department_id$/, 'department'],
];

/** What a plain `id` means, by the operation it was given to. */
const operations: readonly [RegExp, Kind][] = [
  [/^agents\/(?!files\/|enroll\/)/, 'agent'],
  [/^groups\//, 'group'],
  [/^team\/role\//, 'role'],
  [/^team\/department\//, 'department'],
];

const kindOf = (field: string, operation: string): Kind | undefined =>
  field === 'id'
    ? operations.find(([pattern]) => pattern.test(operation))?.[1]
    : fields.find(([pattern]) => pattern.test(field))?.[1];

export const thingsOf = ({ operation, input }: Pick<AuditLine, 'operation' | 'input'>): Thing[] =>
  Object.entries(input).flatMap(([field, id]) => {
    const kind = kindOf(field, operation);
    return kind !== undefined && typeof id === 'number' && id > 0 ? [{ kind, id }] : [];
  });

export const keyOf = ({ kind, id }: Thing): string => `${kind} ${id}`;

const pages: Record<Kind, string> = {
  agent: '/panel/devices/',
  group: '/panel/devices?group=',
  role: '/panel/team/roles/',
  department: '/panel/team/departments/',
};

export const pageOf = ({ kind, id }: Thing): string => `${pages[kind]}${id}`;
