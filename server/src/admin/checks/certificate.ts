/** Checks that the certificate can be read, matches its key, is valid for long enough and for the public name. */
import { X509Certificate } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Finding } from '../../store/engine/database.ts';
import { acmeFilesIn, acmeFolderOf, readAttempt } from '../../tls/acme/acme-files.ts';
import { readCertificate } from '../../tls/read-certificate.ts';
import { errorText } from '../store-access.ts';
import { ok, problem, warning } from './finding.ts';

const name = 'certificate';
const day = 86_400_000;

/** The files that the server uses, from the settings, issued by an authority or created by itself. */
export function certificateFiles({ tls, acme, data }: Config): { cert: string; key: string } {
  const issued = acmeFilesIn(acmeFolderOf(data));
  if (acme && existsSync(issued.cert)) return issued;
  return tls ?? { cert: join(data, 'tls', 'cert.pem'), key: join(data, 'tls', 'key.pem') };
}

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
      ...(await automaticChecks(config, certificate, now)),
      daysLeft(certificate, now, renewalAdvice(config)),
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

/** The group may read it: a key of root is given to the server that way. */
function isKeyPrivate(key: string): Finding {
  const mode = statSync(key).mode & 0o777;
  return (mode & 0o037) === 0
    ? ok('private key', 'Only its owner and its group can read it.')
    : warning('private key', `Other users can read it (mode ${mode.toString(8)}): run chmod 640 ${key}`);
}

/** Whether the authority issued a certificate at the last attempt. A failure is a problem once there is little time left. */
async function automaticChecks(
  { acme, data }: Config,
  certificate: X509Certificate,
  now: number,
): Promise<Finding[]> {
  if (!acme) return [];
  const subject = 'automatic certificate';
  const host = new URL(acme.directory).host;
  const last = await readAttempt(acmeFolderOf(data));
  if (!last) return [warning(subject, `None was requested from ${host} yet: start the server.`)];
  if (last.failures === 0) return [ok(subject, `${host} issued it; the server renews it in time.`)];
  const next = new Date(last.retryAt).toISOString();
  const says = `${last.error} Failed attempts: ${last.failures}; the server tries again at ${next}.`;
  return [endsSoon(certificate, now) ? problem(subject, says) : warning(subject, says)];
}

/** Within a week, or a ninth of the life of a certificate that lives for less than 63 days. */
function endsSoon({ validFromDate, validToDate }: X509Certificate, now: number): boolean {
  const life = validToDate.getTime() - validFromDate.getTime();
  return validToDate.getTime() - now < Math.min(7 * day, life / 9);
}

function renewalAdvice({ tls, acme }: Config): string {
  if (acme) return 'the server renews it; if it does not, read its log';
  return tls ? 'replace it with a new one' : 'restart the server to create a new one';
}

/** Certificates of authorities may live for less than 30 days, so there the last third of the life counts. */
function daysLeft({ validFromDate, validToDate }: X509Certificate, now: number, renew: string): Finding {
  const days = Math.floor((validToDate.getTime() - now) / day);
  const lastThird = (validToDate.getTime() - validFromDate.getTime()) / 3;
  if (validFromDate.getTime() > now)
    return problem('validity', `It is not valid before ${validFromDate.toISOString()}: check the clock.`);
  if (days < 0) return problem('validity', `It expired on ${validToDate.toISOString()}: ${renew}.`);
  return validToDate.getTime() - now < Math.min(30 * day, lastThird)
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
