/** The cookie of those who are signed in: kept by the browser for this host alone, and shown to no script. */
import type { IncomingHttpHeaders } from 'node:http';
import type { CookieChange } from '../handler.ts';

/** By the prefix browsers refuse it from other hosts, from plain HTTP, and for a part of the paths. */
export const cookieName = '__Host-drawbridge';

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';
const form = /^[A-Za-z0-9_-]{43}$/;

/** What the browser brought. Given twice, nobody can tell which one is meant. */
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
