/** Every setting of the server: what it accepts, its default and what it means. The manual and all refusals come from here. */
import { z } from 'zod';
import { listOf, oneOf, setting, toPath, whole, type Manual } from './setting.ts';
import {
  toAddress,
  toBoolean,
  toEmail,
  toHttpsOrigin,
  toNatsUrl,
  toNetwork,
  toPostgresUrl,
  toSmtpUrl,
  toStunServer,
  toWssOrigin,
} from './values.ts';

/** The levels a log line can have, from most talkative to none. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

export const schema = z.object({
  listen: setting(toAddress, {
    says: 'Address and port of the HTTPS listener. Port 0 takes any free one.',
    accepts: 'host:port or [v6]:port, such as 127.0.0.1:8443',
    default: '127.0.0.1:8443',
  }),
  data: setting(toPath, {
    says: 'Folder for the database, certificates and files, made on first start.',
    accepts: 'the path of a folder',
    default: './data',
  }),
  public_url: setting(toHttpsOrigin, {
    says: 'Where people and devices reach this server; every link begins with it.',
    accepts: 'an https address without a path, such as https://help.example.com',
    default: '',
    absent: 'https://localhost and the port of `listen`',
  }),
  database: setting(toPostgresUrl, {
    says: 'A PostgreSQL database to use instead of SQLite in the data folder.',
    accepts: 'a postgres://… or postgresql://… address',
    default: '',
    absent: 'SQLite in the data folder',
    secret: true,
  }),
  database_pool: setting(whole(1, 1_000), {
    says: 'The most connections to PostgreSQL at once.',
    accepts: 'a whole number from 1 to 1000',
    default: '10',
  }),
  bus: setting(toNatsUrl, {
    says: 'How several servers on one PostgreSQL reach each other: the address of a NATS server.',
    accepts: 'a nats://… or tls://… address',
    default: '',
    absent: 'inside this one process',
    secret: true,
  }),
  tls_cert: setting(toPath, {
    says: 'Certificate chain in PEM, read anew when it changes.',
    accepts: 'the path of a file',
    default: '',
    absent: 'the server makes its own',
  }),
  tls_key: setting(toPath, {
    says: 'Private key of `tls_cert`, in PEM.',
    accepts: 'the path of a file',
    default: '',
    absent: 'the server makes its own',
  }),
  public_cert: setting(toPath, {
    says: 'Certificate that a proxy shows at `public_url`, in PEM, where devices do not trust it by themselves. Tokens name it.',
    accepts: 'the path of a file',
    default: '',
    absent: 'with `trusted_proxies`, one that everybody trusts; else that of the server',
  }),
  relay_url: setting(toWssOrigin, {
    says: 'Where the relay of this very server is reached. Several servers behind one public address need one each.',
    accepts: 'a wss address without a path, such as wss://one.example.com',
    default: '',
    absent: 'at `public_url`',
  }),
  direct: setting(toBoolean, {
    says: 'Operators and devices look for a direct way to each other, beside the relay.',
    accepts: 'true or false',
    default: 'true',
  }),
  stun_servers: setting(listOf(toStunServer), {
    says: 'STUN servers that tell both sides their public address, so that direct ways lead through routers.',
    accepts: 'addresses apart by commas, such as stun:stun.example.com:3478',
    default: '',
    absent: 'direct ways within one network, or to public addresses',
  }),
  trusted_proxies: setting(listOf(toNetwork), {
    says: 'Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.',
    accepts: 'addresses or networks apart by commas, such as 10.0.0.5, fd00::/8',
    default: '',
    absent: 'none',
  }),
  cors_origins: setting(listOf(toHttpsOrigin), {
    says: 'Web pages of other origins that may call the API from a browser.',
    accepts: 'https origins apart by commas, such as https://tools.example.com',
    default: '',
    absent: 'none',
  }),
  location_database: setting(toPath, {
    says: 'Database (MMDB) that tells where addresses are, such as GeoLite2 City.',
    accepts: 'the path of a file, or none',
    default: '',
    absent: 'the one that comes along, which knows countries',
  }),
  downloads: setting(toPath, {
    says: 'Folder with the files of the agent that are offered at /download/.',
    accepts: 'the path of a folder',
    default: '',
    absent: 'dist/agent-files of this program, filled by `npm run build:agent`',
  }),
  agents_move_to: setting(toHttpsOrigin, {
    says: 'Another address of this server, for devices to use from now on. They go there once it has proved to be the same server.',
    accepts: 'an https address without a path, such as https://help.example.com',
    default: '',
    absent: 'devices stay with the address they joined by',
  }),
  agents_online: setting(whole(1, 1_000_000), {
    says: 'The most devices connected to this server at once. Each takes a file descriptor; see `ulimit -n`.',
    accepts: 'a whole number from 1 to 1000000',
    default: '50000',
  }),
  connections_per_address: setting(whole(1, 1_000_000), {
    says: 'The most connections from one address, or one IPv6 network (/64), at once. Devices that have proved who they are, and sessions, do not count. One network has an eighth as many downloads at once, and at most 256.',
    accepts: 'a whole number from 1 to 1000000',
    default: '2500',
  }),
  files: setting(toPath, {
    says: 'Folder for the files attached to devices. Several servers on one PostgreSQL must share it.',
    accepts: 'the path of a folder',
    default: '',
    absent: 'the folder `files` in the data folder',
  }),
  file_limit_mb: setting(whole(1, 10_000), {
    says: 'The largest file that can be attached to a device, in MB.',
    accepts: 'a whole number from 1 to 10000',
    default: '100',
  }),
  recordings: setting(toPath, {
    says: 'Folder for the recordings of sessions. Several servers on one PostgreSQL must share it.',
    accepts: 'the path of a folder',
    default: '',
    absent: 'the folder `recordings` in the data folder',
  }),
  recording_days: setting(whole(0, 36_500), {
    says: 'After how many days recordings are removed; 0 keeps them for ever.',
    accepts: 'a whole number from 0 to 36500',
    default: '90',
  }),
  legacy_api: setting(toBoolean, {
    says: 'Serve scripts written for the older API: `apikey=` in the query, and bare arrays in answers.',
    accepts: 'true or false',
    default: 'false',
  }),
  metrics_listen: setting(toAddress, {
    says: 'Address and port on which Prometheus reads /metrics, in plain HTTP: keep it private.',
    accepts: 'host:port or [v6]:port, such as 127.0.0.1:9464',
    default: '',
    absent: 'off',
  }),
  log_level: setting(oneOf(logLevels), {
    says: 'The least important log lines that are still written.',
    accepts: `one of ${logLevels.join(', ')}`,
    default: 'info',
  }),
  owner_email: setting(toEmail, {
    says: 'E-mail address of the owner of the first account, made on first start.',
    accepts: 'an e-mail address',
    default: 'owner@localhost',
  }),
  smtp_url: setting(toSmtpUrl, {
    says: 'The mail server that sends invitations and links for forgotten passwords.',
    accepts: 'an smtp://… or smtps://… address, such as smtps://name:password@mail.example.com',
    default: '',
    absent: 'no mail: links are shown to whoever makes them',
    secret: true,
  }),
  mail_from: setting(toEmail, {
    says: 'The address that mail of this server comes from. Goes with `smtp_url`.',
    accepts: 'an e-mail address',
    default: '',
    absent: 'no mail',
  }),
  invitation_days: setting(whole(1, 365), {
    says: 'After how many days an invitation that nobody joined is closed.',
    accepts: 'a whole number from 1 to 365',
    default: '7',
  }),
  drain_seconds: setting(whole(0, 600), {
    says: 'How long requests in progress may take to finish after SIGTERM.',
    accepts: 'a whole number from 0 to 600',
    default: '25',
  }),
});

export type Settings = z.output<typeof schema>;
export type SettingName = keyof Settings;

export const settingNames = Object.keys(schema.shape) as SettingName[];

export function manualOf(name: SettingName): Manual {
  return schema.shape[name].meta() as unknown as Manual;
}
