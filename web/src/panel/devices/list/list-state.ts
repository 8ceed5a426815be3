/** The state of the device list: filter, view and selection. */
import { computed, effect, signal } from '@preact/signals';
import { currentUser, serverNow } from '../../current-user.ts';
import { readStored, writeStored } from '../../stored-values.ts';
import { preferencesOf } from '../../ui/tables/table-preferences.ts';
import { sortRows } from '../../ui/tables/table-order.ts';
import { navigate, path, query, setQuery } from '../../router.ts';
import type { Device } from '../device.ts';
import { filterDevices, emptyDeviceFilter, idsBetween, type DeviceFilter } from './filter.ts';
import { toDeviceFilter, toDeviceQuery } from './filter-query.ts';
import { deviceSortColumns } from './device-sort.ts';
import { deviceList, groupList, groupName } from '../device-store.ts';

const listPath = '/panel/devices';

/** A changed filter that is not yet in the query string. */
const pendingFilter = signal<DeviceFilter | undefined>(undefined);

/** The query string holds the filter, so that history navigation, links and bookmarks restore it. */
export const filter = computed((): DeviceFilter => {
  if (path.value !== listPath) return emptyDeviceFilter;
  return pendingFilter.value ?? toDeviceFilter(query.value);
});

/** The name under which people's choices for the list are stored. */
export const deviceTable = 'devices';
const sortColumns = deviceSortColumns(groupName);

/** The whole list in the chosen order; filtering keeps it. */
const sortedDevices = computed(() =>
  sortRows(deviceList.value ?? [], sortColumns, preferencesOf(deviceTable).sort),
);

export const shownDevices = computed(() =>
  filterDevices(sortedDevices.value, filter.value, groupList.value, serverNow()),
);

/** Browsers throttle pages that change the address on every keystroke. */
const writeDelayMs = 400;
let writeTimer: ReturnType<typeof setTimeout> | undefined;

function writeFilter(): void {
  clearTimeout(writeTimer);
  if (pendingFilter.value && path.value === listPath) setQuery(toDeviceQuery(pendingFilter.value));
  pendingFilter.value = undefined;
}

export function changeFilter(changes: Partial<DeviceFilter>): void {
  pendingFilter.value = { ...filter.value, ...changes };
  clearTimeout(writeTimer);
  writeTimer = setTimeout(writeFilter, writeDelayMs);
}

// Writes the filter at once on a click, so that going back from a device that was just opened restores the search.
document.addEventListener('click', writeFilter, true);

/** A change of the query string replaces a pending filter. */
effect(() => {
  void query.value;
  pendingFilter.value = undefined;
});

export type ListView = 'table' | 'tiles';
const viewKey = 'drawbridge.devices.view';

export const view = signal<ListView>(readStored(viewKey) === 'tiles' ? 'tiles' : 'table');

export function setView(chosen: ListView): void {
  view.value = chosen;
  writeStored(viewKey, chosen);
}

const markedIds = signal<ReadonlySet<number>>(new Set());
/** The start of a range that the user selects with Shift. */
let anchor: number | undefined;

/** Only shown devices count as selected, so that no action affects hidden ones. */
export const selected = computed(() =>
  markedIds.value.size === 0 ? [] : shownDevices.value.filter(({ id }) => markedIds.value.has(id)),
);
export const isSelected = (id: number): boolean => markedIds.value.has(id);

export function selectDevice(device: Device, isOn: boolean, isRange: boolean): void {
  const ids =
    isRange && anchor !== undefined ? idsBetween(shownDevices.value, anchor, device.id) : [device.id];
  const next = new Set(markedIds.value);
  for (const id of ids) {
    if (isOn) next.add(id);
    else next.delete(id);
  }
  anchor = device.id;
  markedIds.value = next;
}

export const selectShown = (isOn: boolean): void =>
  void (markedIds.value = new Set(isOn ? shownDevices.value.map(({ id }) => id) : []));

/** Clears filter and selection on sign-out, so that the next user does not see them. */
let wasSignedIn = false;
effect(() => {
  if (currentUser.value) wasSignedIn = true;
  if (currentUser.value !== null || !wasSignedIn) return;
  wasSignedIn = false;
  pendingFilter.value = undefined;
  markedIds.value = new Set();
  if (path.peek() === listPath) navigate(listPath, { replace: true });
});
