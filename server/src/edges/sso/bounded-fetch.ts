/** HTTPS requests to addresses that accounts set, of identity providers and webhooks: limited in time and size, without redirects, and never to this machine. */
import { request, type RequestOptions } from 'node:https';
import type { ProviderProblem } from '../../domain/people/provider.ts';
import { guardedLookup, isBlockedLiteral } from '../outbound/blocked-addresses.ts';

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
    if (isBlockedLiteral(host, allowLoopback)) throw failure('address');
    const options: RequestOptions = {
      method,
      headers,
      ...(ca !== '' && { ca }),
      agent: false,
      lookup: guardedLookup(allowLoopback, () => failure('address')),
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
