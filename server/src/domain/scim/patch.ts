/** Applies the operations of a patch to a person (RFC 7644, section 3.5.2), in the forms that Okta and Entra ID send. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import { userDefinition, type ScimValues } from './attributes.ts';
import { parsePatchPath, type PatchPath, type ScimFilter } from './filter.ts';
import { matchesFilter } from './match.ts';
import { invalidValue, isScimObject, readAttribute, withOnePrimary } from './values.ts';

export interface PatchOperation {
  op: 'add' | 'replace' | 'remove';
  path?: string | undefined;
  value?: unknown;
}

type Op = PatchOperation['op'];
type Patched = ScimValues | Fault<'invalid'>;

const maxListLength = 50;
const maxListText = 16_384;
const noTarget = (message: string): Fault<'invalid'> =>
  fault('invalid', { code: 'no_target', field: 'path', message });

export function patchUser(resource: ScimValues, operations: readonly PatchOperation[]): Patched {
  let patched: Patched = resource;
  for (const operation of operations) {
    patched = patchOnce(patched, operation);
    if (isFault(patched)) return patched;
  }
  return patched;
}

const extensionSchema = userDefinition.extension!.schema;
const isExtension = (path: string): boolean => path.toLowerCase() === extensionSchema.toLowerCase();

function patchOnce(resource: ScimValues, { op, path, value }: PatchOperation): Patched {
  if (path === undefined || path === '') {
    if (op === 'remove') return noTarget('A removal needs a path.');
    return isScimObject(value)
      ? patchEach(resource, op, value, '')
      : invalidValue('value', 'value must be an object if the operation has no path.');
  }
  if (!isExtension(path)) return patchAt(resource, op, path, value);
  if (op !== 'remove') return patchExtension(resource, op, value);
  const { [extensionSchema]: _removed, ...rest } = resource;
  return rest;
}

const patchExtension = (resource: ScimValues, op: Op, value: unknown): Patched =>
  isScimObject(value)
    ? patchEach(resource, op, value, `${extensionSchema}:`)
    : invalidValue(extensionSchema, `${extensionSchema} must be an object.`);

/** Each name is a path of its own. Unknown ones, and those that only the server sets, are ignored, as in a whole resource. */
function patchEach(resource: ScimValues, op: Op, values: ScimValues, prefix: string): Patched {
  let patched: Patched = resource;
  for (const [name, value] of Object.entries(values)) {
    const next: Patched = isExtension(name)
      ? patchExtension(patched, op, value)
      : patchAt(patched, op, prefix + name, value);
    if (!isFault(next)) patched = next;
    else if (next.code !== 'invalid_path' && next.code !== 'mutability') return next;
  }
  return patched;
}

function patchAt(resource: ScimValues, op: Op, source: string, value: unknown): Patched {
  const path = parsePatchPath(userDefinition, source);
  if (isFault(path)) return path;
  const { extension, attribute } = path;
  if (attribute.mutability === 'readOnly')
    return fault('invalid', {
      code: 'mutability',
      field: attribute.name,
      message: `${attribute.name} is set by the server.`,
    });
  if (attribute.ignored || attribute.mutability === 'writeOnly') return resource;
  const bag = extension === undefined ? resource : ((resource[extension] ?? {}) as ScimValues);
  const changed = changedValue(bag[attribute.name], path, op, value);
  if (isFault(changed)) return changed as Fault<'invalid'>;
  const inside = withValue(bag, attribute.name, changed);
  if (extension === undefined) return inside;
  return withValue(resource, extension, Object.keys(inside).length === 0 ? undefined : inside);
}

function withValue(bag: ScimValues, name: string, value: unknown): ScimValues {
  const { [name]: _former, ...rest } = bag;
  return value === undefined ? rest : { ...rest, [name]: value };
}

