/** Traces and metrics of a server with a collector: one trace from the request to the device, without names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAgent } from '../kit/agent/agent.ts';
import { eventually } from '../kit/eventually.ts';
import { attributesIn, startCollector } from '../kit/collector.ts';
import { createEnrolToken, waitUntilOnline } from '../kit/server/enrolment.ts';
import { startService } from '../kit/server/service.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpan = '00f067aa0ba902b7';

test('a request, its command over the bus and the work on the device are one trace, which names nobody', async () => {
  await using collector = await startCollector();
  const service = await startService({
    realTime: true,
    env: { DRAWBRIDGE_OTLP_ENDPOINT: collector.url, DRAWBRIDGE_OTLP_HEADERS: 'x-collector-key=k1' },
  });
  const { owner } = await service.account('trace.owner@example.com');
  await using agent = startAgent({
    server: service.testClient.baseUrl,
    token: await createEnrolToken(owner),
  });
  await agent.until(/connected/);
  await waitUntilOnline(owner, agent.state.id);

  const { http } = await service.testClient.send({
    method: 'POST',
    path: '/v1/agents/lock',
    headers: {
      'X-Api-Key': owner.apiKey,
      'content-type': 'application/json',
      traceparent: `00-${traceId}-${callerSpan}-01`,
    },
    body: JSON.stringify({ id: agent.state.id }),
  });
  assert.equal(http, 200);
  const spans = await eventually(
    () => collector.spans.filter((span) => span.traceId === traceId),
    ({ length }) => length >= 4,
  );

  const of = (name: string, kind: number) => spans.find((span) => span.name === name && span.kind === kind);
  const chain = [
    of('agents/lock', 2),
    of('agent.command', 3),
    of('agent.command', 2),
    of('device.command', 3),
  ];
  assert.deepEqual(
    chain.map((span) => span?.parentSpanId),
    [callerSpan, ...chain.slice(0, -1).map((span) => span?.spanId)],
  );
  assert.deepEqual(chain[0]?.attributes, {
    'http.request.method': 'POST',
    'http.response.status_code': '200',
  });
  assert.equal(chain[3]?.attributes['drawbridge.command'], 'lock');
  assert.match(chain[3]?.attributes['drawbridge.device_ms'] ?? '', /^\d+$/);
  for (const span of spans) assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano));

  await service.testClient.send({ path: '/v1/groups/list', headers: { 'X-Api-Key': 'wrong' } });
  await service[Symbol.asyncDispose]();
  const refused = collector.spans.find((span) => span.name === 'groups/list');
  assert.deepEqual(
    [refused?.attributes['error.type'], refused?.parentSpanId],
    ['invalid_api_key', undefined],
  );
  const requests = collector.metrics.find(({ name }) => name === 'drawbridge_http_requests_total');
  const locks = requests?.sum?.dataPoints.find(
    ({ attributes }) => attributesIn(attributes)['operation'] === 'agents/lock',
  );
  assert.equal(locks?.asDouble, 1);
  const commits = collector.metrics.find(({ name }) => name === 'drawbridge_commit_changes')?.histogram;
  const [point] = commits?.dataPoints ?? [];
  assert.equal(
    point?.bucketCounts.reduce((sum, count) => sum + Number(count), 0),
    Number(point?.count),
  );
  assert.equal(point?.bucketCounts.length, (point?.explicitBounds.length ?? 0) + 1);

  assert.ok(collector.headers.every((headers) => headers['x-collector-key'] === 'k1'));
  const all = collector.received.join('\n');
  for (const secret of ['trace.owner', 'example.com', 'made-up', owner.apiKey, '127.0.0.1', 'localhost'])
    assert.equal(all.includes(secret), false, secret);
});

test('a collector that is away or never answers delays no request', async () => {
  await using collector = await startCollector({ hangs: true });
  const gone = await startCollector();
  await gone[Symbol.asyncDispose]();
  for (const url of [collector.url, gone.url]) {
    await using service = await startService({ realTime: true, env: { DRAWBRIDGE_OTLP_ENDPOINT: url } });
    for (let count = 0; count < 20; count += 1)
      assert.equal((await service.testClient.send({ path: '/healthz' })).http, 200);
    if (url === gone.url)
      await eventually(
        () => service.logged.join('\n'),
        (log) => log.includes('the OpenTelemetry collector is away'),
      );
  }
});
