/** Checks that the certificate can be read, matches its key, is valid for long enough and for the public name. */
import { X509Certificate } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Finding } from '../../store/engine/database.ts';
import { readCertificate } from '../../tls/read-certificate.ts';
import { errorText } from '../store-access.ts';
import { ok, problem, warning } from './finding.ts';

const name = 'certificate';
const day = 86_400_000;

/** The files that the server uses, from the settings or created by itself. */
export const certificateFiles = ({ tls, data }: Config): { cert: string; key: string } =>
  tls ?? { cert: join(data, 'tls', 'cert.pem'), key: join(data, 'tls', 'key.pem') };

export async function certificateChecks(config: Config, now: number): Promise<Finding[]> {
  const files = certificateFiles(config);
  if (!config.tls && !existsSync(files.cert))
    return [
      ok(
        name,
        'There is none yet: drawbridge start creates one. To use your own, set DRAWBRIDGE_TLS_CERT and DRAWBRIDGE_TLS_KEY.',
      ),
    ];
  try {
    const { cert } = await readCertificate(files);
    const certificate = new X509Certificate(cert);
    return [
      ok(name, `${files.cert} and its key match.`),
      isKeyPrivate(files.key),
      daysLeft(certificate, now, config.tls !== undefined),
      namesOf(certificate, new URL(config.publicUrl).hostname),
    ];
  } catch (error) {
    return [
      problem(
        name,
        `${errorText(error)}: make both files readable for the user that runs the server, or choose other files.`,
      ),
    ];
  }
}

function isKeyPrivate(key: string): Finding {
  const mode = statSync(key).mode & 0o777;
  return (mode & 0o077) === 0
    ? ok('private key', 'Only its owner can read it.')
    : warning('private key', `Other users can read it (mode ${mode.toString(8)}): run chmod 600 ${key}`);
}

function daysLeft({ validFromDate, validToDate }: X509Certificate, now: number, given: boolean): Finding {
  const days = Math.floor((validToDate.getTime() - now) / day);
  const renew = given ? 'replace it with a new one' : 'restart the server to create a new one';
  if (validFromDate.getTime() > now)
    return problem('validity', `It is not valid before ${validFromDate.toISOString()}: check the clock.`);
  if (days < 0) return problem('validity', `It expired on ${validToDate.toISOString()}: ${renew}.`);
  return days < 30
    ? warning('validity', `It expires in ${days} days: ${renew}.`)
    : ok('validity', `It is valid for ${days} more days.`);
}

function namesOf(certificate: X509Certificate, hostname: string): Finding {
  const host = hostname.replace(/^\[|\]$/g, '');
  const covered = isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host);
  if (covered !== undefined)
    return ok('names', `It is valid for ${host}, the name in DRAWBRIDGE_PUBLIC_URL.`);
  const names = certificate.subjectAltName?.replaceAll(/DNS:|IP Address:/g, '') ?? 'no name';
  return warning(
    'names',
    `It is valid for ${names}, but not for ${host}, the name in DRAWBRIDGE_PUBLIC_URL: browsers will show a warning.`,
  );
}
