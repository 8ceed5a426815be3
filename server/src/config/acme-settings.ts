/** The settings of automatic certificates (ACME). */
import { resolve } from 'node:path';
import { listOf, setting, toPath } from './setting.ts';
import { toBoolean, toEmail, toHostPort, type HostPort } from './values.ts';

/** How certificates are obtained. `external` contains a secret: never log it. */
export interface AcmeConfig {
  domains: readonly string[];
  email: string | undefined;
  directory: string;
  /** Absolute path of a file. */
  ca: string | undefined;
  external: ExternalAccountSetting | undefined;
  /** Where HTTP-01 challenges are answered; undefined for TLS-ALPN-01 on the server's own port. */
  httpListen: HostPort | undefined;
}

interface ExternalAccountSetting {
  keyId: string;
  secret: string;
}

/** A name that public authorities certify: no address, and no wildcard, which needs a challenge in the DNS. */
function toDomain(text: string): string | undefined {
  const name = text.toLowerCase();
  const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
  const isName = name.length <= 253 && new RegExp(`^${label}(?:\\.${label})+$`).test(name);
  return isName && !/^[\d.]+$/.test(name) ? name : undefined;
}

function toDirectory(text: string): string | undefined {
  if (!/^https:\/\/\S+$/.test(text) || !URL.canParse(text)) return undefined;
  const { username, password, hash } = new URL(text);
  return username === '' && password === '' && hash === '' ? text : undefined;
}

/** `KEY_ID:SECRET`, the secret in base64url. */
function toExternalAccount(text: string): ExternalAccountSetting | undefined {
  const [, keyId, secret] = /^([^\s:]+):([\w-]{16,})$/.exec(text) ?? [];
  return keyId !== undefined && secret !== undefined ? { keyId, secret } : undefined;
}

export const acmeSettings = {
  acme_domains: setting(listOf(toDomain), {
    says: 'Names for which the server obtains and renews its certificate itself (ACME). Needs `acme_terms_agreed`; see [Running a server](running.md#automatic-certificates).',
    accepts: 'names separated by commas, such as help.example.com',
    default: '',
    absent: 'no automatic certificate',
  }),
  acme_terms_agreed: setting(toBoolean, {
    says: 'You agree to the terms of service of the authority of `acme_directory`.',
    accepts: 'true or false',
    default: 'false',
  }),
  acme_email: setting(toEmail, {
    says: 'Address at which the authority can reach you about the certificate.',
    accepts: 'an e-mail address',
    default: '',
    absent: 'none',
  }),
  acme_directory: setting(toDirectory, {
    says: "Directory of the authority. To try settings, use Let's Encrypt's staging address, https://acme-staging-v02.api.letsencrypt.org/directory.",
    accepts: 'an https address',
    default: 'https://acme-v02.api.letsencrypt.org/directory',
  }),
  acme_ca: setting(toPath, {
    says: 'Certificates with which the server recognises an authority of your own, in PEM.',
    accepts: 'the path of a file',
    default: '',
    absent: 'the authorities that Node knows',
  }),
  acme_external_account: setting(toExternalAccount, {
    says: 'Account at an authority that requires one (external account binding).',
    accepts: 'KEY_ID:SECRET, with the secret in base64url',
    default: '',
    absent: 'none',
    secret: true,
  }),
  acme_http_listen: setting(toHostPort, {
    says: 'Address and port for the checks of the authority over plain HTTP (HTTP-01), which must be reachable at port 80. Other requests are redirected to `public_url`.',
    accepts: 'host:port or [v6]:port, such as 0.0.0.0:80',
    default: '',
    absent: 'checks at the port of `listen` (TLS-ALPN-01), which must be reachable at port 443',
  }),
};

interface GivenAcme {
  acme_domains?: string[] | undefined;
  acme_email?: string | undefined;
  acme_directory?: string | undefined;
  acme_ca?: string | undefined;
  acme_external_account?: ExternalAccountSetting | undefined;
  acme_http_listen?: HostPort | undefined;
}

export function acmeOf(settings: GivenAcme, cwd: string): AcmeConfig | undefined {
  const { acme_domains: domains = [], acme_directory: directory = '', acme_ca: ca } = settings;
  if (domains.length === 0) return undefined;
  return {
    domains,
    email: settings.acme_email,
    directory,
    ca: ca && resolve(cwd, ca),
    external: settings.acme_external_account,
    httpListen: settings.acme_http_listen,
  };
}
