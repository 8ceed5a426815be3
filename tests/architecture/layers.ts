/** The folders of the code: what each is for, what it may import and which packages it uses. ARCHITECTURE.md is derived from this. */

export interface Layer {
  /** Files and folders below this path, unless a longer path matches. */
  path: string;
  /** One sentence for ARCHITECTURE.md; absent where the layer is a part of the one before. */
  says?: string;
  /** Besides the layer itself. A path that ends in `/` covers everything below it; `node:` covers Node's own modules. */
  mayImport: readonly string[];
}

/** What the rest of the server knows of the store: its interface and its records. The SQL is behind it. */
const storeFace = [
  'store',
  'changes',
  'outages',
  'records',
  'people/account-records',
  'notifications/notification-records',
  'people/panel-records',
].map((file) => `server/src/store/${file}.ts`);

const edges = (...files: string[]): string[] => files.map((file) => `server/src/edges/${file}.ts`);

export const layers: readonly Layer[] = [
  {
    path: 'contract/src/',
    says: 'Everything that crosses a boundary: the tables of operations (`v1/`, `panel/`), uplink and session messages, faults, permissions, and what is derived from them.',
    mayImport: ['zod'],
  },
  {
    path: 'session/src/',
    says: 'The end-to-end encrypted channel between operator and device: handshake, sealing, order, permissions, reconnect, transports.',
    mayImport: ['contract/src/'],
  },
  {
    path: 'session/src/node/',
    mayImport: ['contract/src/', 'session/src/', 'ws', 'node-datachannel', 'node:'],
  },
  {
    path: 'sdk/src/',
    says: 'The typed client `@drawbridge/client`, without dependencies.',
    mayImport: [],
  },
  {
    path: 'cli/src/',
    says: 'The command line, derived from the table of operations.',
    mayImport: ['contract/src/', 'sdk/src/', 'cli/package.json', 'node:'],
  },
  {
    path: 'relay/src/',
    says: 'Pairs the two sockets of a session by ticket and forwards sealed frames. It has no store and no bus, so that it stays small enough to audit.',
    mayImport: ['contract/src/', 'ws', 'node:'],
  },
  {
    path: 'agent/src/',
    says: 'The program on the device: uplink, commands, sessions, screen, one folder per platform, and simulated devices.',
    mayImport: [
      'contract/src/',
      'session/src/',
      'ws',
      'systeminformation',
      'x11',
      'dbus-native',
      'koffi',
      '@julusian/jpeg-turbo',
      '@lydell/node-pty',
      'node:',
    ],
  },
  {
    path: 'web/src/',
    says: 'The pages in the browser: console of the operator, page of the client, player, control panel.',
    mayImport: [
      'contract/src/',
      'session/src/',
      '@noble/hashes',
      '@preact/signals',
      '@simplewebauthn/browser',
      '@xterm/addon-fit',
      '@xterm/xterm',
      'client-zip',
      'lean-qr',
      'preact',
    ],
  },
  {
    path: 'server/src/domain/',
    says: 'The rules. Pure functions without I/O, clock or randomness.',
    mayImport: ['contract/src/'],
  },
  {
    path: 'server/src/store/',
    says: 'What is stored. `store.ts` (reads), `changes.ts` and the records are its interface; the SQL is in folders by noun, the databases in `engine/`.',
    mayImport: ['contract/src/', 'server/src/domain/', 'kysely', 'better-sqlite3', 'pg', 's3mini', 'node:'],
  },
  {
    path: 'server/src/handlers/',
    says: 'One function per row of `contract/src/v1`.',
    mayImport: ['contract/src/', 'server/src/domain/', ...storeFace, 'server/src/gateway/devices/fleet.ts'],
  },
  {
    path: 'server/src/http/',
    says: 'From bytes to operations and back: connections, the dispatch of operations, content.',
    mayImport: [
      'contract/src/',
      'server/src/domain/',
      'server/src/handlers/',
      ...storeFace,
      ...edges('rate-limiter'),
      'zod',
      'node:',
    ],
  },
  {
    path: 'server/src/public-pages/',
    says: 'Pages that people open without a key: operator links, invitations, recordings, previews, downloads.',
    mayImport: [
      'contract/src/',
      'server/src/domain/',
      'server/src/handlers/handler.ts',
      'server/src/http/route.ts',
      ...['session-notes', 'session-opener', 'refusals', 'rights'].map(
        (file) => `server/src/sessions/${file}.ts`,
      ),
      ...storeFace,
      ...edges('guess-limiter', 'passwords', 'rate-limiter', 'version'),
      'zod',
      'node:',
    ],
  },
  {
    path: 'server/src/scim/',
    says: 'Provisioning by identity providers: the routes below `/scim/v2`.',
    mayImport: [
      'contract/src/',
      'server/src/domain/',
      'server/src/http/route.ts',
      ...['query', 'strict-json'].map((file) => `server/src/http/operations/${file}.ts`),
      ...storeFace,
      ...edges('rate-limiter'),
      'zod',
    ],
  },
  {
    path: 'server/src/panel/',
    says: 'The server side of the control panel: sign-in, live updates and the rows of `contract/src/panel`.',
    mayImport: [
      'contract/src/',
      'server/src/domain/',
      'server/src/bus/bus.ts',
      'server/src/http/route.ts',
      ...['agent-list', 'agent-view', 'agent-view-cache', 'handler', 'index'].map(
        (file) => `server/src/handlers/${file}.ts`,
      ),
      ...['auth-scheme', 'served-table'].map((file) => `server/src/http/operations/${file}.ts`),
      ...storeFace,
      ...edges('guess-limiter', 'log', 'passwords', 'random', 'rate-limiter'),
      '@simplewebauthn/server',
      'nodemailer',
      'node:',
    ],
  },
  {
    path: 'server/src/gateway/',
    says: 'The WebSockets of devices (`devices/`) and of clients of invitations (`lobby/`).',
    mayImport: [
      'contract/src/',
      'server/src/domain/',
      'relay/src/socket-server.ts',
      'server/src/bus/bus.ts',
      ...storeFace,
      ...edges('guess-limiter', 'keyed-queue', 'log', 'rate-limiter'),
      'ws',
      'node:',
    ],
  },
  {
    path: 'server/src/sessions/',
    says: 'Who may be in a session, the tickets and grants signed for it, and when it ends.',
    mayImport: [
      'contract/src/',
      'server/src/domain/',
      'server/src/bus/bus.ts',
      ...['devices/fleet', 'devices/identity', 'lobby/lobby-subjects'].map(
        (file) => `server/src/gateway/${file}.ts`,
      ),
      ...storeFace,
      ...edges('keyed-queue', 'log'),
      'node:crypto',
    ],
  },
  {
    path: 'server/src/bus/',
    says: 'Messages between server processes: in memory or over NATS.',
    mayImport: ['contract/src/', '@nats-io/transport-node', 'node:'],
  },
  {
    path: 'server/src/jobs/',
    says: 'Scheduled maintenance.',
    mayImport: ['contract/src/', 'server/src/domain/', ...storeFace],
  },
  {
    path: 'server/src/edges/',
    says: 'Log, metrics, randomness, passwords, limiters, location of addresses, version.',
    mayImport: [
      'contract/src/',
      'server/src/config/',
      'server/src/domain/',
      ...storeFace,
      'zod',
      'ldapts',
      'jose',
      'openid-client',
      'pino',
      'prom-client',
      'node:',
    ],
  },
  {
    path: 'server/src/config/',
    says: 'The settings.',
    mayImport: ['server/src/domain/', 'zod', 'smol-toml', 'node:'],
  },
  { path: 'server/src/tls/', says: 'The certificate.', mayImport: ['@peculiar/x509', 'node:'] },
  {
    path: 'server/src/admin/',
    says: 'Commands on the machine of the server: accounts, keys, plans, backup, doctor.',
    mayImport: ['contract/src/', 'relay/src/control/control-client.ts', 'server/src/', 'node:'],
  },
  {
    path: 'server/src/compose/',
    says: 'Builds the program from the other folders.',
    mayImport: ['contract/src/', 'relay/src/', 'server/src/', 'node:'],
  },
  {
    path: 'server/src/relay-main.ts',
    says: 'Starts a relay that runs alone.',
    mayImport: ['server/src/'],
  },
  {
    path: 'server/src/main.ts',
    says: 'Starts the server.',
    mayImport: ['contract/src/', 'server/src/', 'node:'],
  },
];
