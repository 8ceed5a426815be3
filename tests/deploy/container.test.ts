/** The files for containers fit the server and each other. They are parsed here; images are neither built nor run. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { commandTimeoutMs } from '@drawbridge/server/gateway/devices/fleet';
import { heartbeatSeconds } from '@drawbridge/server/gateway/devices/heartbeat';
import { variableOf } from '@drawbridge/server/config/names';
import { settingNames } from '@drawbridge/server/config/schema';
import { loadConfig } from '@drawbridge/server/config/config';
import { streamKeepAliveMs } from '@drawbridge/server/panel/live/events';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { findHaproxy, skipWithout } from '../kit/requirements.ts';
import { startService } from '../kit/server/service.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'deploy/container');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

type Addresses = Record<string, { ipv4_address: string }>;

interface Service {
  image: string;
  command?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  environment?: Record<string, string>;
  volumes?: string[];
  networks: string[] | Addresses;
  healthcheck?: { test: string[] };
  depends_on?: string[] | Record<string, unknown>;
}

const compose = parse(read('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, { ipam: { config: { subnet: string }[] } }>;
};
const servers = ['one', 'two'].map((name) => compose.services[name]!);
const known = new Set([...settingNames.map(variableOf), 'DRAWBRIDGE_CONFIG']);

/** The instructions of the Containerfile, with continued lines joined. */
const instructions = read('Containerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .flatMap((line) => /^([A-Z]+)\s+(.*)$/.exec(line.trim())?.slice(1, 3).join(' ').replace(/\s+/g, ' ') ?? []);

test('the image runs without root, checks its health, and names files that exist', () => {
  const final = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));
  const paths = [...final.join('\n').matchAll(/\/opt\/drawbridge\/((?:cli|deploy)\/[\w./-]+)/g)].map(
    ([, path]) => path!,
  );

  assert.ok(final.includes('USER 10001:10001'));
  assert.ok(final.some((line) => line.startsWith('HEALTHCHECK ')));
  assert.ok(paths.length >= 3);
  assert.deepEqual(
    paths.filter((path) => !existsSync(join(root, path))),
    [],
  );
  const variables = [...final.join('\n').matchAll(/\b(DRAWBRIDGE_\w+)=/g)].map(([, name]) => name!);
  assert.deepEqual(variables, ['DRAWBRIDGE_LISTEN', 'DRAWBRIDGE_DATA']);
  assert.deepEqual(
    variables.filter((name) => !known.has(name)),
    [],
  );
});

test('an image contains no secrets, and its agents are signed with a key that outlives the build', () => {
  const ignored = readFileSync(join(root, '.containerignore'), 'utf8').split('\n');
  const agents = instructions.find((line) => line.includes('npm run build:agent'))!;

  for (const secret of ['**/.env', '**/*.pem', '**/*.key', 'deploy/container/tls'])
    assert.ok(ignored.includes(secret), secret);
  assert.equal(readFileSync(join(root, '.dockerignore'), 'utf8'), ignored.join('\n'));
  assert.match(
    agents,
    /--mount=type=secret,id=release_key,target=(\S+),required=true .*DRAWBRIDGE_RELEASE_KEY=\1 npm/,
  );
});

test('the settings of both servers are valid and equal', async () => {
  const settings = servers.map(({ environment }) =>
    Object.fromEntries(
      Object.entries(environment!).map(([name, value]) => [name, value.replace(/\$\{\w+:\?\}/g, 'secret')]),
    ),
  );
  const loaded = await Promise.all(settings.map((env) => loadConfig({ env, cwd: '/data' })));

  assert.deepEqual(
    loaded.map(({ problems }) => problems),
    [undefined, undefined],
  );
  const [one, two] = loaded.map(({ config }) => config!);
  assert.deepEqual(one, two);
  assert.deepEqual(one!.trustedProxies, [compose.networks['inside']!.ipam.config[0]!.subnet]);
  const graceSeconds = Number.parseInt(servers[0]!.stop_grace_period!, 10);
  assert.ok(graceSeconds >= one!.drainSeconds + 5, 'a server that stops has time to drain');
});

test('both servers are read-only, without capabilities, and each has data of its own', () => {
  for (const server of servers) {
    assert.equal(server.read_only, true);
    assert.deepEqual([server.cap_drop, server.security_opt], [['ALL'], ['no-new-privileges:true']]);
    assert.ok(server.healthcheck);
  }
  for (const { environment, volumes } of servers) {
    assert.equal(environment!['DRAWBRIDGE_SECRETS_KEY_FILE'], '/keys/secrets.key');
    assert.ok(volumes!.includes('./keys:/keys:ro'));
  }
  const [one, two] = servers.map(({ volumes }) => volumes!.find((volume) => volume.endsWith(':/data')));
  assert.notEqual(one, two);
});

/** The files that the administrator creates. */
const ownFilesOf = ({ services }: typeof compose): string[] =>
  Object.values(services)
    .flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0]!))
    .filter((source) => /^\.\/(site\.pem|keys|tls)$/.test(source));

