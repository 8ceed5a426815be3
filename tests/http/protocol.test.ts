/** HTTP as old and unusual clients send it: HEAD, HTTP/1.0, pipelining, and requests without TLS. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestAccount } from '../kit/server/account.ts';
import { eventually } from '../kit/eventually.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openRawClient } from '../kit/server/raw-client.ts';

describe('the protocol', () => {
  let service: TestService;
  let account: TestAccount;
  before(async () => {
    service = await startService();
    account = await service.account();
  });
  after(() => service[Symbol.asyncDispose]());

  const port = (): number => service.server.config.listen.port;
  const groups = async (): Promise<string[]> =>
    (await account.owner.call('groups/list')).body['data'].map((each: { name: string }) => each.name);
  const lines = (...all: string[]): string => [...all, '', ''].join('\r\n');
  const key = (): string => `X-Api-Key: ${account.owner.apiKey}`;
  const creating = (name: string, version = '1.1', ...more: string[]): string => {
    const body = JSON.stringify({ name });
    const head = [`POST /v1/groups/create HTTP/${version}`, 'Host: localhost', key(), ...more];
    return lines(...head, `Content-Length: ${body.length}`) + body;
  };

  test('HEAD has the headers of GET and no body', async () => {
    const headers = { 'X-Api-Key': account.owner.apiKey };
    for (const path of [
      '/v1/agents/list',
      '/v1/support/list',
      '/v1/agents/info',
      '/healthz',
      '/download',
      '/v1/audit/list',
    ]) {
      const [get, head] = [
        await service.testClient.send({ path, headers }),
        await service.testClient.send({ method: 'HEAD', path, headers }),
      ];
      const strip = ({ date: _moment, ...rest }: typeof get.headers) => rest;

      assert.deepEqual([head.http, strip(head.headers), head.text], [get.http, strip(get.headers), ''], path);
      assert.ok(Number(get.headers['content-length']) > 0);
    }
  });

  test('HEAD on an operation that changes something is unknown and changes nothing', async () => {
    const headers = { 'X-Api-Key': account.owner.apiKey };

    assert.equal(
      (await service.testClient.send({ method: 'HEAD', path: '/v1/support/create', headers })).http,
      404,
    );
    assert.equal((await account.owner.call('support/list')).body['data'].length, 0);
  });

  test('an HTTP/1.0 client gets a response and the connection is closed', async () => {
    await using client = await openRawClient(port(), {});

    client.send(lines('GET /v1/groups/list HTTP/1.0', key()));

    const received = await client.ended();
    assert.match(received, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(received, /\r\nConnection: close\r\n/i);
    assert.match(received, /\r\n\r\n\{"data":\[/);
    assert.doesNotMatch(received, /transfer-encoding/i);
  });

  test('an HTTP/1.0 client that asks for it keeps its connection', async () => {
    await using client = await openRawClient(port(), {});
    const ask = lines('GET /healthz HTTP/1.0', 'Connection: keep-alive');

    client.send(ask);
    assert.match(await client.until(/ok\n/), /\r\nConnection: keep-alive\r\n/i);
    client.send(ask);

    assert.equal((await client.until(/ok\n[^]*ok\n/)).match(/ok\n/g)?.length, 2);
  });

  test('an HTTP/1.0 client can send changes with a body', async () => {
    await using client = await openRawClient(port(), {});

    client.send(creating('from 1.0', '1.0'));

    assert.match(await client.ended(), /\{"status":0,"id":\d+\}$/);
    assert.ok((await groups()).includes('from 1.0'));
  });

  test('pipelined requests are answered in their order', async () => {
    await using client = await openRawClient(port(), {});
    const names = Array.from({ length: 20 }, (_, at) => `pipelined ${at}`);

    client.send(names.map((name) => creating(name)).join(''), lines('GET /healthz HTTP/1.1', 'Host: h'));

    const received = await client.until(/ok\n/);
    const ids = [...received.matchAll(/\{"status":0,"id":(\d+)\}/g)].map(([, id]) => Number(id));
    assert.equal(ids.length, 20);
    const made = (await account.owner.call('groups/list')).body['data'] as { id: number; name: string }[];
    assert.deepEqual(
      ids.map((id) => made.find((group) => group.id === id)?.name),
      names,
    );
  });

  test('a chunked body is read like any other', async () => {
    await using client = await openRawClient(port(), {});
    const head = ['POST /v1/groups/create HTTP/1.1', 'Host: localhost', key(), 'Transfer-Encoding: chunked'];

    client.send(lines(...head), '8\r\n{"name":\r\n', 'b\r\n "chunked"}\r\n', '0\r\n\r\n');

    await client.until(/\{"status":0,"id":\d+\}/);
    assert.ok((await groups()).includes('chunked'));
  });

  test('two lengths, or a length and chunks, are no valid request', async () => {
    const was = await groups();
    const body = '{"name":"smuggled"}';
    const head = ['POST /v1/groups/create HTTP/1.1', 'Host: localhost', key(), 'Connection: close'];
    const requests = [
      lines(...head, `Content-Length: ${body.length}`, 'Content-Length: 3') + body,
      lines(...head, 'Content-Length: 3', `Content-Length: ${body.length}`) + body,
      lines(...head, 'Content-Length: 3', 'Transfer-Encoding: chunked') + `13\r\n${body}\r\n0\r\n\r\n`,
      lines(...head, 'Transfer-Encoding: chunked', 'Content-Length: 3') + `13\r\n${body}\r\n0\r\n\r\n`,
    ];
    for (const request of requests) {
      await using client = await openRawClient(port(), {});
      client.send(request);
      assert.match(await client.ended(), /^HTTP\/1\.1 400 /);
    }
    assert.deepEqual(await groups(), was);
  });

  test('without TLS a request is refused, whatever it asks, and nothing is done', async () => {
    const was = await groups();
    const requests = [
      creating('in the clear', '1.1', 'Connection: close'),
      creating('in the clear', '1.0'),
      lines('GET /v1/groups/list HTTP/1.0', key()),
      lines('GET /healthz HTTP/1.0'),
      lines('OPTIONS /v1/groups/list HTTP/1.0'),
      lines('GET /v1/nothing HTTP/1.0'),
    ];
    for (const request of requests) {
      await using client = await openRawClient(port());
      client.send(request);

      const received = await client.ended();
      assert.match(received, /^HTTP\/1\.1 400 Bad Request\r\n/);
      assert.match(received, /\{"error":\{"code":"https_required","message":"[^"]+"\}\}$/);
      assert.doesNotMatch(received, /location:/i);
    }
    assert.deepEqual(await groups(), was);
  });

  test('headers of an untrusted proxy change nothing', async () => {
    const claims = ['X-Forwarded-Proto: https', 'X-Forwarded-For: 203.0.113.9', 'Forwarded: proto=https'];
    await using plain = await openRawClient(port());
    plain.send(creating('by a stranger', '1.0', ...claims));
    assert.match(await plain.ended(), /https_required/);

    await using secure = await openRawClient(port(), {});
    secure.send(creating('by somebody', '1.0', ...claims, 'X-Real-IP: 203.0.113.9'));
    await secure.ended();

    const { data } = (await account.owner.call('audit/list', { limit: 1 })).body as unknown as {
      data: { address: string; input: object }[];
    };
    assert.deepEqual([data[0]!.input, data[0]!.address], [{ name: 'by somebody' }, '127.0.0.1']);
  });
});

describe('behind a trusted proxy', () => {
  let service: TestService;
  let account: TestAccount;
  before(async () => {
    service = await startService({ env: { DRAWBRIDGE_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' } });
    account = await service.account();
  });
  after(() => service[Symbol.asyncDispose]());

  /** Sends a request without TLS, as a proxy does, and returns the status code of the response. */
  const forward = async (more: string[], apiKey = account.owner.apiKey): Promise<string> => {
    await using client = await openRawClient(service.server.config.listen.port);
    const body = '{"name":"forwarded"}';
    const head = [
      'POST /v1/groups/create HTTP/1.0',
      `X-Api-Key: ${apiKey}`,
      `Content-Length: ${body.length}`,
    ];
    client.send([...head, ...more, '', body].join('\r\n'));
    const received = await client.ended();
    return /"code":"(\w+)"/.exec(received)?.[1] ?? /^HTTP\/1\.1 (\d+)/.exec(received)![1]!;
  };
  const lastAddress = async (): Promise<string> =>
    (await account.owner.call('audit/list', { limit: 1 })).body['data'][0].address;
  const https = 'X-Forwarded-Proto: https';

  test('a request that came by HTTPS to the proxy is carried out', async () => {
    assert.equal(await forward([https]), '200');
    assert.equal(await forward(['X-Forwarded-Proto: HTTPS']), '200');
  });

  test('a request that did not come by HTTPS to the proxy is refused', async () => {
    assert.equal(await forward([]), 'https_required');
    assert.equal(await forward(['X-Forwarded-Proto: http']), 'https_required');
    assert.equal(await forward(['X-Forwarded-Proto: https, http']), 'https_required');
    assert.equal(await forward(['X-Forwarded-Proto: ']), 'https_required');
    assert.equal(await forward(['Forwarded: proto=https']), 'https_required');
  });

  test('the address of the client is the last one that is not a proxy, and the audit log shows it', async () => {
    const shown: Record<string, string> = {
      '203.0.113.9': '203.0.113.9',
      '198.51.100.1, 203.0.113.9': '203.0.113.9',
      '203.0.113.9, 10.1.2.3': '203.0.113.9',
      '203.0.113.9, 10.1.2.3, 127.0.0.1': '203.0.113.9',
      '2001:DB8::1': '2001:db8::1',
      '::ffff:203.0.113.9': '203.0.113.9',
      '203.0.113.9:4711': '203.0.113.9',
      '[2001:db8::1]:443': '2001:db8::1',
      'unknown, 203.0.113.9': '203.0.113.9',
      'spoofed"; drop table': '127.0.0.1',
    };
    for (const [header, address] of Object.entries(shown)) {
      assert.equal(await forward([https, `X-Forwarded-For: ${header}`]), '200');
      assert.equal(await lastAddress(), address, header);
    }
  });

  test('the networks of a key are compared with the address of the client', async () => {
    const inside = await account.key(account.owner, { networks: ['203.0.113.0/24'] });
    const from = (address: string) => forward([https, `X-Forwarded-For: ${address}`], inside.apiKey);

    assert.equal(await from('203.0.113.9'), '200');
    assert.equal(await from('198.51.100.1'), 'invalid_api_key');
    assert.equal(await from('203.0.113.9, 198.51.100.1'), 'invalid_api_key');
    // The row for a key that is not valid from there is written after the response.
    await eventually(lastAddress, (address) => address === '198.51.100.1');
  });

  test('TLS up to the server itself works too', async () => {
    assert.equal((await account.owner.call('groups/list')).http, 200);
  });
});
