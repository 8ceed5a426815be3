/** Decides whether a resource matches a filter. */
import { fold } from '../text.ts';
import type { AttributePath, ScimAttribute, ScimValues } from './attributes.ts';
import type { ScimFilter } from './filter.ts';

type Compare = Extract<ScimFilter, { kind: 'compare' }>;

export function matchesFilter(values: ScimValues, filter: ScimFilter): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matchesFilter(values, part));
    case 'or':
      return filter.parts.some((part) => matchesFilter(values, part));
    case 'not':
      return !matchesFilter(values, filter.part);
    case 'present':
      return valuesAt(values, filter.path).length > 0;
    case 'some':
      return listAt(values, filter.path).some((each) => matchesFilter(each as ScimValues, filter.filter));
    case 'compare':
      return compares(values, filter);
  }
}

const toList = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

const listAt = (values: ScimValues, { extension, attribute }: AttributePath): readonly unknown[] => {
  const bag = extension === undefined ? values : ((values[extension] ?? {}) as ScimValues);
  return toList(bag[attribute.name]);
};

/** The part that a comparison looks at: that of the path, or the value of a list such as `emails`. */
const comparedPart = ({ attribute, sub }: AttributePath): ScimAttribute =>
  sub ?? attribute.sub?.find(({ name }) => name === 'value') ?? attribute;

function valuesAt(values: ScimValues, path: AttributePath): readonly unknown[] {
  const part = comparedPart(path);
  const found = listAt(values, path);
  if (part === path.attribute) return found;
  return found.flatMap((each) => toList((each as ScimValues)[part.name]));
}

function compares(values: ScimValues, { path, comparison, value }: Compare): boolean {
  const part = comparedPart(path);
  const found = valuesAt(values, path);
  const isEqual = found.some((each) => equals(part, each, value));
  if (comparison === 'eq') return value === null ? found.length === 0 : isEqual;
  if (comparison === 'ne') return value === null ? found.length > 0 : !isEqual;
  return found.some((each) => comparesOne(part, each, { comparison, value }));
}

const asBoolean = (value: unknown): unknown =>
  typeof value === 'string' ? value.toLowerCase() === 'true' : value;

const toComparable = (part: ScimAttribute, value: unknown): string | number => {
  if (part.type === 'dateTime') return Date.parse(String(value));
  return part.caseExact ? String(value) : fold(String(value));
};

const equals = (part: ScimAttribute, one: unknown, other: unknown): boolean =>
  part.type === 'boolean'
    ? asBoolean(one) === asBoolean(other)
    : toComparable(part, one) === toComparable(part, other);

function comparesOne(
  part: ScimAttribute,
  given: unknown,
  { comparison, value }: Pick<Compare, 'comparison' | 'value'>,
): boolean {
  if (part.type === 'boolean' || value === null) return false;
  const [one, other] = [toComparable(part, given), toComparable(part, value)];
  const [text, wanted] = [String(one), String(other)];
  switch (comparison) {
    case 'co':
      return text.includes(wanted);
    case 'sw':
      return text.startsWith(wanted);
    case 'ew':
      return text.endsWith(wanted);
    case 'gt':
      return one > other;
    case 'ge':
      return one >= other;
    case 'lt':
      return one < other;
    default:
      return one <= other;
  }
}

/** The texts that an attribute must equal for the filter to match: they can be looked up instead of compared with everybody. */
export function requiredTexts(filter: ScimFilter, path: string): string[] {
  if (filter.kind === 'and') return filter.parts.flatMap((part) => requiredTexts(part, path));
  if (filter.kind === 'some' && filter.path.attribute.name === path && filter.filter.kind === 'compare')
    return requiredTexts({ ...filter.filter, path: filter.path }, path).filter(
      () => (filter.filter as Compare).path.attribute.name === 'value',
    );
  const isLookup =
    filter.kind === 'compare' &&
    filter.comparison === 'eq' &&
    typeof filter.value === 'string' &&
    filter.path.attribute.name === path &&
    filter.path.extension === undefined &&
    (filter.path.sub === undefined || filter.path.sub.name === 'value');
  return isLookup ? [String(filter.value)] : [];
}

/** How many conditions of the filter look at an attribute. */
export function countMentions(filter: ScimFilter, name: string): number {
  if ('parts' in filter) return filter.parts.reduce((sum, part) => sum + countMentions(part, name), 0);
  if ('part' in filter) return countMentions(filter.part, name);
  return filter.path.attribute.name === name ? 1 : 0;
}
