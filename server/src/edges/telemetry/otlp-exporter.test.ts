/** The exporter keeps a bounded number of spans, and reports once that the collector is away. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOtlpExporter } from './otlp-exporter.ts';
import { createTracer } from './tracer.ts';

test('spans beyond the queue are dropped and counted', async (context) => {
  const sent: number[] = [];
  let isAway = true;
  context.mock.method(globalThis, 'fetch', async (_url: string, { body }: { body: string }) => {
    if (isAway) throw new Error('connection refused');
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans?: { scopeSpans: { spans: unknown[] }[] }[];
    };
    if (resourceSpans) sent.push(resourceSpans[0]!.scopeSpans[0]!.spans.length);
    return new Response('{}');
  });
  context.mock.timers.enable({ apis: ['setInterval'] });
  const states: object[] = [];
  const exporter = createOtlpExporter({
    endpoint: 'http://127.0.0.1:4318',
    headers: {},
    version: '1',
    instance: 'one',
    readMetrics: async () => [],
    onChange: (state) => states.push(state),
  });
  const tracer = createTracer(100, exporter.add);
  const add = (count: number): void => {
    for (let at = 0; at < count; at += 1)
      tracer.end(tracer.begin(), { name: 'a', kind: 'server', attributes: {}, failed: false });
  };
  const tick = async (): Promise<void> => {
    context.mock.timers.tick(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  };

  add(3_000);
  await tick();
  await tick();
  isAway = false;
  await tick();

  assert.deepEqual(sent, [512]);
  assert.deepEqual(states, [
    { away: true, dropped: 3_000 - 2_048 + 512, reason: 'connection refused' },
    { away: false, dropped: 3_000 - 2_048 + 1_024, reason: '' },
  ]);
  await exporter.close();
});

test('a trace continues only what is a traceparent, and the share of traces is chosen by their random part', () => {
  const spans: { traceId: string; parentId: string | undefined }[] = [];
  const tracer = createTracer(50, (span) => spans.push(span));
  const end = (traceparent: string): void =>
    tracer.end(tracer.begin(traceparent), { name: 'a', kind: 'server', attributes: {}, failed: false });
  const [low, high] = ['a'.repeat(24) + '00000001', 'a'.repeat(24) + 'ffffffff'];

  for (const id of [low, high]) end(`00-${id}-00f067aa0ba902b7-01`);
  end(`00-${low}-00f067aa0ba902b7-00`);
  assert.deepEqual(
    spans.map(({ traceId, parentId }) => [traceId, parentId]),
    [[low, '00f067aa0ba902b7']],
  );

  for (const wrong of [
    '',
    'x',
    `ff-${low}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${low}-${'0'.repeat(16)}-01`,
    `00-${low}-00f067aa0ba902b7-01-`,
  ])
    assert.equal(tracer.begin(wrong).parentId, undefined, wrong);
});
