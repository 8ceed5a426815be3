/** What monitoring reads: health, readiness, and metrics on a separate listener. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { startService, type TestService } from '../kit/server/service.ts';
import { freePort } from '../kit/free-port.ts';
import { openRawClient } from '../kit/server/raw-client.ts';

describe('health and metrics', () => {
  let service: TestService;
  let metrics: string;
  before(async () => {
    const port = await freePort();
    metrics = `http://127.0.0.1:${port}`;
    service = await startService({ env: { DRAWBRIDGE_METRICS_LISTEN: `127.0.0.1:${port}` } });
  });
  after(() => service[Symbol.asyncDispose]());

  test('the server reports that it is alive and ready, to anyone', async () => {
    const [health, ready] = [
      await service.testClient.send({ path: '/healthz' }),
      await service.testClient.send({ path: '/readyz' }),
    ];

    assert.deepEqual([health.http, health.text], [200, 'ok\n']);
    assert.deepEqual([ready.http, ready.text], [200, 'ready\n']);
    assert.equal(health.headers['cache-control'], 'no-store');
    assert.match(String(health.headers['content-type']), /^text\/plain/);
  });

  test('only GET and HEAD return health', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      assert.equal((await service.testClient.send({ method, path: '/healthz' })).http, 404);
  });

  test('metrics are on their own listener and nowhere else', async () => {
    const { owner } = await service.account();
    await owner.call('groups/list');
    await service.testClient.send({ path: '/no/such/place' });

    const answer = await fetch(`${metrics}/metrics`);
    const text = await answer.text();

    assert.equal(answer.status, 200);
    assert.match(text, /^drawbridge_http_requests_total\{operation="groups\/list",status="200"\} 1$/m);
    assert.match(text, /^drawbridge_http_requests_total\{operation="unknown_url",status="404"\} \d+$/m);
    assert.doesNotMatch(text, /no\/such\/place/);
    for (const path of ['/healthz', '/readyz', '/v1/groups/list', '/', '/docs', '/metrics/', '/metricsx'])
      assert.equal((await fetch(metrics + path)).status, 404, path);
    for (const path of ['/metrics', '/metrics/', '/v1/metrics'])
      assert.equal(
        (await service.testClient.send({ path, headers: { 'X-Api-Key': owner.apiKey } })).http,
        404,
      );
  });

  test('refusals are counted by their code', async () => {
    await service.testClient.send({ path: '/v1/groups/list' });

    const text = await (await fetch(`${metrics}/metrics`)).text();

    assert.match(text, /^drawbridge_refusals_total\{code="invalid_api_key"\} \d+$/m);
  });
});

describe('without a setting for metrics', () => {
  test('there are none', async () => {
    await using service = await startService();

    assert.equal(service.server.config.metricsListen, undefined);
    assert.equal((await service.testClient.send({ path: '/metrics' })).http, 404);
  });
});

describe('while the server stops', () => {
  test('it reports that it is not ready any more to clients that are still connected', async () => {
    const service = await startService();
    await using client = await openRawClient(service.server.config.listen.port, {});
    client.send('GET /readyz HTTP/1.1\r\nHost: localhost\r\n');
    // Once another request was answered, the beginning of this one has arrived too.
    assert.equal((await service.testClient.send({ path: '/readyz' })).http, 200);

    const closing = service.server.close(5_000);
    client.send('\r\n');

    assert.match(await client.ended(), /^HTTP\/1\.1 503 [^]*\r\n\r\nnot ready\n$/);
    await closing;
    service.testClient.close();
    rmSync(service.folder, { recursive: true, force: true });
  });
});
