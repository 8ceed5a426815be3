/** API keys: whose key a request has is looked up each time, and its digest is computed once per connection. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiKeyScheme } from './auth-scheme.ts';
import type { RawRequest } from './raw-request.ts';

function openScheme() {
  const digested: string[] = [];
  const lookedUp: string[] = [];
  const scheme = apiKeyScheme({
    digestOf: (secret) => (digested.push(secret), `digest of ${secret}`),
    store: { actors: { byKey: async (digest: string) => void lookedUp.push(digest) } } as never,
  });
  const ask = (connection: object, apiKey?: string) =>
    scheme.authenticate({ connection, apiKey } as RawRequest, 0);
  return { digested, lookedUp, ask };
}

test('the digest of a key is computed once per connection, and the key is looked up with every request', async () => {
  const { digested, lookedUp, ask } = openScheme();
  const [one, other] = [{}, {}];

  for (const connection of [one, one, other, one, other]) await ask(connection, 'a');

  assert.deepEqual(digested, ['a', 'a']);
  assert.deepEqual(lookedUp, Array(5).fill('digest of a'));
});

test('another key on the same connection has its own digest', async () => {
  const { lookedUp, ask } = openScheme();
  const connection = {};

  for (const key of ['a', 'b', undefined, 'a', '', 'aa']) await ask(connection, key);

  assert.deepEqual(
    lookedUp,
    ['a', 'b', '', 'a', '', 'aa'].map((key) => `digest of ${key}`),
  );
});
