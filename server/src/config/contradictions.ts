/** Settings that are valid alone but not together. */
import { variableOf } from './names.ts';
import type { SettingName, Settings } from './schema.ts';
import { rolesProblem } from './server-roles.ts';
import { isHttpsOrigin } from './values.ts';

/** A value and its name in the source it comes from. */
export interface GivenValue {
  value: unknown;
  label: string;
}

/** Settings that must be set together. */
const pairs = [
  ['tls_cert', 'tls_key'],
  ['smtp_url', 'mail_from'],
  ['bus_cert', 'bus_key'],
] as const;

/** Settings that mean nothing without another one. */
const needed = [
  ['bus', 'database', 'Several servers need one PostgreSQL database'],
  ['bus_credentials', 'bus', 'It is for NATS'],
  ['bus_ca', 'bus', 'It is for NATS'],
  ['bus_cert', 'bus', 'It is for NATS'],
  ['otlp_headers', 'otlp_endpoint', 'They are for the collector'],
  ['acme_email', 'acme_domains', 'It is for automatic certificates'],
  ['acme_ca', 'acme_domains', 'It is for automatic certificates'],
  ['acme_external_account', 'acme_domains', 'It is for automatic certificates'],
  ['acme_http_listen', 'acme_domains', 'It is for automatic certificates'],
] as const;

/** Finds settings that are valid alone but not together. */
export function contradictions(given: Map<SettingName, GivenValue>, settings: Partial<Settings>): string[] {
  const problems: string[] = [];
  for (const [one, other] of pairs) {
    const [first, second] = [given.get(one), given.get(other)];
    if (first && !second)
      problems.push(`${first.label} also needs ${variableOf(other)}: set both or neither.`);
    if (second && !first)
      problems.push(`${second.label} also needs ${variableOf(one)}: set both or neither.`);
  }
  for (const [one, other, why] of needed)
    if (given.has(one) && !given.has(other))
      problems.push(`${given.get(one)?.label} also needs ${variableOf(other)}. ${why}.`);
  const [main, metrics] = [settings.listen, settings.metrics_listen];
  if (metrics && metrics.port !== 0 && metrics.port === main?.port && metrics.host === main.host) {
    problems.push(
      `${given.get('metrics_listen')?.label} must be a different address from DRAWBRIDGE_LISTEN.`,
    );
  }
  problems.push(...acmeContradictions(given, settings), ...busContradictions(given, settings));
  const roleProblem = settings.roles && rolesProblem(settings.roles, given.has('bus'));
  if (roleProblem) problems.push(`${given.get('roles')?.label} ${roleProblem}.`);
  const openOrigins = (settings.cors_origins ?? []).filter((origin) => !isHttpsOrigin(origin));
  if (openOrigins.length > 0 && !settings.legacy_api)
    problems.push(
      `${given.get('cors_origins')?.label} must be https origins; * and http origins also need ${variableOf('legacy_api')}.`,
    );
  return problems;
}

/** NATS is given one user, whichever of its addresses answers. */
function busContradictions(given: Map<SettingName, GivenValue>, { bus = [] }: Partial<Settings>): string[] {
  const label = given.get('bus')?.label;
  const urls = bus.map((address) => new URL(address));
  const users = new Set(
    urls.filter(({ username }) => username !== '').map((url) => `${url.username}:${url.password}`),
  );
  if (users.size <= 1) return [];
  return [
    `${label} names several users: write one of them into one address, or the same into all, because the servers of one NATS share their users.`,
  ];
}

function acmeContradictions(given: Map<SettingName, GivenValue>, settings: Partial<Settings>): string[] {
  const label = given.get('acme_domains')?.label;
  if (!settings.acme_domains?.length) return [];
  return [
    ...(settings.acme_terms_agreed
      ? []
      : [
          `${label} also needs ${variableOf('acme_terms_agreed')}: read the terms of the authority, then set it to true.`,
        ]),
    ...(given.has('tls_cert')
      ? [`${label} cannot be used together with ${variableOf('tls_cert')}: set one of them.`]
      : []),
    ...(given.has('bus')
      ? [
          `${label} is for a server that is alone on its database: give several servers ${variableOf('tls_cert')}, or let a proxy present the certificate.`,
        ]
      : []),
  ];
}
