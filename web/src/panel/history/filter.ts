/** Converts the filter of the connection history from and to the query string, and into request parameters. */
import type { Params } from '@drawbridge/contract/operation';
import type { V1 } from '@drawbridge/contract/v1/index';

export const connectionKinds = ['', 'agent', 'support'] as const;
export type ConnectionKind = (typeof connectionKinds)[number];

export interface ConnectionFilter {
  kind: ConnectionKind;
  device: number | undefined;
  invitation: number | undefined;
  person: string;
  /** Days such as 2026-11-15, in the user's time zone; empty for none. */
  from: string;
  to: string;
  video: boolean;
  /** Counted from 1. */
  page: number;
}

export const historyPageSize = 50;

const toPositiveInteger = (text: string | null): number | undefined => {
  const value = /^[1-9]\d{0,15}$/.test(text ?? '') ? Number(text) : NaN;
  return Number.isSafeInteger(value) ? value : undefined;
};

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The start of the day that is `later` days after the given one; undefined if the date is invalid. */
export function dayStart(text: string, later = 0): number | undefined {
  const [, year, month, day] = (dayPattern.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined || year < 1970) return undefined;
  const date = new Date(year, month - 1, day);
  if (date.getMonth() !== month - 1) return undefined;
  date.setDate(day + later);
  return Math.max(0, date.getTime() / 1_000);
}

const dayOf = (text: string | null): string => (text !== null && dayStart(text) !== undefined ? text : '');

export const isEmailAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254;

/** Reads the query string; invalid values are ignored. */
export function toConnectionFilter(query: URLSearchParams): ConnectionFilter {
  const person = (query.get('person') ?? '').trim();
  return {
    kind: connectionKinds.find((each) => each === query.get('kind')) ?? '',
    device: toPositiveInteger(query.get('device')),
    invitation: toPositiveInteger(query.get('invitation')),
    person: isEmailAddress(person) ? person : '',
    from: dayOf(query.get('from')),
    to: dayOf(query.get('to')),
    video: query.get('recording') === 'yes',
    page: toPositiveInteger(query.get('page')) ?? 1,
  };
}

/** The parameters for the query string; an empty value removes the parameter. */
export const toConnectionQuery = (filter: Partial<ConnectionFilter>): Record<string, string> => ({
  ...('kind' in filter && { kind: filter.kind }),
  ...('device' in filter && { device: filter.device === undefined ? '' : String(filter.device) }),
  ...('invitation' in filter && {
    invitation: filter.invitation === undefined ? '' : String(filter.invitation),
  }),
  ...('person' in filter && { person: filter.person }),
  ...('from' in filter && { from: filter.from }),
  ...('to' in filter && { to: filter.to }),
  ...('video' in filter && { recording: filter.video ? 'yes' : '' }),
  ...('page' in filter && { page: filter.page === 1 ? '' : String(filter.page) }),
});

export const emptyConnectionFilter: Omit<ConnectionFilter, 'page'> = {
  kind: '',
  device: undefined,
  invitation: undefined,
  person: '',
  from: '',
  to: '',
  video: false,
};

export const isConnectionFiltered = ({ page: _page, ...filter }: ConnectionFilter): boolean =>
  Object.values(toConnectionQuery(filter)).some((value) => value !== '');

/** Whether the last day is before the first. */
export const isRangeReversed = ({ from, to }: ConnectionFilter): boolean =>
  from !== '' && to !== '' && to < from;

type ConnectionParams = Params<V1['history/export']>;

/** The request parameters, without the page. */
export function toConnectionParams({
  kind,
  device,
  invitation,
  person,
  from,
  to,
  video,
}: ConnectionFilter): ConnectionParams {
  const [start, end] = [dayStart(from), dayStart(to, 1)];
  return {
    ...(kind !== '' && { kind }),
    ...(device !== undefined && { agent_id: device }),
    ...(invitation !== undefined && { support_id: invitation }),
    ...(person !== '' && { email: person }),
    ...(start !== undefined && { date_from: start }),
    ...(end !== undefined && { date_to: end - 1 }),
    ...(video && { video }),
  };
}
