/** The session cookie: the browser sends it only to this host and hides it from scripts. */
import type { IncomingHttpHeaders } from 'node:http';
import type { CookieChange } from '../handler.ts';

/** Because of the prefix, browsers reject it from other hosts, over plain HTTP, and with a narrower path. */
export const cookieName = '__Host-drawbridge';

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';
const form = /^[A-Za-z0-9_-]{43}$/;

/** The cookie of the request; none if it is sent twice, because it is ambiguous. */
export function tokenFrom({ cookie = '' }: IncomingHttpHeaders): string | undefined {
  const values = cookie
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(`${cookieName}=`))
    .map((each) => each.slice(cookieName.length + 1));
  const [token] = values;
  return values.length === 1 && token !== undefined && form.test(token) ? token : undefined;
}

export const cookieHeader = (change: NonNullable<CookieChange['cookie']>): Record<string, string> => ({
  'Set-Cookie':
    change === 'clear'
      ? `${cookieName}=; ${attributes}; Max-Age=0`
      : `${cookieName}=${change.token}; ${attributes}`,
});
