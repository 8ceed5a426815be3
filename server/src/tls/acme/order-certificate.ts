/** Orders a certificate: proves that the server holds each name, then sends the request and fetches the result. */
import { X509Certificate } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { pairProblem } from '../certificate.ts';
import type { KeyPair } from '../self-signed.ts';
import { parseJson, retryAfterMs, type AcmeAccount } from './acme-account.ts';
import { createChallengeCertificate, createRequest } from './acme-certificates.ts';
import type { Challenges } from './challenges.ts';
import { keyAuthorization } from './jws.ts';
import { renewalTime } from './renewal.ts';

export type ChallengeType = 'http-01' | 'tls-alpn-01';

interface OrderOptions {
  account: AcmeAccount;
  domains: readonly string[];
  type: ChallengeType;
  challenges: Challenges;
  signal: AbortSignal;
}

interface Problem {
  detail?: string;
}

interface Order {
  status: string;
  authorizations: string[];
  finalize: string;
  certificate?: string;
  error?: Problem;
}

interface Authorization {
  status: string;
  identifier: { value: string };
  challenges: { type: string; url: string; token: string; error?: Problem }[];
}

const firstPollMs = 200;
const mostPollMs = 10_000;
const orderTimeoutMs = 180_000;

export async function orderCertificate({ signal: stop, ...given }: OrderOptions): Promise<KeyPair> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(orderTimeoutMs)]);
  const options = { ...given, signal };
  const { account, domains } = options;
  const identifiers = domains.map((value) => ({ type: 'dns', value }));
  const placed = await account.post(account.newOrderUrl, { identifiers });
  const url = placed.headers.location;
  if (typeof url !== 'string') throw new Error('The authority did not name the order.');
  const order = parseJson(placed) as Order;
  for (const authorization of order.authorizations) await authorize(authorization, options);
  await poll<Order>(account, url, signal, ({ status }) => status !== 'pending');
  const { key, request } = await createRequest(domains);
  await account.post(order.finalize, { csr: request.toString('base64url') });
  const done = await poll<Order>(
    account,
    url,
    signal,
    ({ status }) => !['ready', 'processing'].includes(status),
  );
  if (done.status !== 'valid' || done.certificate === undefined)
    throw new Error(`The authority did not issue the certificate: ${done.error?.detail ?? done.status}.`);
  const { text: cert } = await account.post(done.certificate);
  checkIssued({ cert, key }, domains);
  return { cert, key };
}

async function authorize(url: string, options: OrderOptions): Promise<void> {
  const { account, type, signal } = options;
  const authorization = parseJson(await account.post(url)) as Authorization;
  if (authorization.status === 'valid') return;
  const challenge = authorization.challenges.find((each) => each.type === type);
  const name = authorization.identifier.value;
  if (!challenge) throw new Error(`The authority does not offer ${type} for ${name}.`);
  const close = await openChallenge(name, challenge.token, options);
  try {
    await account.post(challenge.url, {});
    const { status, challenges } = await poll<Authorization>(
      account,
      url,
      signal,
      (current) => current.status !== 'pending',
    );
    if (status === 'valid') return;
    const why = challenges.find((each) => each.type === type)?.error?.detail ?? status;
    throw new Error(`The authority could not check ${name} with ${type}: ${why.replace(/\.$/, '')}.`);
  } finally {
    close();
  }
}

async function openChallenge(
  name: string,
  token: string,
  { account, type, challenges }: OrderOptions,
): Promise<() => void> {
  const text = keyAuthorization(account.key, token);
  if (type === 'http-01') return challenges.openText(token, text);
  return challenges.openCertificate(name, await createChallengeCertificate(name, text));
}

async function poll<T>(
  account: AcmeAccount,
  url: string,
  signal: AbortSignal,
  isDone: (state: T) => boolean,
): Promise<T> {
  for (let ms = firstPollMs; ; ms = Math.min(ms * 2, mostPollMs)) {
    const reply = await account.post(url);
    const state = parseJson(reply) as T;
    if (isDone(state)) return state;
    await wait(Math.min(retryAfterMs(reply) ?? ms, mostPollMs), undefined, { signal });
  }
}

/** A certificate that cannot be used must not replace one that works. */
function checkIssued(pair: KeyPair, domains: readonly string[]): void {
  const problem = pairProblem(pair);
  if (problem !== undefined) throw new Error(`The authority sent another certificate. ${problem}`);
  const certificate = new X509Certificate(pair.cert);
  const missing = domains.find((name) => certificate.checkHost(name) === undefined);
  if (missing !== undefined) throw new Error(`The certificate that was issued is not valid for ${missing}.`);
  if (renewalTime(certificate) <= Date.now())
    throw new Error('The certificate that was issued would have to be renewed at once: check the clock.');
}
