/** The certificate that the server presents, and what replaces it while the server runs: its files, or an authority. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Log } from '../edges/log.ts';
import type { Metrics } from '../edges/metrics.ts';
import { openChallengeListener } from '../http/connection/challenge-listener.ts';
import { chownToFolderOwner } from '../store/blobs/durable-files.ts';
import type { RenewalFailure } from '../panel/handler.ts';
import {
  acmeFilesIn,
  acmeFolderOf,
  readIssued,
  resumeAttempt,
  type AcmeAttempt,
} from '../tls/acme/acme-files.ts';
import type { Challenges } from '../tls/acme/challenges.ts';
import { keepCertificate } from '../tls/acme/keep-certificate.ts';
import { loadOrCreateCertificate, type ServerCertificate } from '../tls/certificate.ts';
import { readCertificate } from '../tls/read-certificate.ts';
import { watchCertificate } from '../tls/watch-certificate.ts';
import type { CloseStack } from './close-stack.ts';
import { listenOrRefuse, StartRefused } from './start-refused.ts';

/** What is known only once the port is open, or changes while the server runs. */
export interface LiveState {
  config: Config;
  certificate: ServerCertificate;
  /** The last attempt to get a certificate from an authority; here too because it cannot always be stored. */
  lastAttempt?: AcmeAttempt | undefined;
}

interface FollowDeps {
  live: LiveState;
  /** Presents it to new connections. */
  setCertificate(cert: string, key: string): void;
  /** Called when another certificate is presented. */
  onPresented?(): void;
  /** Called after each attempt to get one from an authority. A relay has no panel to tell. */
  onAttempt?(): void;
  /** Undefined without automatic certificates. */
  challenges: Challenges | undefined;
  metrics: Metrics;
  log: Log;
  closing: CloseStack;
}

/** Until an authority has issued the first certificate, the server presents its own. */
export async function openCertificate(config: Config): Promise<ServerCertificate> {
  if (config.tls) return readCertificate(config.tls);
  const issued = config.acme && (await readIssued(acmeFolderOf(config.data)));
  return issued ?? ownCertificate(config);
}

/** The names for which a self-signed certificate is valid in addition to the machine's own. */
const certificateNames = (config: Config): string[] => [
  hostname(),
  new URL(config.publicUrl).hostname,
  config.listen.host,
];

async function ownCertificate(config: Config): Promise<ServerCertificate> {
  const folder = join(config.data, 'tls');
  const certificate = await loadOrCreateCertificate(folder, certificateNames(config));
  const { created, certFile, keyFile } = certificate;
  if (created) for (const made of [folder, certFile, keyFile]) chownToFolderOwner(made);
  return certificate;
}

export async function followCertificate(deps: FollowDeps): Promise<void> {
  const { live, metrics, closing } = deps;
  metrics.setCertificateExpiry(live.certificate.notAfter);
  if (live.config.acme && deps.challenges) await followAuthority(deps, live.config.acme, deps.challenges);
  else closing.push(watchFiles(deps));
}

function present(
  { live, setCertificate, onPresented, metrics }: FollowDeps,
  certificate: ServerCertificate,
): void {
  setCertificate(certificate.cert, certificate.key);
  live.certificate = certificate;
  onPresented?.();
  metrics.setCertificateExpiry(certificate.notAfter);
}

function watchFiles(deps: FollowDeps): () => void {
  const { live, log } = deps;
  const { certFile, keyFile } = live.certificate;
  const watch = watchCertificate(certFile, keyFile, {
    onChange: (pair) => {
      const { validToDate } = new X509Certificate(pair.cert);
      present(deps, { ...live.certificate, ...pair, notAfter: validToDate });
      log.info('the certificate was reloaded');
    },
    onError: (error) =>
      log.error({ error: error.message }, 'the new certificate cannot be used; the old one stays in use'),
  });
  return () => watch.close();
}

async function followAuthority(
  deps: FollowDeps,
  acme: NonNullable<Config['acme']>,
  challenges: Challenges,
): Promise<void> {
  const { live, log, closing } = deps;
  const { domains, httpListen, ...authority } = acme;
  if (httpListen) {
    const options = { ...httpListen, textOf: challenges.textOf, publicUrl: () => live.config.publicUrl };
    const opened = await listenOrRefuse('acme_http_listen', options, openChallengeListener);
    closing.push(() => opened.close());
  }
  const folder = acmeFolderOf(live.config.data);
  live.lastAttempt = await resumeAttempt(folder);
  const stop = keepCertificate({
    authority: { ...authority, ca: await readAuthorities(authority.ca) },
    domains,
    type: httpListen ? 'http-01' : 'tls-alpn-01',
    folder,
    challenges,
    last: live.lastAttempt,
    onIssued: (certificate) => {
      present(deps, certificate);
      showAttempt(deps, undefined);
      log.info({ domains, until: certificate.notAfter }, 'the authority issued a new certificate');
    },
    onFailed: (attempt) => {
      const { error, failures, retryAt } = attempt;
      showAttempt(deps, attempt);
      log.error(
        { error, failures, retry: new Date(retryAt) },
        'no certificate could be obtained; the one before stays in use',
      );
    },
  });
  closing.push(stop);
}

function showAttempt({ live, metrics, onAttempt }: FollowDeps, failed: AcmeAttempt | undefined): void {
  live.lastAttempt = failed;
  metrics.setCertificateFailures(failed?.failures ?? 0);
  onAttempt?.();
}

/** For administrators of the server. Only one server can use automatic certificates, so this one knows. */
export function renewalFailureOf({
  config,
  certificate,
  lastAttempt,
}: LiveState): RenewalFailure | undefined {
  if (!lastAttempt || lastAttempt.failures === 0) return undefined;
  const { error, failures, retryAt } = lastAttempt;
  return {
    error,
    attempts: failures,
    issued: certificate.certFile === acmeFilesIn(acmeFolderOf(config.data)).cert,
    retry_time: Math.floor(retryAt / 1_000),
    expire_time: Math.floor(certificate.notAfter.getTime() / 1_000),
  };
}

async function readAuthorities(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new StartRefused(`DRAWBRIDGE_ACME_CA: ${file} cannot be read.`, { cause: error });
  }
}
