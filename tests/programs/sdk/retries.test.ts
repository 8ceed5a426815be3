/** When the client retries a request, and when it must not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, refusedWith, startFakeApi } from './fake-api.ts';

for (const http of [429, 502, 503, 504]) {
  test(`a GET answered with HTTP ${http} is retried until it succeeds`, async () => {
    await using server = await startFakeApi((response, count) =>
      count < 3
        ? json(http, {}, { 'Retry-After': '0' })(response, count)
        : json(200, { data: [] })(response, count),
    );

    assert.deepEqual(await server.client().call('groups/list'), { data: [] });
    assert.equal(server.received.length, 3);
  });

  test(`a POST answered with HTTP ${http} is not retried`, async () => {
    await using server = await startFakeApi(json(http, {}, { 'Retry-After': '0' }));

    await assert.rejects(server.client().call('groups/remove', { id: 1 }), refusedWith({ http }));
    assert.equal(server.received.length, 1);
  });
}

test('a GET whose connection breaks is retried, a POST is not', async () => {
  await using server = await startFakeApi((response, count) =>
    count === 2 ? json(200, { data: [] })(response, count) : response.destroy(),
  );

  assert.deepEqual(await server.client().call('groups/list'), { data: [] });
  await assert.rejects(
    server.client().call('groups/remove', { id: 1 }),
    refusedWith({ http: 0, code: 'no_connection' }),
  );
  assert.equal(server.received.length, 3);
});

test('retries end: after the last one the caller gets the error', async () => {
  await using server = await startFakeApi(json(503, {}));

  await assert.rejects(
    server.client({ retries: 1 }).call('groups/list'),
    refusedWith({ http: 503, code: 'http_503' }),
  );
  assert.equal(server.received.length, 2);
});

test('an exhausted plan is not retried, and the error says when to retry', async () => {
  await using server = await startFakeApi(json(402, {}, { 'Retry-After': '1800' }));

  await assert.rejects(server.client().call('groups/list'), refusedWith({ http: 402, retryAfter: 1800 }));
  assert.equal(server.received.length, 1);
});

test('a server that asks for a very long delay is not waited for', async () => {
  await using server = await startFakeApi(json(503, {}, { 'Retry-After': '3600' }));

  await assert.rejects(server.client().call('groups/list'), refusedWith({ http: 503, retryAfter: 3600 }));
  assert.equal(server.received.length, 1);
});

test('a server that does not answer is given up after the timeout', async () => {
  await using server = await startFakeApi(() => {});

  await assert.rejects(
    server.client({ timeoutMs: 50, retries: 0 }).call('groups/list'),
    refusedWith({ http: 0, code: 'timeout' }),
  );
});

for (const [method, id] of [
  ['GET', 'groups/list'],
  ['POST', 'support/create'],
] as const) {
  test(`aborting a ${method} takes effect at once, with the caller's reason and no further attempt`, async () => {
    const stop = new AbortController();
    await using server = await startFakeApi(() => stop.abort(new Error('enough')));

    await assert.rejects(server.client().call(id, {}, { signal: stop.signal }), /enough/);
    assert.equal(server.received.length, 1);
  });
}
