/** Groups as identity providers see them: departments, and what a request changes about one. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import { name as nameSchema } from '@drawbridge/contract/fields';
import { parseAs } from '@drawbridge/contract/parse';
import { attributeNamed, groupDefinition, type ScimValues } from './attributes.ts';
import { parsePatchPath, type ScimFilter } from './filter.ts';
import type { PatchOperation } from './patch.ts';
import { invalidValue, isScimObject, readResource } from './values.ts';

export interface ScimGroup {
  id: number;
  name: string;
  externalId: string | null;
  createTime: number;
  modifyTime: number;
  /** Undefined where they were not asked for. */
  members?: readonly { id: number; name: string }[];
}

/** One step of changing members; steps are carried out in order. */
export interface MemberStep {
  kind: 'add' | 'remove' | 'set';
  ids: readonly number[];
}

/** What a request changes; absent fields stay. */
export interface GroupEdit {
  name?: string;
  externalId?: string | null;
  members: readonly MemberStep[];
}

const maxMembers = 5_000;
const maxExternalIdLength = 256;

export const toGroupValues = ({
  id,
  name,
  externalId,
  createTime,
  modifyTime,
  members,
}: ScimGroup): ScimValues => ({
  id: String(id),
  displayName: name,
  ...(externalId !== null && { externalId }),
  ...(members && {
    members: members.map((each) => ({ value: String(each.id), display: each.name, type: 'User' })),
  }),
  meta: {
    resourceType: 'Group',
    created: new Date(createTime * 1_000).toISOString(),
    lastModified: new Date(modifyTime * 1_000).toISOString(),
  },
});

/** A whole group. Members that are not mentioned stay. */
export function readGroup(given: ScimValues): (GroupEdit & { name: string }) | Fault<'invalid'> {
  const fields = Object.entries(given);
  const members = fields.find(([key]) => key.toLowerCase() === 'members')?.[1];
  const rest = Object.fromEntries(fields.filter(([key]) => key.toLowerCase() !== 'members'));
  const values = readResource(groupDefinition, rest);
  if (isFault(values)) return values;
  const edit = readNames(values);
  if (isFault(edit)) return edit;
  if (edit.name === undefined) return invalidValue('displayName', 'displayName is missing.');
  const ids = members === undefined || members === null ? undefined : readIds(members);
  if (isFault(ids)) return ids;
  return { externalId: null, ...edit, name: edit.name, members: ids ? [{ kind: 'set', ids }] : [] };
}

type Names = Pick<GroupEdit, 'name' | 'externalId'>;

function readNames(values: ScimValues): Names | Fault<'invalid'> {
  const { displayName, externalId } = values as { displayName?: string; externalId?: string };
  const read = displayName === undefined ? undefined : parseAs(nameSchema, displayName);
  if (read?.problem)
    return invalidValue('displayName', read.problem.message.replace('The request', 'displayName'));
  if (externalId !== undefined && externalId.length > maxExternalIdLength)
    return invalidValue('externalId', `externalId must have at most ${maxExternalIdLength} characters.`);
  return {
    ...(read && { name: read.data }),
    ...(externalId !== undefined && { externalId }),
  };
}

/** The ids of people: objects with a value, or the values themselves. */
function readIds(value: unknown): number[] | Fault<'invalid'> {
  const list = Array.isArray(value) ? value : [value];
  if (list.length > maxMembers)
    return invalidValue('members', `A request must not name more than ${maxMembers} members.`);
  const ids = list.map((each) => toId(isScimObject(each) ? each[keyOf(each)] : each));
  return ids.includes(undefined)
    ? invalidValue('members', 'members must name people by the ids that this server gave them.')
    : [...new Set(ids as number[])];
}

const keyOf = (member: ScimValues): string =>
  Object.keys(member).find((key) => key.toLowerCase() === 'value') ?? 'value';

const toId = (value: unknown): number | undefined => {
  const id = /^[1-9]\d{0,15}$/.test(String(value)) ? Number(value) : NaN;
  return Number.isSafeInteger(id) ? id : undefined;
};

export function toGroupEdit(operations: readonly PatchOperation[]): GroupEdit | Fault<'invalid'> {
  let edit: GroupEdit = { members: [] };
  for (const operation of operations) {
    const part = readOperation(operation);
    if (isFault(part)) return part;
    edit = { ...edit, ...part, members: [...edit.members, ...part.members] };
  }
  return edit;
}

function readOperation({ op, path, value }: PatchOperation): GroupEdit | Fault<'invalid'> {
  if (path !== undefined && path !== '') return readPath(op, path, value);
  if (op === 'remove' || !isScimObject(value))
    return invalidValue('value', 'An operation without a path needs an object as its value.');
  // Okta sends the id of the group beside its new name.
  let edit: GroupEdit = { members: [] };
  for (const [name, each] of Object.entries(value)) {
    if (!attributeNamed(groupDefinition.attributes, name) && name.toLowerCase() !== 'externalid') continue;
    const part = readPath(op, name, each);
    if (isFault(part)) return part;
    edit = { ...edit, ...part, members: [...edit.members, ...part.members] };
  }
  return edit;
}

function readPath(op: PatchOperation['op'], source: string, value: unknown): GroupEdit | Fault<'invalid'> {
  const path = parsePatchPath(groupDefinition, source);
  if (isFault(path)) return path;
  const { attribute, filter } = path;
  if (attribute.name === 'members') return readMembers(op, filter, value);
  if (attribute.mutability)
    return fault('invalid', {
      code: 'mutability',
      field: attribute.name,
      message: `${attribute.name} is set by the server.`,
    });
  if (op === 'remove' && attribute.required)
    return invalidValue(attribute.name, `${attribute.name} cannot be removed.`);
  if (op === 'remove') return { externalId: null, members: [] };
  const values = readResource(groupDefinition, { [attribute.name]: value });
  const names = isFault(values) ? values : readNames(values);
  return isFault(names) ? names : { ...names, members: [] };
}

function readMembers(
  op: PatchOperation['op'],
  filter: ScimFilter | undefined,
  value: unknown,
): GroupEdit | Fault<'invalid'> {
  if (filter) {
    const ids = idsOf(filter);
    if (op === 'remove' && ids) return { members: [{ kind: 'remove', ids }] };
    return fault('invalid', {
      code: 'invalid_path',
      field: 'path',
      message: 'Members can be chosen only by value, to remove them: members[value eq "12"].',
    });
  }
  const isAll = value === undefined || value === null;
  const ids = isAll ? [] : readIds(value);
  if (isFault(ids)) return ids;
  if (op === 'remove') return { members: [{ kind: isAll ? 'set' : 'remove', ids }] };
  return { members: [{ kind: op === 'replace' ? 'set' : 'add', ids }] };
}

/** The ids that `value eq "1" or value eq "2"` names. */
function idsOf(filter: ScimFilter): number[] | undefined {
  if (filter.kind === 'or') {
    const lists = filter.parts.map(idsOf);
    return lists.includes(undefined) ? undefined : lists.flatMap((each) => each!);
  }
  if (filter.kind !== 'compare' || filter.comparison !== 'eq' || filter.path.attribute.name !== 'value')
    return undefined;
  // An id that nobody can have names nobody.
  return [toId(filter.value) ?? 0];
}
