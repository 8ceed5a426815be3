/** The settings as an administrator sees them: defaults, sources, and the messages for invalid ones. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { loadConfig, settingsManual, withBoundPort } from './config.ts';
import type { Config } from './config.ts';
import { manualOf, settingNames } from './schema.ts';

const missing = Object.assign(new Error('no such file'), { code: 'ENOENT' });

/** Loads with these variables and files, in the working directory /srv. */
const load = (env: Record<string, string>, files: Record<string, string> = {}) =>
  loadConfig({ env, cwd: '/srv', readFile: async (path) => files[path] ?? Promise.reject(missing) });

async function configOf(env: Record<string, string>, toml?: string): Promise<Config> {
  const { config, problems } = await load(env, toml === undefined ? {} : { '/srv/drawbridge.toml': toml });
  assert.deepEqual(problems, undefined);
  return config;
}

async function problemsOf(env: Record<string, string>, toml?: string): Promise<string[]> {
  const { problems } = await load(env, toml === undefined ? {} : { '/srv/drawbridge.toml': toml });
  return problems ?? [];
}

test('a server without any settings listens on loopback and keeps its data in the working directory', async () => {
  assert.deepEqual(await configOf({}), {
    listen: { host: '127.0.0.1', port: 8443 },
    data: '/srv/data',
    publicUrl: 'https://localhost:8443',
    roles: ['api', 'gateway', 'relay', 'jobs'],
    database: undefined,
    databasePool: 10,
    secretsKey: { file: '/srv/data/secrets.key', isOwn: true },
    tls: undefined,
    acme: undefined,
    publicCert: undefined,
    agentsMoveTo: undefined,
    relayUrl: undefined,
    relays: [],
    relayServers: [],
    nodeAddress: undefined,
    direct: [],
    trustedProxies: [],
    corsOrigins: [],
    frameOrigins: [],
    bus: undefined,
    locationDatabase: undefined,
    downloads: undefined,
    agentsOnline: 50_000,
    connectionsPerAddress: 2_500,
    objectStorage: undefined,
    files: '/srv/data/files',
    fileLimit: 104_857_600,
    recordings: '/srv/data/recordings',
    recordingDays: 90,
    legacyApi: false,
    metricsListen: undefined,
    otlp: undefined,
    logLevel: 'info',
    ownerEmail: 'owner@localhost',
    mail: undefined,
    invitationDays: 7,
    ssoLoopback: false,
    directoryLoopback: false,
    webhookLoopback: false,
    drainSeconds: 25,
    drainNoticeSeconds: 0,
  });
});

