/** Parses the texts of settings: addresses, lists, numbers, URLs. A text that is not valid gives undefined. */
import { isIP } from 'node:net';

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

/** An origin, with or without a trailing slash: no path, query, fragment or credentials. */
export function toHttpsOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, href } = new URL(text);
  return protocol === 'https:' && href === `${origin}/` && !/[?#\s]/.test(text) ? origin : undefined;
}

export function toWssOrigin(text: string): string | undefined {
  return /^wss:/i.test(text) ? toHttpsOrigin(`https${text.slice(3)}`)?.replace(/^https/, 'wss') : undefined;
}

/** `stun:host`, with an optional port. */
export const toStunServer = (text: string): string | undefined =>
  /^stun:(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.test(text) ? text : undefined;

export function toPostgresUrl(text: string): string | undefined {
  return /^postgres(?:ql)?:\/\/\S+$/.test(text) && URL.canParse(text) ? text : undefined;
}

export function toNatsUrl(text: string): string | undefined {
  return /^(?:nats|tls):\/\/\S+$/.test(text) && URL.canParse(text) ? text : undefined;
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

/** A list separated by commas; one invalid item makes it invalid. */
export function toList(text: string, toItem: (item: string) => string | undefined): string[] | undefined {
  if (text === '') return [];
  const items = text.split(',').map((item) => toItem(item.trim()));
  return items.every((item) => item !== undefined) ? [...new Set(items)] : undefined;
}
