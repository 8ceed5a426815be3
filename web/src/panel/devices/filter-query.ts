/** The filter of the list in the address, so that a list can be kept as a bookmark and sent to others. */
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

/** Empty texts for what is not filtered by. */
export const toDeviceQuery = ({ search, group, os, state, days }: DeviceFilter): Record<string, string> => ({
  q: search,
  group: group === 'all' ? '' : String(group),
  os,
  state,
  days: days === 0 ? '' : String(days),
});