function changedValue(current: unknown, path: PatchPath, op: Op, value: unknown): unknown {
  const { attribute, sub } = path;
  if (attribute.multiValued) return changedList((current ?? []) as ScimValues[], path, op, value);
  const before = (current ?? {}) as ScimValues;
  if (sub) {
    const read = op === 'remove' ? undefined : readAttribute(sub, value, `${attribute.name}.${sub.name}`);
    return isFault(read) ? read : unlessEmpty(withValue(before, sub.name, read));
  }
  if (op === 'remove') return undefined;
  const read = readAttribute(attribute, value);
  return attribute.type === 'complex' && isScimObject(read) && !isFault(read) ? { ...before, ...read } : read;
}

const unlessEmpty = (values: ScimValues): ScimValues | undefined =>
  Object.keys(values).length === 0 ? undefined : values;

function changedList(current: readonly ScimValues[], path: PatchPath, op: Op, value: unknown): unknown {
  const changed =
    op === 'remove' ? withoutValues(current, path, value) : withValues(current, path, op, value);
  if (isFault(changed)) return changed;
  const { name } = path.attribute;
  if (changed.length > maxListLength)
    return invalidValue(name, `${name} must have at most ${maxListLength} values.`);
  // Checked after each operation, so that the next one does not cost more.
  if (JSON.stringify(changed).length > maxListText)
    return invalidValue(name, `${name} must have at most ${maxListText} characters.`);
  return changed.length === 0 ? undefined : withOnePrimary(changed);
}

/** Entra ID names the values that it removes in `value`; without a value, all that match are removed. */
function withoutValues(
  current: readonly ScimValues[],
  { attribute, sub, filter }: PatchPath,
  value: unknown,
): ScimValues[] | Fault<'invalid'> {
  const isMeant = (each: ScimValues): boolean => !filter || matchesFilter(each, filter);
  if (sub)
    return current
      .map((each) => (isMeant(each) ? withValue(each, sub.name, undefined) : each))
      .filter((each) => Object.keys(each).length > 0);
  const named = readAttribute(attribute, value);
  if (isFault(named)) return named as Fault<'invalid'>;
  const texts = (named as ScimValues[] | undefined)?.map((each) => each['value']);
  return current.filter((each) => !isMeant(each) || (texts && !texts.includes(each['value'])));
}

function withValues(
  current: readonly ScimValues[],
  path: PatchPath,
  op: Op,
  value: unknown,
): ScimValues[] | Fault<'invalid'> {
  const { attribute, sub, filter } = path;
  const read = sub
    ? readAttribute(sub, value, `${attribute.name}.${sub.name}`)
    : readAttribute(attribute, value);
  if (isFault(read)) return read as Fault<'invalid'>;
  if (read === undefined) return op === 'add' ? [...current] : withoutValues(current, path, undefined);
  if (!sub && !filter) {
    const given = read as ScimValues[];
    return op === 'replace' ? given : distinct([...current, ...given]);
  }
  const merged = sub ? { [sub.name]: read } : (read as ScimValues[])[0]!;
  const isMeant = (each: ScimValues): boolean => !filter || matchesFilter(each, filter);
  if (current.some(isMeant)) return current.map((each) => (isMeant(each) ? { ...each, ...merged } : each));
  const seed = filter ? equalTerms(filter) : {};
  return seed ? [...current, { ...seed, ...merged }] : noTarget('No value matches the filter of the path.');
}

const distinct = (values: readonly ScimValues[]): ScimValues[] => [
  ...new Map(values.map((each) => [JSON.stringify(each), each])).values(),
];

/** What a new value needs so that the filter matches it: Entra ID sets `emails[type eq "work"].value` before there is one. */
function equalTerms(filter: ScimFilter): ScimValues | undefined {
  if (filter.kind === 'compare' && filter.comparison === 'eq' && filter.value !== null) {
    const { attribute } = filter.path;
    // A boolean can be the text "True" here too.
    const value = readAttribute(attribute, filter.value);
    return isFault(value) ? undefined : { [attribute.name]: value };
  }
  if (filter.kind !== 'and') return undefined;
  const terms = filter.parts.map(equalTerms);
  return terms.includes(undefined) ? undefined : Object.assign({}, ...terms);
}