test('every setting can be given as an environment variable', async () => {
  const config = await configOf({
    DRAWBRIDGE_LISTEN: '[::]:443',
    DRAWBRIDGE_DATA: '/var/lib/drawbridge',
    DRAWBRIDGE_PUBLIC_URL: 'https://help.example.com/',
    DRAWBRIDGE_DATABASE: 'postgres://u:p@db/main',
    DRAWBRIDGE_DATABASE_POOL: '20',
    DRAWBRIDGE_SECRETS_KEY_FILE: '/run/secrets.key',
    DRAWBRIDGE_TLS_CERT: 'cert.pem',
    DRAWBRIDGE_TLS_KEY: '/etc/key.pem',
    DRAWBRIDGE_PUBLIC_CERT: 'proxy.pem',
    DRAWBRIDGE_AGENTS_MOVE_TO: 'https://new.example.com/',
    DRAWBRIDGE_RELAY_URL: 'wss://one.example.com',
    DRAWBRIDGE_RELAYS: `oslo=wss://Oslo.example.com/#${'k'.repeat(43)}`,
    DRAWBRIDGE_RELAY_SERVERS: 's'.repeat(43),
    DRAWBRIDGE_NODE_ADDRESS: '10.0.0.5:8443',
    DRAWBRIDGE_DIRECT: 'true',
    DRAWBRIDGE_STUN_SERVERS: 'stun:stun.example.com:3478, stun:[::1]',
    DRAWBRIDGE_TRUSTED_PROXIES: '10.0.0.5, fd00::/8',
    DRAWBRIDGE_CORS_ORIGINS: 'https://a.example',
    DRAWBRIDGE_FRAME_ORIGINS: 'https://tickets.example.com, https://other.example.com:8443/',
    DRAWBRIDGE_BUS: 'nats://bus.example.com:4222, tls://user:secret@other.example.com',
    DRAWBRIDGE_BUS_CREDENTIALS: 'bus.creds',
    DRAWBRIDGE_BUS_CA: 'bus-ca.pem',
    DRAWBRIDGE_BUS_CERT: 'bus.pem',
    DRAWBRIDGE_BUS_KEY: 'bus.key',
    DRAWBRIDGE_LOCATION_DATABASE: 'city.mmdb',
    DRAWBRIDGE_DOWNLOADS: '/srv/agents',
    DRAWBRIDGE_SMTP_URL: 'smtps://help:secret@mail.example.com',
    DRAWBRIDGE_MAIL_FROM: 'help@example.com',
    DRAWBRIDGE_AGENTS_ONLINE: '100',
    DRAWBRIDGE_CONNECTIONS_PER_ADDRESS: '10',
    DRAWBRIDGE_OBJECT_STORAGE: 'https://id:secret@s3.example.com/bucket',
    DRAWBRIDGE_FILES: 'shared/files',
    DRAWBRIDGE_ROLES: 'relay, api',
    DRAWBRIDGE_FILE_LIMIT_MB: '1',
    DRAWBRIDGE_RECORDINGS: '/srv/shared/recordings',
    DRAWBRIDGE_RECORDING_DAYS: '0',
    DRAWBRIDGE_LEGACY_API: 'true',
    DRAWBRIDGE_METRICS_LISTEN: '127.0.0.1:9464',
    DRAWBRIDGE_LOG_LEVEL: 'debug',
    DRAWBRIDGE_OWNER_EMAIL: 'ann@example.com',
    DRAWBRIDGE_INVITATION_DAYS: '3',
    DRAWBRIDGE_DRAIN_SECONDS: '5',
    DRAWBRIDGE_DRAIN_NOTICE_SECONDS: '2',
  });

  assert.deepEqual(config, {
    listen: { host: '::', port: 443 },
    data: '/var/lib/drawbridge',
    publicUrl: 'https://help.example.com',
    roles: ['api', 'relay'],
    database: 'postgres://u:p@db/main',
    databasePool: 20,
    secretsKey: { file: '/run/secrets.key', isOwn: false },
    tls: { cert: '/srv/cert.pem', key: '/etc/key.pem' },
    acme: undefined,
    publicCert: '/srv/proxy.pem',
    agentsMoveTo: 'https://new.example.com',
    relayUrl: 'wss://one.example.com',
    relays: [{ name: 'oslo', url: 'wss://oslo.example.com', key: 'k'.repeat(43) }],
    relayServers: ['s'.repeat(43)],
    nodeAddress: { host: '10.0.0.5', port: 8_443 },
    direct: ['stun:stun.example.com:3478', 'stun:[::1]'],
    trustedProxies: ['10.0.0.5', 'fd00::/8'],
    corsOrigins: ['https://a.example'],
    frameOrigins: ['https://tickets.example.com', 'https://other.example.com:8443'],
    bus: {
      addresses: ['nats://bus.example.com:4222', 'tls://user:secret@other.example.com'],
      credentials: '/srv/bus.creds',
      ca: '/srv/bus-ca.pem',
      cert: '/srv/bus.pem',
      key: '/srv/bus.key',
    },
    locationDatabase: '/srv/city.mmdb',
    downloads: '/srv/agents',
    agentsOnline: 100,
    connectionsPerAddress: 10,
    objectStorage: {
      endpoint: 'https://s3.example.com',
      bucket: 'bucket',
      prefix: '',
      region: 'us-east-1',
      keyId: 'id',
      secret: 'secret',
      encryption: undefined,
    },
    files: '/srv/shared/files',
    fileLimit: 1_048_576,
    recordings: '/srv/shared/recordings',
    recordingDays: 0,
    legacyApi: true,
    metricsListen: { host: '127.0.0.1', port: 9464 },
    otlp: undefined,
    logLevel: 'debug',
    ownerEmail: 'ann@example.com',
    mail: { smtpUrl: 'smtps://help:secret@mail.example.com', from: 'help@example.com' },
    invitationDays: 3,
    ssoLoopback: false,
    directoryLoopback: false,
    webhookLoopback: false,
    drainSeconds: 5,
    drainNoticeSeconds: 2,
  });
});

