/** Keeps a certificate from an authority: orders the first, renews it in time, and tries again later what fails. */
import { X509Certificate } from 'node:crypto';
import type { ServerCertificate } from '../certificate.ts';
import { openAcmeAccount, type AcmeAuthority } from './acme-account.ts';
import { loadAccountKey, readIssued, writeAttempt, writeIssued, type AcmeAttempt } from './acme-files.ts';
import type { Challenges } from './challenges.ts';
import { orderCertificate, type ChallengeType } from './order-certificate.ts';
import { renewalTime, orderRetryDelay } from './renewal.ts';

export interface KeepOptions {
  authority: AcmeAuthority;
  domains: readonly string[];
  type: ChallengeType;
  /** Where all of it is kept. */
  folder: string;
  challenges: Challenges;
  /** The last attempt before the start, from `resumeAttempt`. */
  last: AcmeAttempt | undefined;
  onIssued(certificate: ServerCertificate): void;
  /** The certificate before stays in use. */
  onFailed(attempt: AcmeAttempt): void;
}

/** Timers cannot be longer than about 24 days, and the clock of the machine may be set meanwhile. */
const longestWaitMs = 3_600_000;

/** Returns the function that stops it. */
export function keepCertificate(options: KeepOptions): () => Promise<void> {
  const stopped = new AbortController();
  let { last } = options;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void>;
  const begin = (): void => void (running = run());
  const run = async (): Promise<void> => {
    if ((await dueAt(options, last)) <= Date.now()) last = await attempt(options, last, stopped.signal);
    const waitMs = (await dueAt(options, last)) - Date.now();
    if (stopped.signal.aborted) return;
    timer = setTimeout(begin, Math.max(0, Math.min(waitMs, longestWaitMs))).unref();
  };
  begin();
  return async () => {
    stopped.abort();
    clearTimeout(timer);
    await running;
  };
}

/** When the next order is due, in milliseconds since 1970. */
async function dueAt(
  { folder, domains, authority: { directory } }: KeepOptions,
  last: AcmeAttempt | undefined,
): Promise<number> {
  // Other names, or another authority, do not wait for what failed before.
  if (last?.directory !== directory || String(last.domains) !== String(domains)) return 0;
  if (last.failures > 0) return last.retryAt;
  const issued = await readIssued(folder);
  return issued ? renewalTime(new X509Certificate(issued.cert)) : 0;
}

/** Returns the last attempt from then on. */
async function attempt(
  options: KeepOptions,
  last: AcmeAttempt | undefined,
  signal: AbortSignal,
): Promise<AcmeAttempt | undefined> {
  const { authority, folder, domains, onIssued, onFailed } = options;
  const { directory } = authority;
  try {
    const account = await openAcmeAccount(authority, await loadAccountKey(folder), signal);
    const issued = await writeIssued(folder, await orderCertificate({ ...options, account, signal }));
    const done = { directory, domains, failures: 0, retryAt: 0, restartAt: 0, error: '' };
    await store(folder, done);
    onIssued(issued);
    return done;
  } catch (error) {
    if (signal.aborted) return last;
    const failed = failedAttempt(options, last, error);
    await store(folder, failed);
    onFailed(failed);
    return failed;
  }
}

/** While the folder cannot be written, for example on a full disk, only this process knows of the attempt. */
const store = (folder: string, made: AcmeAttempt): Promise<void> =>
  writeAttempt(folder, made).catch(() => {});

function failedAttempt(
  { authority, domains }: KeepOptions,
  last: AcmeAttempt | undefined,
  error: unknown,
): AcmeAttempt {
  const failures = (last?.failures ?? 0) + 1;
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const wantedMs = (cause as { retryAfterMs?: number } | undefined)?.retryAfterMs;
  const [retryAt, restartAt] = [failures, 1].map((count) => Date.now() + orderRetryDelay(count, wantedMs));
  return {
    directory: authority.directory,
    domains,
    failures,
    retryAt: retryAt!,
    restartAt: restartAt!,
    error: message,
  };
}
