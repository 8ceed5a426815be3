/** The metrics after known events. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createMetrics } from './metrics.ts';

async function linesOf(metrics: { text(): Promise<string> }): Promise<string[]> {
  return (await metrics.text()).split('\n').filter((line) => line.startsWith('drawbridge_'));
}

test('requests are counted by operation and HTTP code, and timed by operation', async () => {
  const metrics = createMetrics({ version: '1.2.3' });

  metrics.observeRequest('agents/list', 200, 0.002);
  metrics.observeRequest('agents/list', 200, 0.2);
  metrics.observeRequest('agents/list', 403, 9);

  const lines = await linesOf(metrics);
  const expected = [
    'drawbridge_http_requests_total{operation="agents/list",status="200"} 2',
    'drawbridge_http_requests_total{operation="agents/list",status="403"} 1',
    'drawbridge_http_request_duration_seconds_bucket{le="0.003",operation="agents/list"} 1',
    'drawbridge_http_request_duration_seconds_bucket{le="0.3",operation="agents/list"} 2',
    'drawbridge_http_request_duration_seconds_bucket{le="+Inf",operation="agents/list"} 3',
    'drawbridge_http_request_duration_seconds_count{operation="agents/list"} 3',
  ];
  for (const line of expected) assert.ok(lines.includes(line), line);
});

test('refusals are counted by their code', async () => {
  const metrics = createMetrics({ version: '1.2.3' });

  metrics.countRefusal('forbidden');
  metrics.countRefusal('forbidden');
  metrics.countRefusal('invalid');

  const lines = await linesOf(metrics);
  assert.ok(lines.includes('drawbridge_refusals_total{code="forbidden"} 2'));
  assert.ok(lines.includes('drawbridge_refusals_total{code="invalid"} 1'));
});

test('commits are measured by their number of changes and their duration', async () => {
  const metrics = createMetrics({ version: '1.2.3' });

  metrics.observeCommit(40, 0.002);

  const lines = await linesOf(metrics);
  assert.ok(lines.includes('drawbridge_commit_changes_bucket{le="32"} 0'));
  assert.ok(lines.includes('drawbridge_commit_changes_bucket{le="64"} 1'));
  assert.ok(lines.includes('drawbridge_commit_duration_seconds_bucket{le="0.003"} 1'));
});

test('the build, the event loop and the process are described', async () => {
  const text = await createMetrics({ version: '1.2.3' }).text();

  assert.match(text, /^drawbridge_build_info\{version="1\.2\.3",node="[\d.]+"\} 1$/m);
  for (const name of [
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
  ]) {
    assert.match(text, new RegExp(`^${name}( |{)`, 'm'));
  }
});

test('two servers in one process count separately and declare no metric twice', async () => {
  const [one, other] = [createMetrics({ version: '1' }), createMetrics({ version: '1' })];

  one.countRefusal('invalid');

  assert.ok((await linesOf(one)).includes('drawbridge_refusals_total{code="invalid"} 1'));
  assert.ok(!(await linesOf(other)).some((line) => line.startsWith('drawbridge_refusals_total{')));
  const types = (await other.text()).split('\n').filter((line) => line.startsWith('# TYPE'));
  assert.equal(new Set(types).size, types.length);
});

test('the process metrics are collected without a gap from the first request on', async () => {
  const metrics = createMetrics({ version: '1' });
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const collections = async () => /^nodejs_gc_duration_seconds_count\S* \d+$/m.test(await metrics.text());

  await metrics.text();
  collectGarbage();
  let seen = false;
  for (let turn = 0; turn < 50 && !seen; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    seen = await collections();
  }

  assert.ok(seen, 'a garbage collection between two readings is in the second');
});

test('what is connected is read with each request, and what a server alone does not have is absent', async () => {
  const [alone, several] = [createMetrics({ version: '1' }), createMetrics({ version: '1' })];
  let devices = 1;
  const counts = { devices: () => devices, sessions: () => 2 };
  alone.follow(counts);
  several.follow({ ...counts, servers: { alive: () => 4, reached: () => 3 } });
  several.setBus(true);
  several.setBus(false);
  devices = 5;

  const live = async (metrics: typeof alone) =>
    (await linesOf(metrics)).filter((line) => /devices|sessions|servers|bus/.test(line));

  const own = ['drawbridge_devices_connected 5', 'drawbridge_sessions_open 2'];
  assert.deepEqual(await live(alone), own);
  assert.deepEqual((await live(several)).toSorted(), [
    'drawbridge_bus_connected 0',
    own[0],
    'drawbridge_other_servers 4',
    'drawbridge_other_servers_reached 3',
    own[1],
  ]);
});