test('the file gives settings in TOML types, and the environment overrides it', async () => {
  const toml = `
    legacy_api = true
    drain_seconds = 5
    invitation_days = 2
    trusted_proxies = ["10.0.0.5", "::1"]
    cors_origins = []
    tls_cert = "a.pem"
    tls_key = "b.pem"`;

  const config = await configOf({ DRAWBRIDGE_DRAIN_SECONDS: '9', DRAWBRIDGE_INVITATION_DAYS: '' }, toml);

  assert.deepEqual([config.legacyApi, config.drainSeconds, config.invitationDays], [true, 9, 2]);
  assert.deepEqual([config.trustedProxies, config.corsOrigins], [['10.0.0.5', '::1'], []]);
  assert.deepEqual(config.tls, { cert: '/srv/a.pem', key: '/srv/b.pem' });
});

test('another file can be named, and then it must exist', async () => {
  const files = { '/etc/d.toml': 'log_level = "warn"', '/srv/drawbridge.toml': 'log_level = "error"' };

  assert.equal((await load({ DRAWBRIDGE_CONFIG: '/etc/d.toml' }, files)).config?.logLevel, 'warn');
  assert.deepEqual((await load({ DRAWBRIDGE_CONFIG: 'x.toml' }, files)).problems, [
    'DRAWBRIDGE_CONFIG must be the path of a settings file; x.toml does not exist.',
  ]);
});

test('a file that cannot be read or parsed is a problem and does not count as absent', async () => {
  const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
  const unreadable = await loadConfig({ env: {}, cwd: '/srv', readFile: () => Promise.reject(denied) });

  assert.deepEqual(unreadable.problems, ['drawbridge.toml could not be read (EACCES).']);
  assert.deepEqual(await problemsOf({}, 'listen = "a:1"\ndata = = 1'), [
    'drawbridge.toml is not valid TOML: line 2, invalid value.',
  ]);
});

test('an unknown setting is refused by name, with a suggestion for the one that was probably meant', async () => {
  assert.deepEqual(
    await problemsOf({ DRAWBRIDGE_LISTN: 'x', DRAWBRIDGE_COLOUR: 'x' }, 'tls-cert = "x"\nsize = 1\n[tls]'),
    [
      'DRAWBRIDGE_LISTN is not a setting; did you mean DRAWBRIDGE_LISTEN?',
      'DRAWBRIDGE_COLOUR is not a setting; see docs/settings.md for all settings.',
      'tls-cert in drawbridge.toml is not a setting; did you mean tls_cert?',
      'size in drawbridge.toml is not a setting; see docs/settings.md for all settings.',
      'tls in drawbridge.toml is not a setting; see docs/settings.md for all settings.',
    ],
  );
  assert.deepEqual(await problemsOf({}, 'DRAWBRIDGE_DATA = "x"'), [
    'DRAWBRIDGE_DATA in drawbridge.toml is not a setting; did you mean data?',
  ]);
});

test('the server ignores the variables of other programs', async () => {
  const names = ['API_KEY', 'SERVER', 'PROFILE', 'AGENT_TOKEN', 'TEST_POSTGRES'].map(
    (name) => `DRAWBRIDGE_${name}`,
  );

  await configOf({ ...Object.fromEntries(names.map((name) => [name, 'x'])), PATH: '/bin', DRAWBRIDGE: 'x' });
});

test('origins of frames are https origins of one host; the first that is not is named, unless it has a password', async () => {
  const accepts = 'https origins separated by commas, such as https://tickets.example.com';
  const problemOf = (list: string): Promise<string[]> => problemsOf({ DRAWBRIDGE_FRAME_ORIGINS: list });

  for (const wrong of [
    'http://a.example',
    'https://*.example.com',
    '*',
    'https://a.example/path',
    "https://a;script-src'",
  ])
    assert.deepEqual(await problemOf(`https://tickets.example.com, ${wrong}`), [
      `DRAWBRIDGE_FRAME_ORIGINS must be ${accepts}; ${JSON.stringify(wrong)} is not valid.`,
    ]);
  assert.deepEqual(await problemOf('https://me:canary@a.example'), [
    `DRAWBRIDGE_FRAME_ORIGINS must be ${accepts}.`,
  ]);
});

