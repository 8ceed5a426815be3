/** The table of operations against the reference, and against the rules that every row keeps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleOf } from '@drawbridge/contract/documents/example';
import { type FaultName, faults } from '@drawbridge/contract/faults';
import { fieldMeanings, describeNeeds, rulesOf } from '@drawbridge/contract/documents/describe';
import { inputLocation, type Need, type Operation, statusOf } from '@drawbridge/contract/operation';
import { permissionIds, roleTypes } from '@drawbridge/contract/permissions';
import { fieldsOf, type JsonSchema, schemaOf } from '@drawbridge/contract/documents/schema';
import { commands } from '@drawbridge/contract/uplink/commands';
import { v1 } from '@drawbridge/contract/v1/index';
import { furtherOperations, operationRows, operationsWith } from './operation-rows/index.ts';
import * as reference from './reference.ts';

const table: Record<string, Operation> = v1;
const rows = Object.entries(table);
const rowOf = (id: string): Operation => table[id] ?? assert.fail(`there is no row ${id}`);
const inputs = (row: Operation): string[] => fieldsOf(schemaOf(row.input)).map(({ name }) => name);

test('the reference has 38 operations, and each is in the table with its method, its place for parameters and their names', () => {
  assert.equal(reference.documentedOperations.length, 38);
  for (const { id, method, carried, params } of reference.documentedOperations) {
    const row = rowOf(id);
    const expected = [...params, ...(reference.extraFields[id] ?? [])];
    assert.deepEqual([row.method, inputLocation(row), inputs(row)], [method, carried, expected], id);
  }
});

test('operations that the reference does not have come after those it has, in the order of the reference', () => {
  assert.deepEqual(
    rows.slice(0, 38).map(([id]) => id),
    reference.documentedOperations.map(({ id }) => id),
  );
});

test('beside the reference there are the further operations that were decided, in the same style, and no others', () => {
  const ours = rows.slice(38).map(([id, row]) => ({
    method: row.method,
    id,
    carried: inputLocation(row),
    numbered: row.status.ok !== null,
    unnumbered: row.status.ok === null || 'internal' in row.status ? undefined : 'internal',
    params: inputs(row),
  }));

  assert.deepEqual(ours, furtherOperations);
});

test('the further operations refuse with the numbers that most of the reference uses', () => {
  const usual: Partial<Record<FaultName, number>> = {
    invalid: 1,
    plan_exceeded: 1,
    internal: 2,
    not_found: 6,
    forbidden: 8,
  };
  for (const { id, numbered } of furtherOperations) {
    const { ok, ...refusals } = rowOf(id).status as Record<string, number | null>;
    assert.equal(ok, numbered ? 0 : null, id);
    for (const [name, number] of Object.entries(refusals))
      assert.equal(number, numbered ? usual[name as FaultName] : null, `${id} ${name}`);
  }
});

for (const { id, meanings } of reference.statusLines) {
  test(`${id} returns the numbers of the reference: ${meanings.join('; ')}`, () => {
    const row = rowOf(id);
    const numbers = reference.numbersIn(meanings);
    const unlisted = (name: FaultName) => (name === 'internal' ? undefined : 1);
    /** Whose number of the reference a fault has. */
    const listedAs = (name: FaultName): FaultName =>
      name === 'unauthenticated' ? 'forbidden' : name === 'unavailable' ? 'internal' : name;

    assert.equal(row.status.ok, 0);
    for (const name of Object.keys(faults) as FaultName[]) {
      const expected = numbers.get(listedAs(name)) ?? unlisted(listedAs(name));
      assert.equal(statusOf(row, name), expected, name);
    }
  });
}

test('an operation without numbers in the reference has no status in its reply', () => {
  const numbered = new Set(reference.statusLines.map(({ id }) => id));
  for (const { id } of reference.documentedOperations.filter((line) => !numbered.has(line.id))) {
    assert.equal(rowOf(id).status.ok, null, id);
    assert.deepEqual(
      Object.values(rowOf(id).status).filter((number) => number !== null),
      [],
      id,
    );
  }
});

test('only the operations that were decided so answer with an empty body, and need a fresh sign-in at the panel', () => {
  const idsWhere = (isMeant: (row: Operation) => unknown) =>
    rows.filter(([, row]) => isMeant(row)).map(([id]) => id);

  assert.deepEqual(
    idsWhere((row) => row.silent),
    operationsWith('reply').filter((id) => operationRows[id].reply === 'empty'),
  );
  assert.deepEqual(
    idsWhere((row) => row.freshSignIn),
    operationsWith('freshSignIn'),
  );
});

