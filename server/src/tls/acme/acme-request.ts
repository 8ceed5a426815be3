/** One HTTPS request to an authority, with limits of time and size. */
import { request } from 'node:https';

export interface AcmeReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

interface Call {
  method: 'GET' | 'HEAD' | 'POST';
  body?: string;
  /** Certificates in PEM that are trusted instead of those that Node knows. */
  ca: string | undefined;
  signal: AbortSignal;
}

const timeoutMs = 30_000;
const mostBytes = 1_048_576;

export async function acmeRequest(url: string, { method, body, ca, signal }: Call): Promise<AcmeReply> {
  if (!url.startsWith('https://')) throw new Error('The authority named an address without https.');
  const headers = {
    'user-agent': 'drawbridge',
    ...(body !== undefined && {
      'content-type': 'application/jose+json',
      'content-length': Buffer.byteLength(body),
    }),
  };
  const limits = { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]), agent: false } as const;
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers, ...limits, ...(ca !== undefined && { ca }) }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (text.length > mostBytes) call.destroy(new Error('The answer of the authority is too long.'));
      });
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    call.once('error', reject).end(body);
  });
}