test('all invalid values are reported at once, each in a sentence with its name and what is accepted', async () => {
  const env = {
    DRAWBRIDGE_LISTEN: '8443',
    DRAWBRIDGE_PUBLIC_URL: 'http://help.example.com',
    DRAWBRIDGE_DATABASE: 'mysql://u:canary@db/main',
    DRAWBRIDGE_TRUSTED_PROXIES: 'proxy',
    DRAWBRIDGE_LOG_LEVEL: 'loud',
  };

  const problems = await problemsOf(env, 'drain_seconds = 1.5\nlegacy_api = "maybe"\ndata = { a = 1 }');

  assert.deepEqual(problems, [
    'DRAWBRIDGE_LISTEN must be host:port or [v6]:port, such as 127.0.0.1:8443.',
    'data in drawbridge.toml must be the path of a folder.',
    'DRAWBRIDGE_PUBLIC_URL must be an https address without a path, such as https://help.example.com.',
    'DRAWBRIDGE_DATABASE must be a postgres://… or postgresql://… address.',
    'DRAWBRIDGE_TRUSTED_PROXIES must be addresses or networks separated by commas, such as 10.0.0.5, fd00::/8; "proxy" is not valid.',
    'legacy_api in drawbridge.toml must be true or false.',
    'DRAWBRIDGE_LOG_LEVEL must be one of trace, debug, info, warn, error, silent.',
    'drain_seconds in drawbridge.toml must be a whole number from 0 to 600.',
  ]);
  assert.ok(
    !problems.join().includes('canary'),
    'an invalid value may contain a password and is not repeated',
  );
});

test('every setting of the wrong type is refused with what its manual accepts', async () => {
  for (const name of settingNames)
    for (const value of ['{ a = 1 }', '[1]', '[{ a = 1 }]', '1979-05-27'])
      assert.equal(
        (await problemsOf({}, `${name} = ${value}`))[0],
        `${name} in drawbridge.toml must be ${manualOf(name).accepts}.`,
      );
});

test('web pages of every origin, or over plain http, are allowed only with the older form of the API', async () => {
  const origins = { DRAWBRIDGE_CORS_ORIGINS: '*, http://intranet.example.com, https://tools.example.com' };
  assert.deepEqual(await problemsOf(origins), [
    'DRAWBRIDGE_CORS_ORIGINS must be https origins; * and http origins also need DRAWBRIDGE_LEGACY_API.',
  ]);
  assert.deepEqual((await configOf({ ...origins, DRAWBRIDGE_LEGACY_API: 'true' })).corsOrigins, [
    '*',
    'http://intranet.example.com',
    'https://tools.example.com',
  ]);
  for (const wrong of ['**', 'ftp://tools.example.com', 'http://tools.example.com/path', 'tools.example.com'])
    assert.deepEqual(await problemsOf({ DRAWBRIDGE_CORS_ORIGINS: wrong, DRAWBRIDGE_LEGACY_API: 'true' }), [
      `DRAWBRIDGE_CORS_ORIGINS must be https origins separated by commas, such as https://tools.example.com; "${wrong}" is not valid.`,
    ]);
});

test('a certificate needs its key and a key its certificate', async () => {
  assert.deepEqual(await problemsOf({ DRAWBRIDGE_TLS_CERT: 'a' }), [
    'DRAWBRIDGE_TLS_CERT also needs DRAWBRIDGE_TLS_KEY: set both or neither.',
  ]);
  assert.deepEqual(await problemsOf({}, 'tls_key = "a"'), [
    'tls_key in drawbridge.toml also needs DRAWBRIDGE_TLS_CERT: set both or neither.',
  ]);
});

test('a mail server needs a sender address, and a sender address needs a mail server', async () => {
  assert.deepEqual(await problemsOf({ DRAWBRIDGE_SMTP_URL: 'smtp://mail.example.com' }), [
    'DRAWBRIDGE_SMTP_URL also needs DRAWBRIDGE_MAIL_FROM: set both or neither.',
  ]);
  assert.deepEqual(await problemsOf({}, 'mail_from = "help@example.com"'), [
    'mail_from in drawbridge.toml also needs DRAWBRIDGE_SMTP_URL: set both or neither.',
  ]);
});

