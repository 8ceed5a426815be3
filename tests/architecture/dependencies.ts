/** The packages that production depends on: which workspace uses each, in which place, and why. ARCHITECTURE.md is derived from this. */

export interface Dependency {
  name: string;
  /** The workspaces whose package.json lists it. */
  workspaces: readonly string[];
  /** The only places that import it; absent where all code of its workspaces may. */
  places?: readonly string[];
  reason: string;
}

export const dependencies: readonly Dependency[] = [
  {
    name: 'zod',
    workspaces: ['contract', 'server'],
    reason: 'one schema gives the type, the parser and OpenAPI',
  },
  {
    name: 'kysely',
    workspaces: ['server'],
    places: ['server/src/store/'],
    reason: 'typed SQL, one text for both databases',
  },
  {
    name: 'better-sqlite3',
    workspaces: ['server'],
    places: ['server/src/store/'],
    reason: 'the embedded database',
  },
  { name: 'pg', workspaces: ['server'], places: ['server/src/store/'], reason: 'PostgreSQL' },
  {
    name: 'pino',
    workspaces: ['server'],
    places: ['server/src/edges/log.ts', 'server/src/edges/log-terminal.ts'],
    reason: 'the log',
  },
  {
    name: 'prom-client',
    workspaces: ['server'],
    places: ['server/src/edges/metrics.ts'],
    reason: 'metrics for Prometheus',
  },
  {
    name: 'smol-toml',
    workspaces: ['server'],
    places: ['server/src/config/'],
    reason: 'reads `drawbridge.toml`',
  },
  {
    name: 'ws',
    workspaces: ['agent', 'relay', 'server', 'session'],
    places: ['server/src/gateway/', 'agent/src/', 'relay/src/', 'session/src/node/'],
    reason: 'WebSockets; Node has only a client',
  },
  {
    name: '@nats-io/transport-node',
    workspaces: ['server'],
    places: ['server/src/bus/'],
    reason: 'the bus between server processes',
  },
  {
    name: '@ip-location-db/geo-whois-asn-country-mmdb',
    workspaces: ['server'],
    places: [],
    reason: 'the countries of addresses, as a file',
  },
  {
    name: '@peculiar/x509',
    workspaces: ['server'],
    places: ['server/src/tls/'],
    reason: 'creates certificates and requests for them; Node cannot',
  },
  {
    name: '@simplewebauthn/server',
    workspaces: ['server'],
    places: ['server/src/panel/sign-in/passkeys.ts'],
    reason: 'verifies passkeys: CBOR, COSE and a dozen checks in order',
  },
  {
    name: 'nodemailer',
    workspaces: ['server'],
    places: ['server/src/panel/sign-in/mail.ts'],
    reason: 'SMTP with its encryption and encodings',
  },
  {
    name: 'ldapts',
    workspaces: ['server'],
    places: ['server/src/edges/directory/'],
    reason: 'LDAP: its encoding, filters and paged searches',
  },
  {
    name: 's3mini',
    workspaces: ['server'],
    places: ['server/src/store/blobs/object-bucket.ts'],
    reason: 'S3: signed requests and its XML',
  },
  {
    name: 'openid-client',
    workspaces: ['server'],
    places: ['server/src/edges/sso/'],
    reason: 'OpenID Connect: the authorization code flow and the checks of its answers',
  },
  {
    name: 'jose',
    workspaces: ['server'],
    places: ['server/src/edges/sso/logout-token.ts'],
    reason: 'verifies logout tokens, which openid-client does not; it is a part of openid-client',
  },
  {
    name: 'swagger-ui-dist',
    workspaces: ['server'],
    places: [],
    reason: 'the reference at `/docs`, from local files',
  },
  {
    name: 'esbuild',
    workspaces: ['server'],
    places: [],
    reason: 'builds programs, pages and the agent at the first start',
  },
  {
    name: 'resedit',
    workspaces: ['server'],
    places: [],
    reason: 'writes name, version and icon into the agent for Windows, on any system',
  },
  {
    name: 'node-datachannel',
    workspaces: ['session'],
    places: ['session/src/node/direct-peer.ts'],
    reason: 'WebRTC data channels on the device',
  },
  {
    name: 'systeminformation',
    workspaces: ['agent'],
    places: ['agent/src/platform/'],
    reason: 'facts about the hardware',
  },
  {
    name: 'x11',
    workspaces: ['agent'],
    places: ['agent/src/platform/linux/x11/'],
    reason: 'the X11 protocol',
  },
  {
    name: 'dbus-native',
    workspaces: ['agent'],
    places: ['agent/src/platform/linux/wayland/dbus/'],
    reason: 'the D-Bus protocol',
  },
  {
    name: 'koffi',
    workspaces: ['agent'],
    places: ['agent/src/platform/native.ts'],
    reason: 'calls libraries of the system without a compiler: shared memory, libvpx, libyuv, libopus',
  },
  {
    name: '@julusian/jpeg-turbo',
    workspaces: ['agent'],
    places: ['agent/src/platform/native.ts'],
    reason: 'JPEG at the speed of libjpeg-turbo',
  },
  {
    name: '@lydell/node-pty',
    workspaces: ['agent'],
    places: ['agent/src/platform/linux/shell.ts'],
    reason: 'pseudo-terminals, with prebuilt binaries',
  },
  { name: 'preact', workspaces: ['web'], reason: 'the components of the panel, in 5 kB' },
  { name: '@preact/signals', workspaces: ['web'], reason: 'state that components follow' },
  { name: '@simplewebauthn/browser', workspaces: ['web'], reason: 'passkeys in the browser' },
  { name: '@xterm/xterm', workspaces: ['web'], reason: 'the terminal' },
  { name: '@xterm/addon-fit', workspaces: ['web'], reason: 'fits the terminal to its panel' },
  {
    name: '@noble/hashes',
    workspaces: ['web'],
    reason:
      'SHA-256 of files in parts, for agents before version 4 of the session protocol; WebCrypto hashes only whole buffers',
  },
  { name: 'client-zip', workspaces: ['web'], reason: 'downloads of folders as a ZIP stream' },
  { name: 'lean-qr', workspaces: ['web'], reason: 'QR codes' },
];

/** What each workspace may depend on of the others. */
export const workspaces: Record<string, readonly string[]> = {
  contract: [],
  session: ['@drawbridge/contract'],
  sdk: [],
  cli: ['@drawbridge/client', '@drawbridge/contract'],
  agent: ['@drawbridge/contract', '@drawbridge/session'],
  relay: ['@drawbridge/contract'],
  web: ['@drawbridge/contract', '@drawbridge/session'],
  server: ['@drawbridge/contract', '@drawbridge/relay'],
};
