/** Parses the values of options: addresses, names, limits, times. The message for an invalid one names its option. */
import { email as emailField, name as nameField } from '@drawbridge/contract/fields';
import { usageError, type Failure } from './command.ts';

export function toEmailOption(text: string): string | Failure {
  const read = emailField.safeParse(text);
  return read.success ? read.data : usageError('--email must be an e-mail address.');
}

export function toNameOption(text: string): string | Failure {
  const read = nameField.safeParse(text);
  return read.success
    ? read.data
    : usageError('--name must have 1 to 128 characters and no control characters.');
}

const maxLimit = 2_147_483_647;

/** A limit of a plan; null for unlimited. */
export function toLimit(option: string, text: string): number | null | Failure {
  if (text === 'unlimited') return null;
  const limit = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return limit <= maxLimit
    ? limit
    : usageError(`--${option} must be a whole number up to ${maxLimit}, or unlimited.`);
}

export function toId(option: string, text: string): number | Failure {
  return /^[1-9]\d{0,14}$/.test(text)
    ? Number(text)
    : usageError(`--${option} must be a whole number from 1.`);
}

const seconds: Record<string, number> = { m: 60, h: 3_600, d: 86_400, w: 7 * 86_400, y: 365 * 86_400 };
/** The end of the year 9999, the last time with a four-digit year. */
const lastTime = 253_402_300_799;

/** When something expires: a duration from now (`90d`), a Unix time or an ISO date. */
export function toExpiry(text: string, now: number): number | Failure {
  const [, count, unit] = /^(\d{1,9})([mhdwy])$/.exec(text) ?? [];
  const time = unit === undefined ? parseTime(text) : now + Number(count) * seconds[unit]!;
  return time > now && time <= lastTime
    ? time
    : usageError('--expires must be a duration such as 30m, 12h, 90d or 1y, or a date in the future.');
}

/** NaN when the text is not a time. */
function parseTime(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const [, date] =
    /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  // JavaScript reads the 31st of February as the 3rd of March, so the parsed date is compared with the text.
  if (date === undefined || !dateOf(date).startsWith(date)) return Number.NaN;
  return Math.floor(Date.parse(text) / 1_000);
}

function dateOf(date: string): string {
  const time = Date.parse(date);
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

/** A time for people to read. */
export const timeText = (time: number): string =>
  new Date(time * 1_000).toISOString().replace('T', ' ').replace('.000Z', ' UTC');
