/** Derived and committed files are what the table of operations, or that of the settings, gives today. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openapi } from '@drawbridge/contract/documents/openapi';
import type { Operation } from '@drawbridge/contract/operation';
import { v1 } from '@drawbridge/contract/v1/index';
import { routes } from '@drawbridge/client/operations';
import { readCommitted, derivedFiles } from '../../scripts/derived-files.ts';

const table: Record<string, Operation> = v1;
const document = openapi(v1, { version: '0.0.0' });

/** Objects of the document anywhere below a value. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

const operationsIn = (): [string, string, Record<string, unknown>][] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, string, Record<string, unknown>] => [
      path,
      method,
      operation as Record<string, unknown>,
    ]),
  );

for (const [path, text] of Object.entries(derivedFiles)) {
  test(`${path} is what its source gives (npm run derive writes it)`, () => {
    assert.equal(readCommitted(path), text());
  });
}

test('the OpenAPI document has every operation once, under its path and method', () => {
  assert.deepEqual(
    operationsIn().map(([path, method, { operationId }]) => [path, method, operationId]),
    Object.entries(table).map(([id, row]) => [`/v1/${id}`, row.method.toLowerCase(), id]),
  );
});

test('every reference in the OpenAPI document resolves, and every schema is referred to', () => {
  const used = new Set([...objectsIn(document)].map(({ $ref }) => $ref).filter((ref) => ref !== undefined));
  const there = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
  assert.deepEqual([...used].toSorted(), there.toSorted());
});

test('every operation in the OpenAPI document names its permission, its numbers and all its responses', () => {
  for (const [path, , operation] of operationsIn()) {
    const row = table[path.slice('/v1/'.length)];
    assert.deepEqual(operation['x-needs'], row?.needs, path);
    assert.deepEqual(operation['x-status'], row?.status, path);
    assert.deepEqual(
      Object.keys(operation['responses'] as object),
      ['200', '400', '402', '403', '404', '500', '503'],
      path,
    );
  }
});

test('a refusal of support/close is documented without a body, like its success', () => {
  const close = operationsIn().find(([path]) => path === '/v1/support/close')?.[2]['responses'];
  const withBody = Object.entries(close as object).filter(([, response]) => 'content' in response);
  assert.deepEqual(
    withBody.map(([http]) => http),
    ['404'],
  );
});

test('a secret is marked as one in the OpenAPI document', () => {
  const body = JSON.stringify(document.paths['/v1/agents/update']);
  assert.match(body, /"x-secret":true/);
});

test('the routes of the client are the rows of the table', () => {
  assert.deepEqual(Object.keys(routes), Object.keys(table));
  assert.deepEqual(routes['support/close'], { method: 'POST', in: 'query', empty: true });
});
