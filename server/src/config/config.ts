/** Loads the settings of the server from the environment and drawbridge.toml: one Config, or all problems at once. */
import { readFile as readFromDisk } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ObjectStorageAddress } from '../domain/object-storage.ts';
import { acmeOf, type AcmeConfig } from './acme-settings.ts';
import { busOf, type BusConfig } from './bus-config.ts';
import { contradictions, type GivenValue } from './contradictions.ts';
import { readSettingsFile } from './file.ts';
import type { ReadFile, SettingsFile } from './file.ts';
import { isForeign, isSettingName, nearestSetting, prefix, variableOf } from './names.ts';
import { schema, settingNames } from './schema.ts';
import type { SettingName, Settings } from './schema.ts';
import { relaysOf, type RelayConfig } from './relay-settings.ts';
import { secretsKeyOf, type SecretsKeyConfig } from './secrets-settings.ts';
import { toServerRoles, type ServerRole } from './server-roles.ts';
import { otlpOf, type OtlpConfig } from './telemetry-settings.ts';
import type { HostPort } from './values.ts';

export { settingsManual } from './manual.ts';

export interface Config extends RelayConfig {
  listen: HostPort;
  /** Absolute path of the data folder. */
  data: string;
  /** Origin of every link, without a trailing slash. */
  publicUrl: string;
  /** What this process does. */
  roles: readonly ServerRole[];
  /** URL of a PostgreSQL database; undefined for SQLite in the data folder. It contains a password: never log it. */
  database: string | undefined;
  databasePool: number;
  /** Undefined where the secrets of other systems are stored in clear. */
  secretsKey: SecretsKeyConfig | undefined;
  /** How NATS is reached; undefined for a bus inside this process. The addresses may contain a password: never log them. */
  bus: BusConfig | undefined;
  /** Absolute paths; undefined when the server creates its own certificate. */
  tls: { cert: string; key: string } | undefined;
  /** How the server obtains its certificate from an authority; undefined where it does not. */
  acme: AcmeConfig | undefined;
  /** Absolute path of the certificate that a proxy presents; undefined without a proxy, or when a public authority issued it. */
  publicCert: string | undefined;
  /** The URL that devices should use from now on. */
  agentsMoveTo: string | undefined;
  /** Where other servers on the database reach this one; undefined to find out. */
  nodeAddress: HostPort | undefined;
  /** STUN servers of direct connections between operators and devices; undefined where these are switched off. */
  direct: readonly string[] | undefined;
  /** Addresses and networks such as 10.0.0.0/8. */
  trustedProxies: readonly string[];
  corsOrigins: readonly string[];
  /** Origins of the sites that may show public pages in a frame. */
  frameOrigins: readonly string[];
  /** The file of the location database, or `none`; undefined for the bundled one. */
  locationDatabase: string | undefined;
  /** The folder with the agent's files; undefined for the one beside the program. */
  downloads: string | undefined;
  agentsOnline: number;
  connectionsPerAddress: number;
  /** Where attached files and recordings are; undefined for the folders. It contains a secret: never log it. */
  objectStorage: ObjectStorageAddress | undefined;
  /** Absolute path of the folder for attached files. */
  files: string;
  /** The maximum size of an attached file, in bytes. */
  fileLimit: number;
  /** Absolute path of the folder for recordings. */
  recordings: string;
  /** 0 keeps recordings forever. */
  recordingDays: number;
  legacyApi: boolean;
  metricsListen: HostPort | undefined;
  /** Where traces and metrics are sent; undefined where they are not. */
  otlp: OtlpConfig | undefined;
  logLevel: NonNullable<Settings['log_level']>;
  ownerEmail: string;
  /** How e-mails are sent; undefined where there is no mail server. The URL contains a password: never log it. */
  mail: { smtpUrl: string; from: string } | undefined;
  invitationDays: number;
  /** Whether identity providers may have a loopback address. */
  ssoLoopback: boolean;
  /** Whether LDAP directories may have a loopback address. */
  directoryLoopback: boolean;
  /** Whether webhooks may have a loopback address. */
  webhookLoopback: boolean;
  drainSeconds: number;
  drainNoticeSeconds: number;
}

export type LoadedConfig = { config: Config; problems?: never } | { problems: string[]; config?: never };

interface Sources {
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  readFile?: ReadFile;
}

/** Reads all settings. The environment overrides the file, and an empty variable counts as absent. */
export async function loadConfig({
  env = process.env,
  cwd = process.cwd(),
  readFile = (path) => readFromDisk(path, 'utf8'),
}: Sources = {}): Promise<LoadedConfig> {
  const file = await readSettingsFile(env['DRAWBRIDGE_CONFIG'] || undefined, cwd, readFile);
  const fromFile = 'problem' in file ? undefined : file;
  const given = gatherValues(env, fromFile);
  const { settings, problems } = checkValues(given);
  const all = [
    ...('problem' in file ? [file.problem] : []),
    ...unknownNames(env, fromFile),
    ...problems,
    ...contradictions(given, settings),
  ];
  return all.length > 0 ? { problems: all } : { config: toConfig(settings, cwd) };
}

/** The settings with the port that the listener got for port 0. The default public URL contains it. */
export function withBoundPort(config: Config, port: number): Config {
  const publicUrl = isDefaultPublicUrl(config) ? defaultPublicUrl(port) : config.publicUrl;
  return { ...config, publicUrl, listen: { ...config.listen, port } };
}

