/** Keeps a certificate from an authority: orders the first, renews it in time, and tries again later what fails. */
import { X509Certificate } from 'node:crypto';
import type { ServerCertificate } from '../certificate.ts';
import { openAcmeAccount, type AcmeAuthority } from './acme-account.ts';
import {
  loadAccountKey,
  readAttempt,
  readIssued,
  writeAttempt,
  writeIssued,
  type AcmeAttempt,
} from './acme-files.ts';
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
  onIssued(certificate: ServerCertificate): void;
  /** The certificate before stays in use. */
  onFailed(attempt: AcmeAttempt): void;
}

/** Timers cannot be longer than about 24 days, and the clock of the machine may be set meanwhile. */
const longestWaitMs = 3_600_000;

/** Returns the function that stops it. */
export function keepCertificate(options: KeepOptions): () => Promise<void> {
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void>;
  const begin = (isStart: boolean): void => void (running = run(isStart));
  const run = async (isStart: boolean): Promise<void> => {
    const folderProblem = (): number => longestWaitMs; // it cannot be written now
    const waitMs = await round(options, stopped.signal, isStart).catch(folderProblem);
    if (!stopped.signal.aborted) timer = setTimeout(begin, waitMs, false).unref();
  };
  begin(true);
  return async () => {
    stopped.abort();
    clearTimeout(timer);
    await running;
  };
}

/** Orders what is due. Returns how long to wait until the next round. */
async function round(options: KeepOptions, signal: AbortSignal, isStart: boolean): Promise<number> {
  if ((await dueAt(options, isStart)) <= Date.now()) await attempt(options, signal);
  const waitMs = (await dueAt(options, false)) - Date.now();
  return Math.max(0, Math.min(waitMs, longestWaitMs));
}

/** When the next order is due, in milliseconds since 1970. */
async function dueAt(
  { folder, domains, authority: { directory } }: KeepOptions,
  isStart: boolean,
): Promise<number> {
  const [issued, last] = await Promise.all([readIssued(folder), readAttempt(folder)]);
  // Other names, or another authority, do not wait for what failed before.
  if (last?.directory !== directory || String(last.domains) !== String(domains)) return 0;
  if (last.failures > 0) return isStart ? last.restartAt : last.retryAt;
  return issued ? renewalTime(new X509Certificate(issued.cert)) : 0;
}

async function attempt(options: KeepOptions, signal: AbortSignal): Promise<void> {
  const { authority, folder, domains, onIssued, onFailed } = options;
  const { directory } = authority;
  try {
    const account = await openAcmeAccount(authority, await loadAccountKey(folder), signal);
    const issued = await writeIssued(folder, await orderCertificate({ ...options, account, signal }));
    await writeAttempt(folder, { directory, domains, failures: 0, retryAt: 0, restartAt: 0, error: '' });
    onIssued(issued);
  } catch (error) {
    if (signal.aborted) return;
    const failed = await failedAttempt(options, error);
    onFailed(failed);
    await writeAttempt(folder, failed);
  }
}

async function failedAttempt(
  { authority, folder, domains }: KeepOptions,
  error: unknown,
): Promise<AcmeAttempt> {
  const failures = ((await readAttempt(folder))?.failures ?? 0) + 1;
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
