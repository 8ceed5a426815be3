/** The Helm chart: its values fit its schema, and what its templates give fits the server. Kubernetes is not run here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '@drawbridge/server/config/config';
import { variableOf } from '@drawbridge/server/config/names';
import { settingNames } from '@drawbridge/server/config/schema';
import { openChart, problemsOf, serverOf, type Probe, type ChartResource } from './open-chart.ts';

const { values, render } = openChart('drawbridge');

for (const chart of ['drawbridge', 'drawbridge-relay'])
  test(`the values of the chart ${chart} are those of its schema`, () => {
    const { values: own, schema } = openChart(chart);
    assert.deepEqual(problemsOf(own, schema, 'values'), []);
    const known = Object.keys(schema.properties!).filter((name) => name !== 'global');
    assert.deepEqual(Object.keys(own).toSorted(), known.toSorted());
  });

test('the chart makes servers, two services, a disruption budget and a network policy', () => {
  const kinds = render().map(({ kind }) => kind);

  assert.deepEqual(kinds.toSorted(), [
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
    'Service',
    'StatefulSet',
  ]);
});

test('the servers get settings that exist, secrets that exist already, and time to drain', () => {
  const resources = render({ settings: { DRAWBRIDGE_LOG_LEVEL: 'warn' } });
  const { env } = serverOf(resources);
  const known = new Set(settingNames.map(variableOf));
  const { template } = resources.find(({ kind }) => kind === 'StatefulSet')!.spec;

  assert.deepEqual(
    env.map(({ name }) => name).filter((name) => !known.has(name)),
    [],
  );
  assert.deepEqual(
    env.filter(({ valueFrom }) => valueFrom).map(({ name }) => name),
    ['DRAWBRIDGE_DATABASE', 'DRAWBRIDGE_BUS'],
  );
  assert.deepEqual(env.at(-1), { name: 'DRAWBRIDGE_LOG_LEVEL', value: 'warn' });
  assert.ok(template.spec.terminationGracePeriodSeconds >= values.drainSeconds + 5);
  assert.ok(env.every(({ value, valueFrom }) => typeof value === 'string' || valueFrom));
});

test('the servers run without root on a read-only file system and fail /readyz before they stop', () => {
  const { securityContext, readinessProbe, volumeMounts } = serverOf(render());

  assert.deepEqual(securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  assert.equal(readinessProbe.httpGet.path, '/readyz');
  assert.deepEqual(
    volumeMounts.map(({ mountPath }) => mountPath),
    ['/data', '/shared', '/tls', '/tmp'],
  );
});

test('a server may migrate for an hour, is restarted once it hangs for a minute, and survives a short failure of its database', () => {
  const { startupProbe, readinessProbe, livenessProbe } = serverOf(render());
  const secondsOf = ({ periodSeconds, failureThreshold }: Probe): number => periodSeconds * failureThreshold;

  assert.deepEqual(
    [startupProbe, readinessProbe, livenessProbe].map((probe) => [probe.httpGet.path, secondsOf(probe)]),
    [
      ['/healthz', 3_600],
      ['/readyz', 10],
      ['/healthz', 60],
    ],
  );
  assert.ok(readinessProbe.timeoutSeconds > 1, '/readyz waits for the database for a second');
});

test('files that settings name can be mounted', () => {
  const { values: own, schema } = openChart('drawbridge');
  const settings = { DRAWBRIDGE_BUS_CREDENTIALS: '/nats/user.creds', DRAWBRIDGE_BUS_CA: '/nats/ca.pem' };
  const extraVolumes = [{ name: 'nats', secret: { secretName: 'nats-client' } }];
  const extraVolumeMounts = [{ name: 'nats', mountPath: '/nats', readOnly: true }];
  const changes = { settings, extraVolumes, extraVolumeMounts };
  const resources = render(changes);
  const { volumes } = resources.find(({ kind }) => kind === 'StatefulSet')!.spec.template.spec;

  assert.deepEqual(problemsOf({ ...own, ...changes }, schema, 'values'), []);
  assert.deepEqual(volumes.at(-1), extraVolumes[0]);
  assert.deepEqual(serverOf(resources).volumeMounts.at(-1), extraVolumeMounts[0]);
  assert.notDeepEqual(problemsOf({ ...own, extraVolumes: [{ secret: {} }] }, schema, 'values'), []);
});

for (const chart of ['drawbridge', 'drawbridge-relay'])
  test(`a load balancer in front of the chart ${chart} keeps the addresses of clients`, () => {
    const policyOf = (type: string) =>
      openChart(chart)
        .render({ service: { type, port: 443, annotations: {} } })
        .find(({ kind, spec }) => kind === 'Service' && spec.type === type)!.spec.externalTrafficPolicy;

    assert.deepEqual(['LoadBalancer', 'ClusterIP'].map(policyOf), ['Local', undefined]);
  });

test('one server at a time may be away while machines are emptied, also if there is only one', () => {
  const budget = render({ replicas: 1 }).find(({ kind }) => kind === 'PodDisruptionBudget')!;

  assert.equal(budget.spec.maxUnavailable, 1);
});

test('the key of stored secrets comes from a secret that exists already', () => {
  const secrets = { ...(values['secrets'] as object), storedSecrets: 'drawbridge-stored-secrets' };
  const resources = render({ secrets });
  const { env, volumeMounts } = serverOf(resources);
  const { volumes } = resources.find(({ kind }) => kind === 'StatefulSet')!.spec.template.spec;
  const isKey = ({ name }: { name: string }): boolean => name === 'DRAWBRIDGE_SECRETS_KEY_FILE';

  assert.equal(serverOf(render()).env.find(isKey), undefined);
  assert.deepEqual(env.find(isKey), { name: 'DRAWBRIDGE_SECRETS_KEY_FILE', value: '/keys/secrets.key' });
  assert.deepEqual(
    volumeMounts.find(({ mountPath }) => mountPath === '/keys'),
    { name: 'keys', mountPath: '/keys', readOnly: true },
  );
  assert.deepEqual(
    volumes.find(({ name }) => name === 'keys'),
    { name: 'keys', secret: { secretName: 'drawbridge-stored-secrets', defaultMode: 0o440 } },
  );
  assert.deepEqual(
    volumes.find(({ name }) => name === 'certificate'),
    { name: 'certificate', secret: { secretName: 'drawbridge-certificate', defaultMode: 0o440 } },
  );
});

test('servers with an object storage need no volume that all of them mount', () => {
  const { values: own, schema } = openChart('drawbridge');
  const secrets = { ...(values['secrets'] as object), settings: 'drawbridge-settings' };
  const changes = { sharedClaim: '', secrets };
  const resources = render(changes);
  const { env, envFrom, volumeMounts } = serverOf(resources);
  const { volumes } = resources.find(({ kind }) => kind === 'StatefulSet')!.spec.template.spec;
  const namesFolder = ({ name }: { name: string }): boolean => /_(FILES|RECORDINGS)$/.test(name);

  assert.deepEqual(problemsOf({ ...own, ...changes }, schema, 'values'), []);
  assert.deepEqual([env.filter(namesFolder), serverOf(render()).env.filter(namesFolder).length], [[], 2]);
  assert.deepEqual(envFrom, [{ secretRef: { name: 'drawbridge-settings' } }]);
  assert.deepEqual(
    volumeMounts.map(({ mountPath }) => mountPath),
    ['/data', '/tls', '/tmp'],
  );
  assert.ok(volumes.every(({ name }) => name !== 'shared'));
});

for (const chart of ['drawbridge', 'drawbridge-relay'])
  test(`further settings of the chart ${chart} are none that other values already set`, () => {
    const { schema, render: renderAll } = openChart(chart);
    const refused = schema.properties!['settings']!.propertyNames!.not.enum;

    const { env } = serverOf(renderAll({ sharedClaim: '' }));
    assert.deepEqual(
      env.map(({ name }) => name),
      refused,
    );
  });

test('metrics and the network policy can be turned off', () => {
  const resources = render({
    metrics: { enabled: false, port: 1 },
    networkPolicy: { enabled: false, databasePort: 1, busPort: 1, otherPorts: {} },
  });

  assert.ok(!resources.some(({ kind }) => kind === 'NetworkPolicy'));
  assert.ok(!serverOf(resources).env.some(({ name }) => name === 'DRAWBRIDGE_METRICS_LISTEN'));
});

test('secret settings come from a secret that exists already, and the network policy opens the ports that the values name', () => {
  const secrets = { ...(values['secrets'] as object), settings: 'drawbridge-settings' };
  const networkPolicy = { ...(values['networkPolicy'] as object), otherPorts: { collector: 4_318 } };
  const portsOf = (resources: ChartResource[]) =>
    resources.find(({ kind }) => kind === 'NetworkPolicy')!.spec.egress[0]!.ports.map(({ port }) => port);
  const [usual, changed] = [render(), render({ secrets, networkPolicy })];

  assert.equal(serverOf(usual).envFrom, undefined);
  assert.deepEqual(serverOf(changed).envFrom, [{ secretRef: { name: 'drawbridge-settings' } }]);
  assert.deepEqual(portsOf(changed), [...portsOf(usual), 4_318]);
});

test('the chart of a relay makes one relay with settings that exist, without root, and its key on a volume', async () => {
  const resources = openChart('drawbridge-relay').render({ servers: 's'.repeat(43) });
  const { args, env, securityContext, readinessProbe, volumeMounts } = serverOf(resources);
  const settings = Object.fromEntries(env.map(({ name, value }) => [name, value!]));
  const { config, problems } = await loadConfig({ env: settings, cwd: '/data' });

  assert.deepEqual(
    resources.map(({ kind }) => kind),
    ['StatefulSet', 'Service', 'NetworkPolicy'],
  );
  assert.deepEqual(resources.at(-1)!.spec.egress, [], 'a relay connects to nobody');
  assert.deepEqual([args, problems, config?.relayServers], [['relay', 'start'], undefined, ['s'.repeat(43)]]);
  assert.deepEqual(securityContext, serverOf(render()).securityContext);
  assert.equal(readinessProbe.httpGet.path, '/healthz');
  assert.deepEqual(
    volumeMounts.map(({ mountPath }) => mountPath),
    ['/data', '/tls', '/tmp'],
  );
});
