/** HTTPS requests to addresses that accounts set, of identity providers and webhooks: limited in time and size, without redirects, and never to this machine. */
import { lookup, type LookupAddress } from 'node:dns';
import { request, type RequestOptions } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { ProviderProblem } from '../../domain/people/provider.ts';

/** What one request may take. */
interface RequestLimits {
  ms: number;
  bytes: number;
}

export interface FetchDeps {
  limits: RequestLimits;
  /** Whether the receiver may run on the machine of the server. */
  allowLoopback: boolean;
}

/** Says in `message` what is wrong with the provider. */
const failure = (problem: ProviderProblem): Error => new Error(`provider: ${problem}`);

export const problemIn = (message: string): ProviderProblem | undefined =>
  /^provider: (\w+)$/.exec(message)?.[1] as ProviderProblem | undefined;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Addresses that no provider has: of this machine alone, of its network segment, and of many machines at once. */
const unusable = new BlockList();
unusable.addSubnet('0.0.0.0', 8, 'ipv4');
unusable.addSubnet('169.254.0.0', 16, 'ipv4');
unusable.addSubnet('224.0.0.0', 3, 'ipv4');
unusable.addAddress('::', 'ipv6');
unusable.addSubnet('fe80::', 10, 'ipv6');
unusable.addSubnet('ff00::', 8, 'ipv6');

/** Whether a connection to this address is refused. IPv4 addresses inside IPv6 ones count as what they are. */
export function isBlocked(address: string, allowLoopback: boolean): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return unusable.check(address, family) || (!allowLoopback && loopback.check(address, family));
}

/** Resolves a name to the addresses that may be used; the connection then goes to one of these, without another lookup. */
const guardedLookup =
  (allowLoopback: boolean): LookupFunction =>
  (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '');
      const addresses: LookupAddress[] = found.filter(({ address }) => !isBlocked(address, allowLoopback));
      const [first] = addresses;
      if (!first) return done(failure('address'), '');
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });

const certificateErrors = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|HOSTNAME/;

/** The same error, as one that says what is wrong with the provider. */
function toFailure(error: NodeJS.ErrnoException): Error {
  if (problemIn(error.message)) return error;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return failure('timeout');
  return failure(certificateErrors.test(error.code ?? '') ? 'certificate' : 'unreachable');
}

interface SentRequest {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
}

/** The library sends forms and text. */
const textOfBody = (body: unknown): string =>
  body instanceof URLSearchParams || typeof body === 'string' ? body.toString() : '';

/** A `fetch` for the library that trusts these certificates (PEM); those that Node knows if the text is empty. */
export const createBoundedFetch =
  (ca: string, { limits, allowLoopback }: FetchDeps) =>
  async (address: string, { method, headers, body }: SentRequest): Promise<Response> => {
    const url = new URL(address);
    if (url.protocol !== 'https:') throw failure('insecure_endpoint');
    const host = url.hostname.replaceAll(/^\[|\]$/g, '');
    // Node does not look up what is already an address.
    if (isIP(host) !== 0 && isBlocked(host, allowLoopback)) throw failure('address');
    const options: RequestOptions = {
      method,
      headers,
      ...(ca !== '' && { ca }),
      agent: false,
      lookup: guardedLookup(allowLoopback),
      signal: AbortSignal.timeout(limits.ms),
    };
    try {
      return await send(url, options, textOfBody(body), limits.bytes);
    } catch (error) {
      throw toFailure(error as NodeJS.ErrnoException);
    }
  };

function send(url: URL, options: RequestOptions, body: string, maxBytes: number): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const sent = request(url, options, (answer) => {
    const parts: Buffer[] = [];
    let size = 0;
    answer.on('data', (part: Buffer) => {
      size += part.length;
      if (size > maxBytes) sent.destroy(failure('too_large'));
      else parts.push(part);
    });
    answer.on('error', reject);
    answer.on('end', () => {
      const status = answer.statusCode ?? 0;
      const isEmpty = status === 204 || status === 304;
      const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [
        name,
        [value].flat().join(', '),
      ]);
      if (status < 200 || status > 599) return reject(failure('unreadable'));
      return resolve(new Response(isEmpty ? null : Buffer.concat(parts), { status, headers }));
    });
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}
