/** Every setting of the server: what it accepts, its default and its meaning. The manual and the error messages are derived from this. */
import * as z from 'zod';
import { listOf, oneOf, setting, toPath, wholeNumber, type SettingManual } from './setting.ts';
import { acmeSettings } from './acme-settings.ts';
import { relaySettings } from './relay-settings.ts';
import { secretsSettings } from './secrets-settings.ts';
import { serverRoles } from './server-roles.ts';
import { storageSettings } from './storage-settings.ts';
import { telemetrySettings } from './telemetry-settings.ts';
import {
  toHostPort,
  toBoolean,
  toCorsOrigin,
  toEmail,
  toFrameOrigin,
  toHttpsOrigin,
  toNatsUrls,
  toNetwork,
  toPostgresUrl,
  toSmtpUrl,
  toStunServer,
} from './values.ts';

/** From the most verbose to none. */
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

const onOrOff = (says: string, byDefault: 'true' | 'false') =>
  setting(toBoolean, { says, accepts: 'true or false', default: byDefault });

export const schema = z.object({
  listen: setting(toHostPort, {
    says: 'Address and port of the HTTPS listener. Port 0 selects any free port.',
    accepts: 'host:port or [v6]:port, such as 127.0.0.1:8443',
    default: '127.0.0.1:8443',
  }),
  data: setting(toPath, {
    says: 'Folder for the database, certificates and files, created at the first start.',
    accepts: 'the path of a folder',
    default: './data',
  }),
  public_url: setting(toHttpsOrigin, {
    says: 'Address at which people and devices reach this server. Every link begins with it.',
    accepts: 'an https address without a path, such as https://help.example.com',
    default: '',
    absent: 'https://localhost and the port of `listen`',
  }),
  roles: setting(listOf(oneOf(serverRoles)), {
    says: 'What this process does: `api` answers requests and holds sessions, `gateway` holds the connections of devices and clients, `relay` accepts the connections of sessions, `jobs` works in the background. `drawbridge start --roles` overrides it.',
    accepts: 'a list of api, gateway, relay and jobs',
    default: serverRoles.join(','),
  }),
  database: setting(toPostgresUrl, {
    says: 'A PostgreSQL database to use instead of SQLite in the data folder. The address may name several hosts, separated by commas: the server uses the one that can be written to.',
    accepts: 'a postgres://… or postgresql://… address',
    default: '',
    absent: 'SQLite in the data folder',
    secret: true,
  }),
  database_pool: setting(wholeNumber(1, 1_000), {
    says: 'Maximum number of connections to PostgreSQL at once, besides one that watches it.',
    accepts: 'a whole number from 1 to 1000',
    default: '10',
  }),
  ...secretsSettings,
  bus: setting(toNatsUrls, {
    says: 'Addresses of the NATS servers through which several servers on one PostgreSQL reach each other.',
    accepts: 'a list of nats://… or tls://… addresses, which may contain user:password@ or token@',
    default: '',
    absent: 'within this process only',
    secret: true,
  }),
  bus_credentials: setting(toPath, {
    says: 'File with the credentials of the user of NATS (JWT and seed).',
    accepts: 'the path of a file',
    default: '',
    absent: 'none, or those in the address',
  }),
  bus_ca: setting(toPath, {
    says: 'Certificates of the authority that signed the certificate of NATS, in PEM.',
    accepts: 'the path of a file',
    default: '',
    absent: 'the authorities that Node knows',
  }),
  bus_cert: setting(toPath, {
    says: 'Certificate that the server presents to NATS, in PEM.',
    accepts: 'the path of a file',
    default: '',
    absent: 'none',
  }),
  bus_key: setting(toPath, {
    says: 'Private key of `bus_cert`, in PEM.',
    accepts: 'the path of a file',
    default: '',
    absent: 'none',
  }),
  tls_cert: setting(toPath, {
    says: 'Certificate chain in PEM. The server reads it again when it changes.',
    accepts: 'the path of a file',
    default: '',
    absent: 'the server creates its own',
  }),
  tls_key: setting(toPath, {
    says: 'Private key of `tls_cert`, in PEM.',
    accepts: 'the path of a file',
    default: '',
    absent: 'the server creates its own',
  }),
  public_cert: setting(toPath, {
    says: 'Certificate in PEM that a proxy presents at `public_url`. Set it if devices do not trust that certificate already. Tokens then contain its fingerprint.',
    accepts: 'the path of a file',
    default: '',
    absent: 'with `trusted_proxies`, a publicly trusted certificate; otherwise that of the server',
  }),
  ...acmeSettings,
  node_address: setting(toHostPort, {
    says: 'Address at which the other servers on the database reach this one, to pass on connections of sessions.',
    accepts: 'host:port or [v6]:port, such as 10.0.0.5:8443',
    default: '',
    absent: 'that of `listen`, or the one from which the server reaches NATS or the database',
  }),
  ...relaySettings,
  sso_loopback: onOrOff('Identity providers (single sign-on) may have a loopback address.', 'false'),
  directory_loopback: onOrOff('LDAP directories may have a loopback address.', 'false'),
  webhook_loopback: onOrOff('Webhooks may have a loopback address.', 'false'),
  direct: onOrOff('Operators and devices try to connect directly, in addition to the relay.', 'true'),
  stun_servers: setting(listOf(toStunServer), {
    says: 'STUN servers that tell both sides their public address, so that direct connections work through routers.',
    accepts: 'addresses separated by commas, such as stun:stun.example.com:3478',
    default: '',
    absent: 'direct connections only within one network or to public addresses',
  }),
  trusted_proxies: setting(listOf(toNetwork), {
    says: 'Proxies whose X-Forwarded-For and X-Forwarded-Proto headers are trusted.',
    accepts: 'addresses or networks separated by commas, such as 10.0.0.5, fd00::/8',
    default: '',
    absent: 'none',
  }),
  cors_origins: setting(listOf(toCorsOrigin), {
    says: 'Other origins whose web pages may call the API from a browser. `*` (every origin) and http origins need `DRAWBRIDGE_LEGACY_API`.',
    accepts: 'https origins separated by commas, such as https://tools.example.com',
    default: '',
    absent: 'none',
  }),
  frame_origins: setting(listOf(toFrameOrigin), {
    says: 'Other sites that may show operator pages, links to devices and invitation pages in a frame.',
    accepts: 'https origins separated by commas, such as https://tickets.example.com',
    default: '',
    absent: 'none: no site may show them in a frame',
  }),
  location_database: setting(toPath, {
    says: 'Database (MMDB) that maps IP addresses to places, such as GeoLite2 City. The server keeps the file open: replace it by renaming, then restart.',
    accepts: 'the path of a file, or none',
    default: '',
    absent: 'the bundled database, which knows countries',
  }),
  downloads: setting(toPath, {
    says: 'Folder with the agent files that are offered at /download/. `drawbridge storage copy` copies them into the object storage, for all servers.',
    accepts: 'the path of a folder',
    default: '',
    absent: 'dist/agent-files of this program, filled by `npm run build:agent`',
  }),
  agents_move_to: setting(toHttpsOrigin, {
    says: 'New address of this server for devices to use. A device switches to it once the address has proved to be the same server.',
    accepts: 'an https address without a path, such as https://help.example.com',
    default: '',
    absent: 'devices keep the address they joined with',
  }),
  agents_online: setting(wholeNumber(1, 1_000_000), {
    says: 'Maximum number of devices connected to this server at once. Each needs a file descriptor; see `ulimit -n`.',
    accepts: 'a whole number from 1 to 1000000',
    default: '50000',
  }),
  connections_per_address: setting(wholeNumber(1, 1_000_000), {
    says: 'Maximum number of connections from one address, or one IPv6 network (/64), at once. Authenticated devices and sessions do not count. One network can have an eighth as many downloads at once, and at most 256.',
    accepts: 'a whole number from 1 to 1000000',
    default: '2500',
  }),
  ...storageSettings,
  legacy_api: onOrOff(
    'Support scripts written for the older form of the API; see [below](#the-older-form-of-the-api).',
    'false',
  ),
  metrics_listen: setting(toHostPort, {
    says: 'Address and port where Prometheus reads /metrics over plain HTTP. Keep it private.',
    accepts: 'host:port or [v6]:port, such as 127.0.0.1:9464',
    default: '',
    absent: 'off',
  }),
  ...telemetrySettings,
  log_level: setting(oneOf(logLevels), {
    says: 'Lowest level of the log messages that are written. In a terminal, `debug` also shows every request.',
    accepts: `one of ${logLevels.join(', ')}`,
    default: 'info',
  }),
  owner_email: setting(toEmail, {
    says: 'E-mail address of the owner of the first account, which is created at the first start.',
    accepts: 'an e-mail address',
    default: 'owner@localhost',
  }),
  smtp_url: setting(toSmtpUrl, {
    says: 'Mail server that sends invitations, links to set a new password and notifications.',
    accepts: 'an smtp://… or smtps://… address, such as smtps://name:password@mail.example.com',
    default: '',
    absent: 'no mail: links are shown to the person who creates them',
    secret: true,
  }),
  mail_from: setting(toEmail, {
    says: 'Sender address of the mail from this server. Set it together with `smtp_url`.',
    accepts: 'an e-mail address',
    default: '',
    absent: 'no mail',
  }),
  invitation_days: setting(wholeNumber(1, 365), {
    says: 'Number of days after which an invitation that nobody joined is closed.',
    accepts: 'a whole number from 1 to 365',
    default: '7',
  }),
  drain_seconds: setting(wholeNumber(0, 600), {
    says: 'How many seconds after SIGTERM requests have to finish, and devices and sessions to move to other servers.',
    accepts: 'a whole number from 0 to 600',
    default: '25',
  }),
  drain_notice_seconds: setting(wholeNumber(0, 60), {
    says: 'For how many of these seconds `/readyz` fails while requests are still accepted, so that a load balancer notices first.',
    accepts: 'a whole number from 0 to 60',
    default: '0',
  }),
});

export type Settings = z.output<typeof schema>;
export type SettingName = keyof Settings;

export const settingNames = Object.keys(schema.shape) as SettingName[];

export const manualOf = (name: SettingName): SettingManual =>
  schema.shape[name].meta() as unknown as SettingManual;
