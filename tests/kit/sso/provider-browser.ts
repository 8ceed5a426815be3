/** A browser at an identity provider: follows redirects and keeps its cookies, until it is sent back to the server. */
import { request } from 'node:https';
import { toProviderReturn, type ProviderReturn } from './returned.ts';

interface Answer {
  location: string | undefined;
  cookies: readonly string[];
}

const get = (url: URL, ca: string, cookies: ReadonlyMap<string, string>): Promise<Answer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const sent = request(url, { ca, agent: false, headers: { cookie } }, (answer) => {
    answer.resume();
    answer.on('end', () =>
      resolve({ location: answer.headers.location, cookies: answer.headers['set-cookie'] ?? [] }),
    );
  });
  sent.on('error', reject);
  sent.end();
  return promise;
};

/** Signs in there as this person, or refuses if there is none. Returns with what the browser comes back. */
export async function signInAtProvider(
  address: string,
  { ca, subject }: { ca: string; subject: string | undefined },
  cookies = new Map<string, string>(),
): Promise<ProviderReturn> {
  let url = new URL(address);
  const { origin } = url;
  for (let hops = 0; hops < 10; hops++) {
    const answer = await get(url, ca, cookies);
    for (const line of answer.cookies) {
      const [name = '', value = ''] = line.split(';')[0]!.split('=');
      cookies.set(name, value);
    }
    if (answer.location === undefined)
      throw new Error(`the provider does not send the browser on from ${url.pathname}`);
    url = new URL(answer.location, url);
    if (url.origin !== origin) return toProviderReturn(url.href);
    if (/^\/interaction\/[\w-]+$/.test(url.pathname))
      url.pathname += subject === undefined ? '/deny' : `/as/${subject}`;
  }
  throw new Error('the provider redirects without an end');
}