for (const name of ['compose.yaml', 'relay-compose.yaml'])
  test(`the first lines of ${name} name every file and variable that the administrator writes`, () => {
    const text = read(name);
    const [header] = /^(#.*\n)+/.exec(text)!;
    const files = ownFilesOf(parse(text, { merge: true }) as typeof compose).map((file) => file.slice(2));
    const variables = [...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, variable]) => variable!);

    assert.ok(files.length > 0 && variables.length > 0);
    assert.deepEqual(
      [...files, ...variables].filter((each) => !header.includes(each)),
      [],
    );
  });

test('services, volumes and files that are named exist', () => {
  const services = Object.values(compose.services);
  const named = services.flatMap(({ depends_on: others = [] }) =>
    Array.isArray(others) ? others : Object.keys(others),
  );
  const sources = services.flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0]!));
  const own = ownFilesOf(compose);

  assert.deepEqual(
    named.filter((name) => !compose.services[name]),
    [],
  );
  for (const source of sources.filter((each) => !own.includes(each)))
    assert.ok(source.startsWith('./') ? existsSync(join(folder, source)) : source in compose.volumes, source);
});

test('the relay of another region has valid settings, no rights, its key on a volume, and is healthy without a server', async () => {
  const { services, volumes } = parse(read('relay-compose.yaml')) as typeof compose;
  const relay = services['relay']!;
  const env = { ...relay.environment, DRAWBRIDGE_RELAY_SERVERS: 's'.repeat(43), DRAWBRIDGE_DATA: '/data' };
  const { config, problems } = await loadConfig({ env, cwd: '/data' });

  assert.deepEqual([problems, config?.relayServers], [undefined, ['s'.repeat(43)]]);
  assert.deepEqual(relay.command, ['relay', 'start']);
  assert.deepEqual(
    [relay.read_only, relay.cap_drop, relay.security_opt],
    [true, ['ALL'], ['no-new-privileges:true']],
  );
  assert.ok(relay.volumes!.includes('relay:/data') && 'relay' in volumes);
  assert.equal(relay.healthcheck!.test.at(-1), '/healthz');
});

test('the proxy knows both servers by addresses that stay, and asks whether they are ready', () => {
  const config = read('haproxy.cfg');
  const targets = [...config.matchAll(/^ {4}server \w+ ([\d.]+):8443$/gm)].map(([, address]) => address!);

  const backups = [...config.matchAll(/^ {4}server \w+-unchecked ([\d.]+):8443 no-check backup$/gm)].map(
    ([, address]) => address!,
  );

  assert.deepEqual(
    targets,
    servers.map(({ networks }) => (networks as Addresses)['inside']!.ipv4_address),
  );
  assert.deepEqual(backups, targets, 'each is also used while all of them fail their checks');
  assert.match(config, /http-check send meth GET uri \/readyz/);
});

test('the proxy does not end connections that are only quiet between two heartbeats', () => {
  const [, minutes] = /^ {4}timeout tunnel (\d+)m$/m.exec(read('haproxy.cfg'))!;

  assert.ok(Number(minutes) * 60 >= 4 * heartbeatSeconds);
});

test('the proxy ends neither the event stream of a quiet panel nor the wait for a device', () => {
  const [, seconds] = /^ {4}timeout server (\d+)s$/m.exec(read('haproxy.cfg'))!;

  assert.ok(Number(seconds) * 1_000 >= 2 * Math.max(streamKeepAliveMs, commandTimeoutMs));
});

test('haproxy accepts the configuration', { skip: skipWithout('haproxy') }, async (context) => {
  const place = mkdtempSync(join(tmpdir(), 'drawbridge-proxy-'));
  context.after(() => rmSync(place, { recursive: true }));
  const { cert, key } = await createSelfSigned(['localhost'], new Date());
  const [certificate, file] = [join(place, 'site.pem'), join(place, 'haproxy.cfg')];
  writeFileSync(certificate, cert + key);
  const config = read('haproxy.cfg')
    .replaceAll('/certificates/site.pem', certificate)
    .replace(/ 172\.30\.0\.\d+:8443/g, ' 127.0.0.1:8443');
  writeFileSync(file, config);

  const { status, stderr } = spawnSync(findHaproxy()!, ['-c', '-f', file], { encoding: 'utf8' });

  assert.deepEqual([status, stderr.split('\n').filter((line) => /ALERT|WARNING/.test(line))], [0, []]);
});

test('the health check passes only while the server is ready', async () => {
  const service = await startService();
  const { port } = service.server.config.listen;
  const check = async (...args: string[]): Promise<unknown> => {
    const env = { DRAWBRIDGE_LISTEN: `0.0.0.0:${port}` };
    const [code] = await once(
      spawn(process.execPath, [join(folder, 'health.cjs'), ...args], { env }),
      'exit',
    );
    return code as unknown;
  };

  const whileItRuns = [await check(), await check('/healthz'), await check('/no-such-path')];
  await service[Symbol.asyncDispose]();

  assert.deepEqual([whileItRuns, await check()], [[0, 0, 1], 1]);
});
