/** Converts the filter of the audit log from the query string and into request parameters. */
import type { Params } from '@drawbridge/contract/operation';
import type { V1 } from '@drawbridge/contract/v1/index';
import { dayStart, isEmailAddress } from '../history/filter.ts';

export interface AuditFilter {
  operation: string;
  person: string;
  /** Days such as 2026-11-15, in the user's time zone; empty for none. */
  from: string;
  to: string;
  /** Counted from 1. */
  page: number;
}

export const auditPageSize = 50;

const maxOperationLength = 64;

const dayOf = (text: string): string => (dayStart(text) === undefined ? '' : text);

/** Reads the query string; invalid values are ignored. */
export function toAuditFilter(query: URLSearchParams): AuditFilter {
  const [person, page] = [query.get('person') ?? '', Number(query.get('page') ?? '1')];
  return {
    operation: (query.get('operation') ?? '').slice(0, maxOperationLength),
    person: isEmailAddress(person) ? person : '',
    from: dayOf(query.get('from') ?? ''),
    to: dayOf(query.get('to') ?? ''),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

export const isAuditFiltered = ({ operation, person, from, to }: AuditFilter): boolean =>
  [operation, person, from, to].some((each) => each !== '');

/** The request parameters. The range includes the whole last day. */
export function toAuditParams({ operation, person, from, to, page }: AuditFilter): Params<V1['audit/list']> {
  const [start, end] = [dayStart(from), dayStart(to, 1)];
  return {
    ...(operation !== '' && { operation }),
    ...(person !== '' && { email: person }),
    ...(start !== undefined && { date_from: start }),
    ...(end !== undefined && { date_to: end - 1 }),
    limit: auditPageSize,
    offset: (page - 1) * auditPageSize,
  };
}
