/** Which attributes a response contains (RFC 7644, section 3.9). */
import { resolvePath, type AttributePath, type ScimDefinition, type ScimValues } from './attributes.ts';

interface Projection {
  /** Only these; all if empty. */
  attributes: readonly AttributePath[];
  excluded: readonly AttributePath[];
}

const maxPaths = 64;

/** Unknown names are ignored: they ask for nothing. */
const readPaths = (definition: ScimDefinition, list: string): AttributePath[] =>
  list.split(',', maxPaths).flatMap((name) => resolvePath(definition, name.trim()) ?? []);

/** `attributes` and `excludedAttributes` are lists with commas. A list of unknown names only asks for nothing but the id. */
export const readProjection = (
  definition: ScimDefinition,
  { attributes = '', excluded = '' }: { attributes?: string; excluded?: string },
): Projection & { isMinimal: boolean } => {
  const chosen = readPaths(definition, attributes);
  return {
    attributes: chosen,
    excluded: readPaths(definition, excluded),
    isMinimal: attributes.trim() !== '' && chosen.length === 0,
  };
};

export const showsAttribute = (
  { attributes, excluded, isMinimal }: ReturnType<typeof readProjection>,
  name: string,
): boolean => {
  const isNamed = (path: AttributePath): boolean => path.attribute.name === name;
  if (isMinimal || (attributes.length > 0 && !attributes.some(isNamed))) return false;
  return !excluded.some((path) => isNamed(path) && !path.sub);
};

/** `schemas` and `id` are always returned. */
export function project(resource: ScimValues, projection: ReturnType<typeof readProjection>): ScimValues {
  const { attributes, excluded, isMinimal } = projection;
  const { schemas, id } = resource;
  if (isMinimal) return { schemas, id };
  const chosen = attributes.length === 0 ? resource : { schemas, id, ...only(resource, attributes) };
  return { ...without(chosen, excluded), schemas, id };
}

const bagOf = (values: ScimValues, { extension }: AttributePath): ScimValues =>
  extension === undefined ? values : ((values[extension] ?? {}) as ScimValues);

/** Applies a change to a value, or to each value of a list. */
const inEach = (value: unknown, apply: (values: ScimValues) => ScimValues): unknown =>
  Array.isArray(value) ? value.map((each) => apply(each as ScimValues)) : apply(value as ScimValues);

function put(values: ScimValues, { extension, attribute }: AttributePath, value: unknown): ScimValues {
  if (extension === undefined) return { ...values, [attribute.name]: value };
  return { ...values, [extension]: { ...(values[extension] as ScimValues), [attribute.name]: value } };
}

function only(resource: ScimValues, paths: readonly AttributePath[]): ScimValues {
  let chosen: ScimValues = {};
  for (const path of paths) {
    const { attribute, sub } = path;
    const value = bagOf(resource, path)[attribute.name];
    if (value === undefined) continue;
    const part = sub ? inEach(value, (each) => ({ [sub.name]: each[sub.name] })) : value;
    chosen = put(chosen, path, part);
  }
  return chosen;
}

function without(resource: ScimValues, paths: readonly AttributePath[]): ScimValues {
  let left = resource;
  for (const path of paths) {
    const { attribute, sub } = path;
    const value = bagOf(left, path)[attribute.name];
    if (value === undefined) continue;
    const part = sub ? inEach(value, ({ [sub.name]: _part, ...rest }) => rest) : undefined;
    left = put(left, path, part);
  }
  return left;
}
