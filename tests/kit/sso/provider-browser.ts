/** A browser at an identity provider: follows redirects and keeps its cookies, until it is sent back to the server. */
import { request } from 'node:https';
import { toProviderReturn, type ProviderReturn } from './returned.ts';

interface Answer {
  location: string | undefined;
  cookies: readonly string[];
  text: string;
}

type Cookies = Map<string, string>;

/** Sends a form if there is one, and keeps the cookies of the answer. */
async function visit(url: URL, ca: string, cookies: Cookies, form?: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = {
    cookie,
    ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
  };
  const method = form === undefined ? 'GET' : 'POST';
  const sent = request(url, { method, ca, agent: false, headers }, (answer) => {
    const parts: Buffer[] = [];
    answer.on('data', (part: Buffer) => parts.push(part));
    answer.on('end', () =>
      resolve({
        location: answer.headers.location,
        cookies: answer.headers['set-cookie'] ?? [],
        text: Buffer.concat(parts).toString(),
      }),
    );
  });
  sent.on('error', reject);
  sent.end(form);
  const visited = await promise;
  for (const line of visited.cookies) {
    const [name = '', value = ''] = line.split(';')[0]!.split('=');
    cookies.set(name, value);
  }
  return visited;
}

/** Signs out at the page to which the server sent the browser, everywhere. */
export async function signOutAtProvider(address: string, ca: string, cookies: Cookies): Promise<void> {
  const { text } = await visit(new URL(address), ca, cookies);
  const [, action, xsrf] =
    /action="([^"]+)"><input type="hidden" name="xsrf" value="([^"]+)"/.exec(text) ?? [];
  if (action === undefined) throw new Error(`the provider does not ask whether to sign out: ${text}`);
  await visit(new URL(action), ca, cookies, `xsrf=${xsrf}&logout=yes`);
}

/** Signs in there as this person, or refuses if there is none. Returns with what the browser comes back. */
export async function signInAtProvider(
  address: string,
  { ca, subject }: { ca: string; subject: string | undefined },
  cookies: Cookies = new Map(),
): Promise<ProviderReturn> {
  let url = new URL(address);
  const { origin } = url;
  for (let hops = 0; hops < 10; hops++) {
    const answer = await visit(url, ca, cookies);
    if (answer.location === undefined)
      throw new Error(`the provider does not send the browser on from ${url.pathname}`);
    url = new URL(answer.location, url);
    if (url.origin !== origin) return toProviderReturn(url.href);
    if (/^\/interaction\/[\w-]+$/.test(url.pathname))
      url.pathname += subject === undefined ? '/deny' : `/as/${subject}`;
  }
  throw new Error('the provider redirects without an end');
}
