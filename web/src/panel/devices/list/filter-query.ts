/** Converts the filter of the device list from and to the query string, so that filtered lists can be bookmarked. */
import type { DeviceFilter } from './filter.ts';

const states = ['online', 'offline', 'disabled'] as const;

export function toDeviceFilter(query: URLSearchParams): DeviceFilter {
  const [group, days] = [query.get('group') ?? 'all', Number(query.get('days'))];
  return {
    search: query.get('q') ?? '',
    group: group === 'favorites' ? group : /^\d{1,15}$/.test(group) ? Number(group) : 'all',
    os: query.get('os') ?? '',
    state: states.find((state) => state === query.get('state')) ?? '',
    days: Number.isInteger(days) && days > 0 && days < 10_000 ? days : 0,
  };
}

/** Criteria that are not set become empty strings. */
export const toDeviceQuery = ({ search, group, os, state, days }: DeviceFilter): Record<string, string> => ({
  q: search,
  group: group === 'all' ? '' : String(group),
  os,
  state,
  days: days === 0 ? '' : String(days),
});
