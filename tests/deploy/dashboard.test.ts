/** The dashboard for Grafana shows metrics that the server has. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { relayMetrics } from '@drawbridge/server/compose/relays/relay-metrics';
import { createMetrics } from '@drawbridge/server/edges/metrics';

interface Dashboard {
  panels: { id: number; title: string; targets: { expr: string }[] }[];
  templating: { list: { query: string | { query: string } }[] };
}

const dashboard = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../deploy/grafana/dashboard.json'), 'utf8'),
) as Dashboard;

const queries = [
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.map(({ query }) => (typeof query === 'string' ? query : query.query)),
];

const matches = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))].toSorted();

/** What a server offers to Prometheus after a request, a refusal and a commit, with a relay and another server; and what a relay does. */
async function offeredMetrics(): Promise<string> {
  const metrics = createMetrics({ version: '1', roles: ['api'] });
  metrics.observeRequest('groups/list', 200, 0.001);
  metrics.countRefusal('not_found');
  metrics.observeCommit(1, 0.001);
  metrics.setRelay('oslo', true);
  metrics.setBus(true);
  const counts = { alive: () => 1, reached: () => 1 };
  metrics.follow({ devices: () => 1, sessions: () => 1, servers: counts });
  const stats = { sessions: 1, waiting: 1, pendingSockets: 1, buffered: 1, dropped: 1, bytes: 1, refused: 1 };
  return `${await metrics.text()}\n${relayMetrics({ stats: () => stats, servers: () => 1 })}`;
}

test('every metric and label of the dashboard is one of the server', async () => {
  const offered = await offeredMetrics();
  const names = new Set(matches(offered, /^(\w+)[ {]/gm));
  // Prometheus adds the address of the server.
  const labels = new Set([...matches(offered, /[{,](\w+)="/g), 'instance']);
  const used = queries.join('\n');

  const usedNames = matches(used, /\b((?:drawbridge|process|nodejs)_\w+)/g);
  const usedLabels = matches(used, /[{,](\w+)=~?"/g);

  assert.ok(usedNames.length > 10 && usedLabels.length > 1);
  assert.deepEqual(
    usedNames.filter((name) => !names.has(name)),
    [],
  );
  assert.deepEqual(
    usedLabels.filter((label) => !labels.has(label)),
    [],
  );
});

test('every metric of our own is shown', async () => {
  const own = matches(await offeredMetrics(), /^# TYPE (drawbridge_\w+)/gm);

  assert.deepEqual(
    own.filter((name) => !queries.some((query) => query.includes(name))),
    [],
  );
});

test('its panels have different numbers and titles', () => {
  for (const part of ['id', 'title'] as const)
    assert.equal(new Set(dashboard.panels.map((panel) => panel[part])).size, dashboard.panels.length);
});
