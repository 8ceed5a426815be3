/** How input is refused: for every field of every operation, in our own words and by what is wrong with it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exampleOf } from '@drawbridge/contract/documents/example';
import { inputLocation, type Operation } from '@drawbridge/contract/operation';
import { panel } from '@drawbridge/contract/panel/index';
import { fieldsOf, type Field, schemaOf } from '@drawbridge/contract/documents/schema';
import { v1 } from '@drawbridge/contract/v1/index';
import { createInputReader } from './input.ts';

type Params = Record<string, unknown>;

/** Words of the validator, and of JavaScript, that must never reach people. */
const rawPhrase =
  /expected|received|invalid (input|option|string|key|element)|too (big|small)|unrecognized|undefined|NaN|\[object|regex|pattern/i;

const rows: Record<string, Operation> = {
  ...v1,
  ...Object.fromEntries(Object.entries(panel).map(([id, row]) => [`panel ${id}`, row])),
};

/** Returns the message and the field with which the row refuses the parameters; undefined if it accepts them. */
function refusalOf(row: Operation, params: Params): { message: string; field: string } | undefined {
  const texts = Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]);
  const inQuery = inputLocation(row) === 'query';
  const read = createInputReader(row)({
    query: inQuery ? new URLSearchParams(texts).toString() : '',
    body: inQuery ? undefined : Buffer.from(JSON.stringify(params)),
  });
  if (!('fault' in read)) return undefined;
  const { message = '', field = '' } = read;
  assert.doesNotMatch(message, rawPhrase);
  assert.match(message, /^\S.*\.$/);
  return { message, field };
}

/** Valid parameters with one of them, perhaps a nested one, replaced. */
function withValue(row: Operation, name: string, value: unknown): Params {
  const [first = '', second] = name.split('.');
  return { ...exampleOf(row), [first]: second === undefined ? value : { [second]: value } };
}

const wrongTypes: Record<'query' | 'body', Record<string, unknown[]>> = {
  query: { integer: ['x', '1.5', ''], boolean: ['yes', ''], string: [], array: [], object: [] },
  body: {
    integer: ['1', 1.5, true, null, [], {}],
    boolean: ['true', 1, null, []],
    string: [1, true, null, [], {}],
    array: ['x', 1, null, {}],
    object: ['x', 1, null, []],
  },
};

const typeOf = ({ schema }: Field): string => schema.type ?? schema.anyOf?.[0]?.type ?? 'string';

/** Null is a value of the limits of a plan: unlimited. */
const allowsNull = ({ schema }: Field): boolean => schema.anyOf !== undefined;

for (const [id, row] of Object.entries(rows))
  describe(`input of ${id}`, () => {
    const fields = fieldsOf(schemaOf(row.input));

    test('a missing field is called missing', () => {
      for (const { name } of fields.filter(({ required, name: path }) => required && !path.includes('.'))) {
        const { [name]: _absent, ...rest } = exampleOf(row);
        assert.deepEqual(refusalOf(row, rest), { field: name, message: `${name} is missing.` });
      }
    });

    test('a value of the wrong type is told what would be right', () => {
      for (const field of fields)
        for (const value of wrongTypes[inputLocation(row)][typeOf(field)] ?? []) {
          if (value === null && allowsNull(field)) continue;
          const refusal = refusalOf(row, withValue(row, field.name, value));
          assert.equal(refusal?.field, field.name, JSON.stringify(value));
          assert.match(refusal.message, /^[\w.]+ must (be|not be) /);
          assert.doesNotMatch(refusal.message, /missing/);
        }
    });

    test('the character NUL has a message of its own', () => {
      for (const field of fields.filter((each) => typeOf(each) === 'string')) {
        const refusal = refusalOf(row, withValue(row, field.name, 'a\0b'));
        assert.equal(refusal?.field, field.name);
        assert.match(refusal.message, /must not contain the character NUL \(U\+0000\)\.$/);
      }
    });

    test('a text that is too long, and a value that is not offered, are told the limit and the choices', () => {
      for (const { name, schema } of fields) {
        // The password of a permanent link has a status of its own, so its rules are checked later.
        if (name === 'permanent_url.password') continue;
        const { maxLength, enum: choices } = schema;
        if (maxLength !== undefined) {
          const message = `${name} must have at most ${maxLength} characters.`;
          assert.deepEqual(refusalOf(row, withValue(row, name, 'x'.repeat(maxLength + 1))), {
            field: name,
            message,
          });
        }
        if (choices !== undefined) {
          const message = `${name} must be one of ${choices.join(', ')}.`;
          assert.deepEqual(refusalOf(row, withValue(row, name, 'nonsense')), { field: name, message });
        }
      }
    });
  });

test('the examples from which the inputs above are made are accepted', () => {
  for (const [id, row] of Object.entries(rows)) assert.equal(refusalOf(row, exampleOf(row)), undefined, id);
});

const list = v1['agents/list'];

test('a query that comes again gives the same input, which nobody can change', () => {
  const read = createInputReader(list);
  const first = read({ query: 'search=Zo%C3%AB&limit=5', body: undefined });
  const second = read({ query: 'search=Zo%C3%AB&limit=5', body: undefined });

  assert.ok('input' in first && 'input' in second);
  assert.deepEqual(first.input, { search: 'Zoë', limit: 5 });
  assert.equal(second.input, first.input);
  assert.throws(() => Object.assign(first.input, { search: 'other' }), TypeError);
});

test('a query with a key or a secret, a long one and a body are read again each time', () => {
  const secret = {
    ...list,
    input: list.input.extend({ search: list.input.shape.search.meta({ secret: true }) }),
  };
  const queries = [
    [list, { query: 'apikey=abc', body: undefined, legacy: true }],
    [list, { query: `search=${'a'.repeat(200)}&${'b'.repeat(400)}=`, body: undefined }],
    [secret, { query: 'search=a', body: undefined }],
    [v1['groups/create'], { query: '', body: Buffer.from('{"name":"a"}') }],
  ] as const;
  for (const [row, raw] of queries) {
    const read = createInputReader(row);
    const [first, second] = [read(raw), read(raw)];

    assert.ok('input' in first && 'input' in second);
    assert.notEqual(second.input, first.input, raw.query);
    assert.deepEqual(second.input, first.input);
  }
});

test('only the latest queries are remembered', () => {
  const read = createInputReader(list);
  const inputAt = (offset: number) => {
    const parsed = read({ query: `offset=${offset}`, body: undefined });
    assert.ok('input' in parsed);
    return parsed.input;
  };
  const first = inputAt(0);
  for (let offset = 1; offset < 256; offset += 1) inputAt(offset);

  assert.equal(inputAt(0), first);
  inputAt(256);
  assert.notEqual(inputAt(0), first);
});