/** Whether the public URL is the one of a server to which nobody has given one. */
export const isDefaultPublicUrl = ({ publicUrl, listen }: Pick<Config, 'publicUrl' | 'listen'>): boolean =>
  publicUrl === defaultPublicUrl(listen.port);

/** Which certificate devices see: that of the server, or that of a proxy in front of it. */
export const certificateSource = ({ tls, acme, trustedProxies, publicCert }: Config) => ({
  given: tls !== undefined || acme !== undefined,
  proxied: trustedProxies.length > 0,
  publicCert,
});

function gatherValues(
  env: NonNullable<Sources['env']>,
  file: SettingsFile | undefined,
): Map<SettingName, GivenValue> {
  const given = new Map<SettingName, GivenValue>();
  for (const name of settingNames) {
    const variable = variableOf(name);
    const inFile = file !== undefined && Object.hasOwn(file.values, name);
    if (env[variable]) given.set(name, { value: env[variable], label: variable });
    else if (inFile) given.set(name, { value: file.values[name], label: `${name} in ${file.name}` });
  }
  return given;
}

function checkValues(given: Map<SettingName, GivenValue>): {
  settings: Partial<Settings>;
  problems: string[];
} {
  const settings: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const name of settingNames) {
    const source = given.get(name);
    const result = schema.shape[name].safeParse(source?.value);
    if (result.success) settings[name] = result.data;
    else problems.push(`${source?.label ?? name} ${result.error.issues[0]?.message}.`);
  }
  return { settings, problems };
}

function unknownNames(env: NonNullable<Sources['env']>, file: SettingsFile | undefined): string[] {
  const variables = Object.keys(env)
    .filter((variable) => variable.startsWith(prefix) && !isForeign(variable) && !isKnownVariable(variable))
    .map((variable) => unknownSettingText(variable, nearestSetting(variable), variableOf));
  const keys = Object.keys(file?.values ?? {})
    .filter((key) => !isSettingName(key))
    .map((key) => unknownSettingText(`${key} in ${file?.name}`, nearestSetting(key), (name) => name));
  return [...variables, ...keys];
}

function isKnownVariable(variable: string): boolean {
  return settingNames.some((name) => variableOf(name) === variable);
}

function unknownSettingText(
  label: string,
  meant: SettingName | undefined,
  spell: (name: SettingName) => string,
): string {
  const hint =
    meant === undefined ? 'see docs/settings.md for all settings' : `did you mean ${spell(meant)}?`;
  return `${label} is not a setting; ${hint}${hint.endsWith('?') ? '' : '.'}`;
}

function toConfig(settings: Partial<Settings>, cwd: string): Config {
  const [listen, data] = [required(settings.listen), resolve(cwd, required(settings.data))];
  const { tls_cert: cert, tls_key: key, smtp_url: smtpUrl, mail_from: from } = settings;
  return {
    listen,
    data,
    publicUrl: settings.public_url ?? defaultPublicUrl(listen.port),
    roles: toServerRoles(required(settings.roles)),
    database: settings.database,
    databasePool: required(settings.database_pool),
    secretsKey: secretsKeyOf(settings, cwd, data),
    bus: busOf(settings, cwd),
    tls: cert && key ? { cert: resolve(cwd, cert), key: resolve(cwd, key) } : undefined,
    acme: acmeOf(settings, cwd),
    publicCert: settings.public_cert && resolve(cwd, settings.public_cert),
    agentsMoveTo: settings.agents_move_to,
    ...relaysOf(settings),
    nodeAddress: settings.node_address,
    direct: required(settings.direct) ? (settings.stun_servers ?? []) : undefined,
    trustedProxies: settings.trusted_proxies ?? [],
    corsOrigins: settings.cors_origins ?? [],
    frameOrigins: settings.frame_origins ?? [],
    locationDatabase: locationDatabaseOf(settings, cwd),
    downloads: settings.downloads && resolve(cwd, settings.downloads),
    agentsOnline: required(settings.agents_online),
    connectionsPerAddress: required(settings.connections_per_address),
    ...storageOf(settings, cwd, data),
    legacyApi: required(settings.legacy_api),
    metricsListen: settings.metrics_listen,
    otlp: otlpOf(settings),
    logLevel: required(settings.log_level),
    ownerEmail: required(settings.owner_email),
    mail: smtpUrl && from ? { smtpUrl, from } : undefined,
    invitationDays: required(settings.invitation_days),
    ssoLoopback: required(settings.sso_loopback),
    directoryLoopback: required(settings.directory_loopback),
    webhookLoopback: required(settings.webhook_loopback),
    ...drainTimesOf(settings),
  };
}

const drainTimesOf = (settings: Partial<Settings>) => ({
  drainSeconds: required(settings.drain_seconds),
  drainNoticeSeconds: required(settings.drain_notice_seconds),
});

const storageOf = (settings: Partial<Settings>, cwd: string, data: string) => ({
  objectStorage: settings.object_storage,
  files: settings.files ? resolve(cwd, settings.files) : join(data, 'files'),
  fileLimit: required(settings.file_limit_mb) * 1_048_576,
  recordings: settings.recordings ? resolve(cwd, settings.recordings) : join(data, 'recordings'),
  recordingDays: required(settings.recording_days),
});

const locationDatabaseOf = ({ location_database: path }: Partial<Settings>, cwd: string) =>
  path === 'none' ? path : path && resolve(cwd, path);

/** For settings that have a default. */
function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a setting with a default has no value');
  return value;
}

function defaultPublicUrl(port: number): string {
  return new URL(`https://localhost:${port}`).origin;
}
