/** Parses the texts of settings: addresses, lists, numbers, URLs. A text that is not valid gives undefined. */
import { isIP } from 'node:net';
import { postgresUrlsOf } from '../domain/postgres-url.ts';

export interface HostPort {
  host: string;
  port: number;
}

/** `host:port`, or `[v6]:port`. */
export function toHostPort(text: string): HostPort | undefined {
  const [, v6, name, digits] = /^(?:\[([^\]]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = v6 ?? name;
  const port = Number(digits);
  if (host === undefined || port > 65_535) return undefined;
  if (v6 !== undefined && isIP(v6) !== 6) return undefined;
  return { host, port };
}

/** An http or https origin, with or without a trailing slash: no path, query, fragment or credentials. */
function toWebOrigin(text: string): string | undefined {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return undefined;
  const { origin, href } = new URL(text);
  return href === `${origin}/` && !/[?#\s]/.test(text) ? origin : undefined;
}

export const isHttpsOrigin = (origin: string): boolean => origin.startsWith('https:');

export function toHttpsOrigin(text: string): string | undefined {
  const origin = toWebOrigin(text);
  return origin !== undefined && isHttpsOrigin(origin) ? origin : undefined;
}

/** An origin whose pages may call the API; `*` for all of them. */
export const toCorsOrigin = (text: string): string | undefined => (text === '*' ? text : toWebOrigin(text));

/** An origin as a content security policy takes it: no wildcard, and no sign that could end the directive. */
export function toFrameOrigin(text: string): string | undefined {
  const origin = toHttpsOrigin(text);
  return origin !== undefined && /^https:\/\/[a-z0-9-]+(\.[a-z0-9-]+)*(:\d+)?$/.test(origin)
    ? origin
    : undefined;
}

export function toWssOrigin(text: string): string | undefined {
  return /^wss:/i.test(text) ? toHttpsOrigin(`https${text.slice(3)}`)?.replace(/^https/, 'wss') : undefined;
}

/** `stun:host`, with an optional port. */
export const toStunServer = (text: string): string | undefined =>
  /^stun:(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.test(text) ? text : undefined;

export function toPostgresUrl(text: string): string | undefined {
  return postgresUrlsOf(text) ? text : undefined;
}

/** The second of `nats://a,b` has the scheme of the first. */
export function toNatsUrls(text: string): string[] | BadItem {
  let scheme = '';
  const items = text.split(',').map((item) => {
    const given = /^\s*([a-z]+:\/\/)/.exec(item)?.[1];
    scheme = given ?? scheme;
    return given === undefined ? scheme + item.trim() : item;
  });
  return toList(items.join(','), toNatsUrl);
}

function toNatsUrl(text: string): string | undefined {
  if (!/^(?:nats|tls):\/\/\S+$/.test(text) || !URL.canParse(text)) return undefined;
  const { hostname, username, password } = new URL(text);
  const readable = [username, password].every((part) => !/%(?![0-9a-f]{2})/i.test(part));
  return hostname !== '' && readable ? text : undefined;
}

/** The URL of a mail server: a host, an optional port, and an optional name with its password. */
export function toSmtpUrl(text: string): string | undefined {
  if (!/^smtps?:\/\/\S+$/.test(text) || !URL.canParse(text)) return undefined;
  const { hostname, pathname, search, hash, username, password } = new URL(text);
  const bare = ['', '/'].includes(pathname) && search === '' && hash === '';
  const readable = [username, password].every((part) => !/%(?![0-9a-f]{2})/i.test(part));
  return hostname !== '' && bare && readable && (username === '') === (password === '') ? text : undefined;
}

/** An address, or a network as address/bits. */
export function toNetwork(text: string): string | undefined {
  const [, address, bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address ?? '');
  const most = family === 6 ? 128 : 32;
  return family !== 0 && Number(bits ?? 0) <= most ? text : undefined;
}

export function toBoolean(text: string): boolean | undefined {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  return undefined;
}

export function toWholeNumber(text: string, least: number, most: number): number | undefined {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}

export function toEmail(text: string): string | undefined {
  return /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,189}$/u.test(text) ? text : undefined;
}

/** An item of a list that is not valid. */
export interface BadItem {
  badItem: string;
}

/** A list separated by commas, or the first item that is not valid. */
export function toList(text: string, toItem: (item: string) => string | undefined): string[] | BadItem {
  if (text === '') return [];
  const given = text.split(',').map((item) => item.trim());
  const bad = given.find((item) => toItem(item) === undefined);
  return bad === undefined ? [...new Set(given.map((item) => toItem(item)!))] : { badItem: bad };
}
