/** The client: what it sends, how it interprets responses, and what it refuses to do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, createClient } from '@drawbridge/client';
import { json, refusedWith, startFakeApi } from './fake-api.ts';

test('a GET carries its parameters in the query, and undefined ones are omitted', async () => {
  await using server = await startFakeApi(json(200, { data: [] }));

  const params = { search: 'a&b ü', group_id: undefined, limit: 5 };
  const { body } = await server.client({ userAgent: 'me/1' }).request('agents/list', params);

  assert.deepEqual(body, { data: [] });
  assert.equal(server.received[0]?.url, '/v1/agents/list?search=a%26b+%C3%BC&limit=5');
  assert.equal(server.received[0]?.headers['x-api-key'], 'k');
  assert.equal(server.received[0]?.headers['user-agent'], 'me/1');
});

test('a POST carries JSON, except for the four that carry a query', async () => {
  await using server = await startFakeApi(json(200, { status: 0, data: { url: 'u' } }));

  await server.client().call('agents/reboot', { id: 7, safe: true });
  await server.client().call('agents/connect', { agent_id: 7, video: false });

  assert.deepEqual(
    server.received.map(({ method, url, body }) => [method, url, body]),
    [
      ['POST', '/v1/agents/reboot', '{"id":7,"safe":true}'],
      ['POST', '/v1/agents/connect?agent_id=7&video=false', ''],
    ],
  );
});

test('every operation is also a function in a tree, typed by its row', async () => {
  await using server = await startFakeApi(json(200, { status: 0 }));

  const reply = await server.client().team.member.access.add({ email: 'a@b.c', role_id: 3 });
  await server.client().groups.list();

  assert.equal(reply.status, 0);
  assert.deepEqual(
    server.received.map(({ url }) => url),
    ['/v1/team/member/access/add', '/v1/groups/list'],
  );
});

test('wrong parameters do not compile', () => {
  const never = async (client: Client) => {
    // @ts-expect-error agent_id is required
    await client.call('agents/info');
    // @ts-expect-error a number is not a string
    await client.agents.info({ agent_id: '7' });
    // @ts-expect-error there is no such operation
    await client.call('agents/explode', {});
    // @ts-expect-error with an ETag the reply may be undefined
    return (await client.call('agents/list', {}, { ifNoneMatch: '"x"' })).data;
  };

  assert.equal(typeof never, 'function');
});

test('an empty body is an empty reply for support/close, and a wrong one anywhere else', async () => {
  await using server = await startFakeApi((response) => response.writeHead(200).end());

  assert.deepEqual(await server.client().call('support/close', { connection_id: 1 }), {});
  await assert.rejects(
    server.client().call('groups/list'),
    refusedWith({ code: 'unexpected_reply', http: 200 }),
  );
});

test('a refusal is thrown with everything the server reported', async () => {
  const body = { status: 21, error: { code: 'invalid_password', message: 'Too short.', field: 'password' } };
  await using server = await startFakeApi(json(400, body, { 'Retry-After': '9' }));

  await assert.rejects(
    server.client().call('agents/update', { id: 1 }),
    refusedWith({
      http: 400,
      status: 21,
      code: 'invalid_password',
      field: 'password',
      message: 'Too short.',
      operation: 'agents/update',
      retryAfter: 9,
    }),
  );
});

test('request returns refusals instead of throwing them, with code, headers and body', async () => {
  await using server = await startFakeApi(json(403, { status: 6 }, { 'X-Some': 'thing' }));

  const { http, headers, body } = await server.client().request('team/role/remove', { id: 'not a number' });

  assert.deepEqual([http, headers.get('x-some'), body], [403, 'thing', { status: 6 }]);
  assert.equal(server.received[0]?.body, '{"id":"not a number"}');
});

test('the reply is undefined if nothing changed since the ETag', async () => {
  await using server = await startFakeApi((response) => response.writeHead(304).end());

  const reply = await server.client().call('agents/list', {}, { ifNoneMatch: '"v1"' });

  assert.equal(reply, undefined);
  assert.equal(server.received[0]?.headers['if-none-match'], '"v1"');
});

test('a redirect is not followed, so that the key stays with the server it was given to', async () => {
  await using elsewhere = await startFakeApi(json(200, { data: [] }));
  await elsewhere.client().call('groups/list');
  const address = `http://${elsewhere.received[0]?.headers.host}/v1/groups/list`;
  await using server = await startFakeApi((response) => response.writeHead(302, { Location: address }).end());

  await assert.rejects(server.client().call('groups/list'), refusedWith({ http: 302 }));
  assert.equal(elsewhere.received.length, 1);
});

test('a server that cannot be reached is a connection error', async () => {
  const client = createClient({ baseUrl: 'https://127.0.0.1:1', apiKey: 'k', backoffMs: 1 });

  await assert.rejects(client.call('groups/list'), refusedWith({ http: 0, code: 'no_connection' }));
});

test('plain http to another machine is refused before anything is sent', () => {
  assert.throws(() => createClient({ baseUrl: 'http://example.com', apiKey: 'k' }), /must start with https/);
  assert.throws(
    () => createClient({ baseUrl: 'http://localhost.example.com', apiKey: 'k' }),
    /must start with https/,
  );
});

test('a server under a path prefix is called under that prefix', async () => {
  await using server = await startFakeApi(json(200, { data: [] }));
  await server.client().call('groups/list');
  const host = server.received[0]?.headers.host;

  await createClient({ baseUrl: `http://${host}/bridge/`, apiKey: 'k' }).call('groups/list');

  assert.equal(server.received[1]?.url, '/bridge/v1/groups/list');
});
