/** The cookies of the panel: the browser sends them only to this host and hides them from scripts. */
import type { IncomingHttpHeaders } from 'node:http';
import type { CookieChange } from '../handler.ts';

/** The session. Because of the prefix, browsers reject it from other hosts, over plain HTTP, and with a narrower path. */
export const cookieName = '__Host-drawbridge';

/** Names the browser that was sent to an identity provider: the answer counts only there. */
export const ssoCookieName = '__Host-drawbridge-sso';

/** How long a person has at their identity provider, in seconds. */
export const ssoLifetime = 600;

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';
const form = /^[A-Za-z0-9_-]{43}$/;

/** A cookie of the request; none if it is sent twice, because it is ambiguous. */
export function tokenFrom({ cookie = '' }: IncomingHttpHeaders, name = cookieName): string | undefined {
  const values = cookie
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(`${name}=`))
    .map((each) => each.slice(name.length + 1));
  const [token] = values;
  return values.length === 1 && token !== undefined && form.test(token) ? token : undefined;
}

const sessionCookie = (change: NonNullable<CookieChange['cookie']>): string =>
  change === 'clear'
    ? `${cookieName}=; ${attributes}; Max-Age=0`
    : `${cookieName}=${change.token}; ${attributes}`;

export function cookieHeader({ cookie, ssoCookie }: CookieChange): Record<string, string> {
  if (cookie) return { 'Set-Cookie': sessionCookie(cookie) };
  if (ssoCookie === undefined) return {};
  return { 'Set-Cookie': `${ssoCookieName}=${ssoCookie}; ${attributes}; Max-Age=${ssoLifetime}` };
}