test('a bus needs PostgreSQL, and one user', async () => {
  const database = { DRAWBRIDGE_DATABASE: 'postgres://u:p@db/main' };
  assert.deepEqual(await problemsOf({ DRAWBRIDGE_BUS: 'nats://bus' }), [
    'DRAWBRIDGE_BUS also needs DRAWBRIDGE_DATABASE. Several servers need one PostgreSQL database.',
  ]);
  for (const same of ['nats://u:p@one,two', 'nats://u:p@one,nats://u:p@two', 'nats://one,nats://token@two'])
    assert.equal((await configOf({ ...database, DRAWBRIDGE_BUS: same })).bus?.addresses.length, 2);
  for (const several of [
    'nats://u:p@one,nats://v:p@two',
    'nats://u:p@one,nats://u:q@two',
    'nats://u:p@a,nats://u@b',
  ])
    assert.deepEqual(await problemsOf({ ...database, DRAWBRIDGE_BUS: several }), [
      'DRAWBRIDGE_BUS names several users: write one of them into one address, or the same into all, because the servers of one NATS share their users.',
    ]);
});

test('roles that cannot work are refused in one sentence', async () => {
  const cluster = { DRAWBRIDGE_DATABASE: 'postgres://u:p@db/main', DRAWBRIDGE_BUS: 'nats://bus' };
  for (const [roles, settings, problem] of [
    [
      'api,jobs',
      cluster,
      'has api without relay. A session is held by the process that opened it: add relay.',
    ],
    ['gateway', {}, 'leaves out roles that other servers must have. Several servers need DRAWBRIDGE_BUS.'],
    ['api,web', cluster, 'must be a list of api, gateway, relay and jobs; "web" is not valid.'],
  ] as const)
    assert.deepEqual(await problemsOf({ ...settings, DRAWBRIDGE_ROLES: roles }), [
      `DRAWBRIDGE_ROLES ${problem}`,
    ]);
  assert.deepEqual(await problemsOf(cluster, 'roles = []'), ['roles in drawbridge.toml names no role.']);
});

test('relays in other regions have different names, an address and a key each, and are at most eight', async () => {
  const key = 'k'.repeat(43);
  const entry = (name: string): string => `${name}=wss://${name}.example.com#${key}`;
  const many = Array.from({ length: 9 }, (_, index) => entry(`r${index}`));
  const accepts =
    'DRAWBRIDGE_RELAYS must be at most 8 relays with different names, such as oslo=wss://oslo.example.com#KEY';
  for (const [given, wrong] of [
    [entry('oslo').replace('wss', 'https'), entry('oslo').replace('wss', 'https')],
    [`oslo=wss://oslo.example.com#${key}k`, `oslo=wss://oslo.example.com#${key}k`],
    [`${entry('oslo')},oslo=wss://lima.example.com#${key}`, `oslo=wss://lima.example.com#${key}`],
    [many.join(','), many[8]],
  ])
    assert.deepEqual(await problemsOf({ DRAWBRIDGE_RELAYS: given! }), [
      `${accepts}; ${JSON.stringify(wrong)} is not valid.`,
    ]);
});

test('the metrics do not listen on the address of the server', async () => {
  assert.deepEqual(await problemsOf({ DRAWBRIDGE_METRICS_LISTEN: '127.0.0.1:8443' }), [
    'DRAWBRIDGE_METRICS_LISTEN must be a different address from DRAWBRIDGE_LISTEN.',
  ]);
  await configOf({ DRAWBRIDGE_METRICS_LISTEN: '127.0.0.1:0', DRAWBRIDGE_LISTEN: '127.0.0.1:0' });
});

test('links contain the port that the server listens on, unless a public URL is given', async () => {
  const anyPort = await configOf({ DRAWBRIDGE_LISTEN: '127.0.0.1:0' });
  const named = await configOf({
    DRAWBRIDGE_LISTEN: '127.0.0.1:0',
    DRAWBRIDGE_PUBLIC_URL: 'https://a.example',
  });

  assert.equal(withBoundPort(anyPort, 4711).publicUrl, 'https://localhost:4711');
  assert.deepEqual(withBoundPort(anyPort, 4711).listen, { host: '127.0.0.1', port: 4711 });
  assert.equal(withBoundPort(named, 4711).publicUrl, 'https://a.example');
});

test('the manual page of the settings is the one derived from the schema', async () => {
  const page = await readFile(new URL('../../../docs/settings.md', import.meta.url), 'utf8');

  assert.equal(page, settingsManual());
});

