/** The filter of the connection history: as it stands in the address, and as the server is asked. */
import type { Params } from '@drawbridge/contract/operation';
import type { V1 } from '@drawbridge/contract/v1/index';

export const kinds = ['', 'agent', 'support'] as const;
export type Kind = (typeof kinds)[number];

export interface Filter {
  kind: Kind;
  device: number | undefined;
  invitation: number | undefined;
  person: string;
  /** Days like 2026-11-15, in the time of who looks; empty for none. */
  from: string;
  to: string;
  video: boolean;
  /** Counted from 1. */
  page: number;
}

/** How many connections a page has. */
export const pageSize = 50;

const whole = (text: string | null): number | undefined => {
  const value = /^[1-9]\d{0,15}$/.test(text ?? '') ? Number(text) : NaN;
  return Number.isSafeInteger(value) ? value : undefined;
};

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The beginning of a day, `later` days on; undefined where there is no such day. */
export function dayStart(text: string, later = 0): number | undefined {
  const [, year, month, day] = (dayPattern.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined || year < 1970) return undefined;
  const date = new Date(year, month - 1, day);
  if (date.getMonth() !== month - 1) return undefined;
  date.setDate(day + later);
  return Math.max(0, date.getTime() / 1_000);
}

const dayOf = (text: string | null): string => (text !== null && dayStart(text) !== undefined ? text : '');

export const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254;

/** Reads the address; what makes no sense is left out. */
export function filterOf(query: URLSearchParams): Filter {
  const person = (query.get('person') ?? '').trim();
  return {
    kind: kinds.find((each) => each === query.get('kind')) ?? '',
    device: whole(query.get('device')),
    invitation: whole(query.get('invitation')),
    person: isAddress(person) ? person : '',
    from: dayOf(query.get('from')),
    to: dayOf(query.get('to')),
    video: query.get('recording') === 'yes',
    page: whole(query.get('page')) ?? 1,
  };
}

/** The same as it is written into the address; empty values say that nothing is to stand there. */
export const queryOf = (filter: Partial<Filter>): Record<string, string> => ({
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

export const noFilter: Omit<Filter, 'page'> = {
  kind: '',
  device: undefined,
  invitation: undefined,
  person: '',
  from: '',
  to: '',
  video: false,
};

export const isFiltered = ({ page: _page, ...filter }: Filter): boolean =>
  Object.values(queryOf(filter)).some((value) => value !== '');

/** The last day is before the first one. */
export const isBackwards = ({ from, to }: Filter): boolean => from !== '' && to !== '' && to < from;

type Asked = Params<V1['history/export']>;

/** What the server is asked, page aside. */
export function askedOf({ kind, device, invitation, person, from, to, video }: Filter): Asked {
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
