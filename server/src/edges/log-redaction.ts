/** Removes secrets from log lines: keeps only known fields of requests, and hides secret values and the tokens of links. */

/** The only fields of a request that are logged. */
export interface RequestFields {
  id?: string | number | undefined;
  method?: string | undefined;
  /** The request target as received; the log shows `safePath` of it. */
  path?: string | undefined;
  status?: number | undefined;
  ms?: number | undefined;
  address?: string | undefined;
  account?: string | number | undefined;
  member?: string | number | undefined;
  operation?: string | undefined;
}

/** A request whose response is known. Method, address and operation contain nothing that JSON would escape. */
export interface AnsweredRequest {
  method: string;
  /** The request target as received. */
  path: string;
  status: number;
  ms: number;
  address: string;
  account: number | undefined;
  member: number | undefined;
  operation: string;
}

const requestFields = [
  'id',
  'method',
  'path',
  'status',
  'ms',
  'address',
  'account',
  'member',
  'operation',
] as const;
const requestKeys: ReadonlySet<string> = new Set(['request', 'req']);

const hidden = '***';
const secretKey = /password|passphrase|apikey|authorization|cookie|token|secret|privatekey|urls?$|links?$/;

/** In a path, the segments after these contain the secret of a link. */
const linkSegments: ReadonlySet<string> = new Set([
  'c',
  'i',
  'o',
  'p',
  'r',
  't',
  'sign-in',
  'preview',
  'invite',
  'recording',
]);

/** Keys (64), tokens (43) and digests (64) are this long without a break, and nothing worth logging is. */
const secretLength = 43;
const longRun = /[A-Za-z0-9_-]{43,}/g;
const runLetters = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

const urls = /\b([a-z][a-z0-9+.-]*):\/\/([^\s"'\\<>/?#]*)([^\s"'\\<>]*)/gi;

const deepest = 6;
const widest = 100;
const longestPath = 256;

/** The JSON text of paths without secrets, because few paths are requested again and again. */
const safePathTexts = new Map<string, string>();
const maxSafePathTexts = 1_000;

/** Returns a request's path for the log, as JSON text. */
function safePathText(url: string): string {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const known = safePathTexts.get(path);
  if (known !== undefined) return known;
  const text = scrub(JSON.stringify(safePath(path)));
  if (text === JSON.stringify(path) && safePathTexts.size < maxSafePathTexts) safePathTexts.set(path, text);
  return text;
}

/** Returns a request's path for the log: without the query and without the secret of a link. */
export function safePath(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  const shown = withoutLink(path.split('/'));
  return (hasLongRun(shown) ? shown.replace(longRun, '…') : shown).slice(0, longestPath);
}

function withoutLink(segments: readonly string[]): string {
  for (const [at, segment] of segments.entries()) {
    // An escaped character could hide a link, and no route of ours has one.
    if (/[%;]/.test(segment)) return [...segments.slice(0, at), '…'].join('/');
    const opensLink = linkSegments.has(segment.toLowerCase()) && at < segments.length - 1;
    if (opensLink) return [...segments.slice(0, at + 1), '…'].join('/');
  }
  return segments.join('/');
}

/** Returns a copy in which values with the names of secrets are hidden, at every depth. */
export function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return copyFields(fields, 0);
}

/** Removes keys, tokens, links and credentials in URLs from a finished line, including its message and stack trace. */
export function scrub(line: string): string {
  const known = line.includes('://') ? line.replace(urls, safeUrl) : line;
  return hasLongRun(known) ? known.replace(longRun, '…') : known;
}

/** Most lines have no long run. One would cover every 43rd character, so only the runs around those are measured. */
function hasLongRun(text: string): boolean {
  for (let at = secretLength - 1; at < text.length; at += secretLength) {
    let [start, end] = [at, at];
    while (start >= 0 && isRunLetter(text, start)) start -= 1;
    while (end < text.length && isRunLetter(text, end)) end += 1;
    if (end - start > secretLength) return true;
  }
  return false;
}

const isRunLetter = (text: string, at: number): boolean => runLetters[text.charCodeAt(at)] === 1;

function safeUrl(_url: string, scheme: string, authority: string, rest: string): string {
  // An unescaped / ? or # in a password ends the authority too early: what looks like the host is then not the host.
  if (authority !== '' && rest.includes('@')) return `${scheme}://…`;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const path = /^(https?|wss?)$/i.test(scheme) ? safePath(rest) : rest.replace(/[?#].*$/, '');
  return `${scheme}://${host}${path}`;
}

function copyFields(fields: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields).slice(0, widest)) {
    copy[key] = isSecret(key) ? hidden : copyNamed(key, value, depth + 1);
  }
  return copy;
}

function copyNamed(key: string, value: unknown, depth: number): unknown {
  return requestKeys.has(key) ? toRequest(value) : copyValue(value, depth);
}

function copyValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth > deepest) return '[deep]';
  if (value instanceof Error) return toError(value, depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof URL) return value.href;
  if (Array.isArray(value)) return value.slice(0, widest).map((item) => copyValue(item, depth + 1));
  return copyFields(value, depth);
}

function toError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const more = cause === undefined ? {} : { cause: copyValue(cause, depth + 1) };
  return { type: name, message, stack, ...copyFields(error, depth), ...more };
}

/** Returns an answered request as JSON text. Only its path can contain a secret: all else comes from the server. */
export const requestText = ({
  method,
  path,
  status,
  ms,
  address,
  account,
  member,
  operation,
}: AnsweredRequest): string =>
  `{"method":"${method}","path":${safePathText(path)},"status":${status},"ms":${ms},"address":"${address}"` +
  (account === undefined ? '' : `,"account":${account},"member":${member}`) +
  `,"operation":"${operation}"}`;

function toRequest(request: unknown): RequestFields {
  if (typeof request !== 'object' || request === null) return {};
  const given = request as Record<string, unknown>;
  const kept: Record<string, unknown> = {};
  for (const field of requestFields) {
    const value = given[field];
    if (typeof value === 'string' || typeof value === 'number') kept[field] = value;
  }
  const target = given['path'] ?? given['url'];
  if (typeof target === 'string') kept['path'] = safePath(target);
  return kept;
}

/** A cache: the names come from code, so there are few. */
const secretNames = new Map<string, boolean>();

function isSecret(key: string): boolean {
  const known = secretNames.get(key);
  if (known !== undefined) return known;
  const secret = secretKey.test(key.toLowerCase().replaceAll(/[-_]/g, ''));
  if (secretNames.size < 1_000) secretNames.set(key, secret);
  return secret;
}
