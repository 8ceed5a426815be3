/** What the texts of options mean: addresses, names, limits, times. Wrong ones are refused by the option's name. */
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

/** A limit of a plan; null is none. */
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
/** The end of the year 9999: the last moment that everything which reads dates can write. */
const lastMoment = 253_402_300_799;

/** When something ends: a while from now (`90d`), or a moment as unix time or as an ISO date. */
export function toExpiry(text: string, now: number): number | Failure {
  const [, count, unit] = /^(\d{1,9})([mhdwy])$/.exec(text) ?? [];
  const moment = unit === undefined ? momentIn(text) : now + Number(count) * seconds[unit]!;
  return moment > now && moment <= lastMoment
    ? moment
    : usageError('--expires must be a duration such as 30m, 12h, 90d or 1y, or a date in the future.');
}

/** NaN where the text is no moment. */
function momentIn(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const [, date] =
    /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  // The 31st of February is read as the 3rd of March: what comes out must be what went in.
  if (date === undefined || !dateOf(date).startsWith(date)) return Number.NaN;
  return Math.floor(Date.parse(text) / 1_000);
}

function dateOf(date: string): string {
  const time = Date.parse(date);
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

/** A moment as people read it. */
export const timeText = (time: number): string =>
  new Date(time * 1_000).toISOString().replace('T', ' ').replace('.000Z', ' UTC');