test('automatic certificates need agreement to the terms, names that authorities certify, and no other certificate', async () => {
  const agreed = { DRAWBRIDGE_ACME_DOMAINS: 'Help.example.com', DRAWBRIDGE_ACME_TERMS_AGREED: 'true' };

  assert.deepEqual((await configOf(agreed)).acme, {
    domains: ['help.example.com'],
    email: undefined,
    directory: 'https://acme-v02.api.letsencrypt.org/directory',
    ca: undefined,
    external: undefined,
    httpListen: undefined,
  });
  assert.deepEqual(
    (
      await configOf({
        ...agreed,
        DRAWBRIDGE_ACME_CA: 'ca.pem',
        DRAWBRIDGE_ACME_EXTERNAL_ACCOUNT: 'kid-1:c2VjcmV0LXNlY3JldC1zZWNyZXQ',
        DRAWBRIDGE_ACME_HTTP_LISTEN: '[::]:80',
      })
    ).acme,
    {
      domains: ['help.example.com'],
      email: undefined,
      directory: 'https://acme-v02.api.letsencrypt.org/directory',
      ca: '/srv/ca.pem',
      external: { keyId: 'kid-1', secret: 'c2VjcmV0LXNlY3JldC1zZWNyZXQ' },
      httpListen: { host: '::', port: 80 },
    },
  );
  for (const [given, problem] of [
    [{ DRAWBRIDGE_ACME_TERMS_AGREED: 'false' }, /also needs DRAWBRIDGE_ACME_TERMS_AGREED/],
    [{ DRAWBRIDGE_TLS_CERT: 'a.pem', DRAWBRIDGE_TLS_KEY: 'b.pem' }, /together with DRAWBRIDGE_TLS_CERT/],
    [{ DRAWBRIDGE_DATABASE: 'postgres://db/a', DRAWBRIDGE_BUS: 'nats://a' }, /alone on its database/],
    [{ DRAWBRIDGE_ACME_DOMAINS: '*.example.com' }, /must be names/],
    [{ DRAWBRIDGE_ACME_DOMAINS: '192.0.2.1' }, /must be names/],
    [{ DRAWBRIDGE_ACME_DOMAINS: 'localhost' }, /must be names/],
    [{ DRAWBRIDGE_ACME_DOMAINS: '', DRAWBRIDGE_ACME_EMAIL: 'a@b.example' }, /needs DRAWBRIDGE_ACME_DOMAINS/],
    [{ DRAWBRIDGE_ACME_DIRECTORY: 'http://ca.example.com/' }, /must be an https address/],
    [{ DRAWBRIDGE_ACME_EXTERNAL_ACCOUNT: 'secret' }, /must be KEY_ID:SECRET/],
  ] as const) {
    const problems = await problemsOf({ ...agreed, ...given });
    assert.match(problems.join('\n'), problem);
    assert.equal(problems.length, 1, problems.join('\n'));
  }
});

test('the collector has an address, and headers that only it gets', async () => {
  const given = { DRAWBRIDGE_OTLP_ENDPOINT: 'https://otel.example.com/base/' };

  assert.deepEqual(
    (
      await configOf({
        ...given,
        DRAWBRIDGE_OTLP_HEADERS: 'X-Key=a b=c, other=d',
        DRAWBRIDGE_OTLP_TRACE_PERCENT: '5',
      })
    ).otlp,
    { endpoint: 'https://otel.example.com/base', headers: { 'x-key': 'a b=c', other: 'd' }, tracePercent: 5 },
  );
  assert.deepEqual(await problemsOf({ ...given, DRAWBRIDGE_OTLP_HEADERS: 'secret' }), [
    'DRAWBRIDGE_OTLP_HEADERS must be name=value pairs separated by commas.',
  ]);
  assert.match((await problemsOf({ DRAWBRIDGE_OTLP_ENDPOINT: 'otel:4318' })).join(), /http or https address/);
  assert.match(
    (await problemsOf({ DRAWBRIDGE_OTLP_HEADERS: 'a=b' })).join(),
    /also needs DRAWBRIDGE_OTLP_ENDPOINT/,
  );
});

test('a server creates the key of stored secrets only where no other server needs the same', async () => {
  const DRAWBRIDGE_DATABASE = 'postgres://u:p@db/main';
  const DRAWBRIDGE_SECRETS_KEY_FILE = 'keys/one';
  const given = { file: '/srv/keys/one', isOwn: false };

  assert.equal((await configOf({ DRAWBRIDGE_DATABASE })).secretsKey, undefined);
  assert.deepEqual((await configOf({ DRAWBRIDGE_SECRETS_KEY_FILE })).secretsKey, given);
  const both = await configOf({ DRAWBRIDGE_DATABASE, DRAWBRIDGE_SECRETS_KEY_FILE });
  assert.deepEqual(both.secretsKey, given);
});
