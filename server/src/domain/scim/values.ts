/** Reads what an identity provider sends into the attributes of the tables: other spellings are accepted, unknown attributes ignored. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import { attributeNamed, type ScimAttribute, type ScimDefinition, type ScimValues } from './attributes.ts';

const maxTextLength = 1_024;
const maxValues = 50;

export const invalidValue = (field: string, message: string): Fault<'invalid'> =>
  fault('invalid', { code: 'invalid_value', field, message });

export const isScimObject = (value: unknown): value is ScimValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null, empty text and empty lists stand for no value (RFC 7643, section 2.5). */
const isUnassigned = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The value as it is stored; undefined for no value. */
export function readAttribute(attribute: ScimAttribute, value: unknown, field = attribute.name): unknown {
  if (isUnassigned(value)) return undefined;
  if (!attribute.multiValued) return readSingle(attribute, firstOf(value), field);
  const list = Array.isArray(value) ? value : [value];
  if (list.length > maxValues) return invalidValue(field, `${field} must have at most ${maxValues} values.`);
  const read = list.map((each) => readSingle(attribute, each, field));
  return read.find(isFault) ?? withOnePrimary(read.filter((each) => each !== undefined) as ScimValues[]);
}

/** Entra ID sends the manager, and in its older form every single value, as a list of one. */
const firstOf = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);

function readSingle(attribute: ScimAttribute, value: unknown, field: string): unknown {
  if (attribute.type === 'complex') return readComplex(attribute, value, field);
  const plain = isScimObject(value) && Object.keys(value).join() === 'value' ? value['value'] : value;
  if (attribute.type === 'boolean') return readBoolean(plain, field);
  const text = typeof plain === 'number' ? String(plain) : plain;
  if (typeof text !== 'string') return invalidValue(field, `${field} must be text.`);
  if (text.length > maxTextLength)
    return invalidValue(field, `${field} must have at most ${maxTextLength} characters.`);
  if (!text.isWellFormed() || /[^\P{Cc}\n\r\t]/u.test(text))
    return invalidValue(field, `${field} must not contain control characters.`);
  return text;
}

/** Entra ID sends booleans as the texts "True" and "False". */
function readBoolean(value: unknown, field: string): unknown {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (text === 'true' || text === 'false') return text === 'true';
  return invalidValue(field, `${field} must be true or false.`);
}

/** Entra ID sends the manager as the text of its id. */
function readComplex(attribute: ScimAttribute, value: unknown, field: string): unknown {
  const hasValue = attribute.sub!.some(({ name }) => name === 'value');
  const given = typeof value === 'string' && hasValue ? { value } : value;
  if (!isScimObject(given)) return invalidValue(field, `${field} must be an object.`);
  const read = readValues(attribute.sub!, given, field);
  return isFault(read) || Object.keys(read).length > 0 ? read : undefined;
}

/** The known attributes among the given ones, without those that only the server sets. */
function readValues(
  attributes: readonly ScimAttribute[],
  given: ScimValues,
  parent = '',
): ScimValues | Fault<'invalid'> {
  const values: ScimValues = {};
  for (const [name, value] of Object.entries(given)) {
    const attribute = attributeNamed(attributes, name);
    if (!attribute || attribute.mutability) continue;
    const field = parent === '' ? attribute.name : `${parent}.${attribute.name}`;
    const read = readAttribute(attribute, value, field);
    if (isFault(read)) return read as Fault<'invalid'>;
    if (read !== undefined) values[attribute.name] = read;
  }
  return values;
}

/** The last value that is marked as primary is the only one. */
export function withOnePrimary(values: readonly ScimValues[]): ScimValues[] {
  const primary = values.findLast((each) => each['primary'] === true);
  return values.map((each) => {
    if (each === primary || each['primary'] !== true) return each;
    const { primary: _former, ...rest } = each;
    return rest;
  });
}

/** A whole resource as it was sent, with `externalId`. */
export function readResource(definition: ScimDefinition, given: ScimValues): ScimValues | Fault<'invalid'> {
  const external: ScimAttribute = { name: 'externalId', type: 'string', says: '' };
  const values = readValues([external, ...definition.attributes], given);
  if (isFault(values) || !definition.extension) return values;
  const { schema, attributes } = definition.extension;
  const key = Object.keys(given).find((each) => each.toLowerCase() === schema.toLowerCase());
  const inside = key === undefined ? {} : given[key];
  if (!isScimObject(inside)) return invalidValue(schema, `${schema} must be an object.`);
  const extension = readValues(attributes, inside, schema);
  if (isFault(extension)) return extension;
  return Object.keys(extension).length === 0 ? values : { ...values, [schema]: extension };
}
