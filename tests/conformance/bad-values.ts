/** For a field of a row, values that must be refused, according to its type in the reference. */
import { inputLocation, type Operation } from '@drawbridge/contract/operation';
import { fieldsOf, type Field, type JsonSchema, schemaOf } from '@drawbridge/contract/documents/schema';
import type { OperationId } from '@drawbridge/contract/v1/index';
import { operationRows } from './operation-rows/index.ts';
import type { OperationParams } from './operation-rows/row.ts';

const tooLarge = 9_007_199_254_740_992;

const inBody: Record<string, unknown[]> = {
  integer: ['1', 1.5, tooLarge, true, null, [1], {}],
  boolean: ['true', 1, 0, null, []],
  string: [1, true, null, ['x'], {}, 'a\0b'],
  array: ['x', {}, [1], null, Array.from({ length: 65 }, () => 'x')],
  'array of integers': ['x', {}, ['x'], [1.5], null, Array.from({ length: 1_001 }, () => 1)],
  object: ['x', 1, null, []],
};
const inQuery: Record<string, unknown[]> = {
  integer: ['x', '1.5', '-1', '01', '+1', '1e3', '0x10', ' 1', '', '1,2', 'null', '٣', String(tooLarge)],
  boolean: ['yes', 'TRUE', '2', '', 'null', 'on'],
  string: ['a\0b'],
};

/** Numbers and texts of the right type but outside what the decisions allow. */
function outOfRange(name: string, { minimum, maximum, enum: choices }: JsonSchema): unknown[] {
  const values: unknown[] = [];
  if (minimum !== undefined) values.push(minimum - 1);
  // Only fields that may be negative accept a negative number.
  if (minimum !== undefined && minimum > 0) values.push(-1);
  if (maximum !== undefined) values.push(maximum + 1);
  if (choices) values.push('nonsense', '', choices[0]?.toUpperCase());
  if (/(^|_)name$/.test(name)) values.push('x'.repeat(129), 'a\u0007b', 'a\u0000b', 'a\nb');
  if (name === 'email') values.push('', 'nobody', 'a b@example.com', `${'x'.repeat(250)}@example.com`);
  if (name === 'description') values.push('x'.repeat(1_025), 'a\u0007b');
  if (name === 'notes') values.push('x'.repeat(10_001), 'a\u0007b');
  if (name === 'accent') values.push('red', '#12345', '#1234567', '#12345g', '1f6feb', '#1f6feb;', 'url(x)');
  if (name === 'search') values.push('x'.repeat(257));
  return values;
}

/** Names that must not be empty; the names of a client and of a brand may be. */
const emptyNames = (name: string, id: OperationId): unknown[] =>
  name === 'name' && !operationRows[id].emptyName ? ['', '   '] : [];

export interface Bad {
  field: string;
  value: unknown;
}

function typeOf({ type, items }: JsonSchema): string {
  if (type === 'array' && items?.type === 'integer') return 'array of integers';
  return type === 'number' ? 'integer' : (type ?? 'string');
}

export function badValuesOf(id: OperationId, row: Operation): Bad[] {
  const wrongTypes = inputLocation(row) === 'query' ? inQuery : inBody;
  return fieldsOf(schemaOf(row.input)).flatMap(({ name, schema }) =>
    [...(wrongTypes[typeOf(schema)] ?? []), ...outOfRange(name, schema), ...emptyNames(name, id)].map(
      (value) => ({ field: name, value }),
    ),
  );
}

export const requiredOf = (row: Operation): Field[] =>
  fieldsOf(schemaOf(row.input)).filter(({ name, required }) => required && !name.includes('.'));

/** The parameters with one of them, perhaps a nested one, replaced. */
export function withValue(params: OperationParams, { field, value }: Bad): OperationParams {
  const [first = '', ...rest] = field.split('.');
  return { ...params, [first]: rest.length === 0 ? value : { [rest.join('.')]: value } };
}