test('an operation that takes a file has its parameters in the query, and one that returns a file returns nothing else', () => {
  const taking = rows.filter(([, row]) => row.body === 'bytes');
  const answering = rows.filter(([, row]) => row.answers === 'bytes');

  assert.deepEqual(
    [taking, answering].map((some) => some.map(([id]) => id)),
    [operationsWith('file'), operationsWith('reply').filter((id) => operationRows[id].reply !== 'empty')],
  );
  for (const [id, row] of taking) assert.deepEqual([row.method, inputLocation(row)], ['POST', 'query'], id);
  for (const [id, row] of answering)
    assert.deepEqual([row.status.ok, Object.keys(row.output.shape)], [null, []], id);
});

for (const type of roleTypes) {
  test(`a role of type ${type} may carry exactly the permissions that the reference lists for it`, () => {
    assert.deepEqual(permissionIds(type), reference.documentedPermissions[type]);
  });
}

test('GET rows carry their parameters in the query, and nothing that a query cannot carry', () => {
  for (const [id, row] of rows.filter((entry) => inputLocation(entry[1]) === 'query')) {
    const { properties = {} } = schemaOf(row.input);
    for (const [name, { type }] of Object.entries(properties)) {
      assert.ok(type === 'string' || type === 'integer' || type === 'boolean', `${id} ${name} is ${type}`);
    }
  }
  assert.deepEqual(
    rows.filter(([, row]) => row.method === 'GET' && inputLocation(row) !== 'query').map(([id]) => id),
    [],
  );
});

test('every row says what it does in one sentence, in the imperative, with a full stop', () => {
  for (const [id, { says }] of rows) {
    assert.match(says, /^[A-Z][^.]*\.$/, id);
    assert.doesNotMatch(says, /^(The|A|An|This|\w+(s|ing|ed))\b/, id);
  }
});

test('every path is lower-case words, two to four of them', () => {
  for (const [id] of rows) assert.match(id, /^[a-z]+(\/[a-z]+){1,3}$/);
});

test('every parameter has a description, or a self-explanatory name', () => {
  for (const [id, row] of rows) {
    for (const { name, schema } of fieldsOf(schemaOf(row.input))) {
      assert.ok(schema.description ?? fieldMeanings[name], `${id} does not say what ${name} is`);
    }
  }
});

/** Every field at any depth, also inside lists. */
const everyField = (schema: JsonSchema): [string, JsonSchema][] =>
  schema.items
    ? everyField(schema.items)
    : Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
        [name, inner],
        ...everyField(inner),
      ]);

test('every field that holds a password, a secret or a key is marked as a secret, in inputs and in outputs', () => {
  for (const [id, row] of rows) {
    for (const [name, schema] of [...everyField(schemaOf(row.input)), ...everyField(schemaOf(row.output))]) {
      if (/password|secret|api_key|^token$/.test(name))
        assert.equal(schema['x-secret'], true, `${id} ${name}`);
    }
  }
});

function fieldsNamed(need: Need): string[] {
  if (!('by' in need)) return [];
  return typeof need.by === 'string' ? [need.by] : Object.values(need.by);
}

test('every row requires a permission, and names only fields that it takes', () => {
  for (const [id, row] of rows) {
    assert.ok(row.needs.length > 0, `${id} is open to everyone`);
    assert.notEqual(describeNeeds(row), '', id);
    for (const field of row.needs.flatMap(fieldsNamed))
      assert.ok(inputs(row).includes(field), `${id} ${field}`);
  }
});

test('an operation that the system of the device can refuse says on which systems it works', () => {
  // `agents/approve` admits a device; the command of this name is about sessions.
  const everywhere = ['approve', 'logout', 'policy', 'settings'];
  const refusable = Object.keys(commands).filter(
    (name) => `agents/${name}` in v1 && !everywhere.includes(name),
  );
  assert.deepEqual(refusable.toSorted(), ['lock', 'reboot', 'software', 'wake']);
  for (const name of [...refusable, 'connect', 'info'])
    assert.match(rowOf(`agents/${name}`).systems ?? '', /Linux.*\.$/, name);
  assert.match(rowOf('agents/reboot').systems!, /Linux has no safe mode/);
});

test('every example in the documents passes the validation of its own row', () => {
  for (const [id, row] of rows) {
    const { error } = row.input.safeParse(exampleOf(row));
    assert.equal(error, undefined, `${id} ${JSON.stringify(exampleOf(row))}`);
  }
});

test('a rule between fields is described in words', () => {
  assert.deepEqual(rulesOf(rowOf('agents/merge')), [
    'exactly one of agent_id and device_id is needed',
    'exactly one of target_agent_id and target_device_id is needed',
  ]);
  assert.deepEqual(rulesOf(rowOf('agents/connect')), ['agent_id or device_id is needed']);
});
