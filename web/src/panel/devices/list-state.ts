/** What somebody looks at in the list: the filter, the view, and which devices are selected. */
import { computed, effect, signal } from '@preact/signals';
import { currentUser, serverNow } from '../current-user.ts';
import { readStored, writeStored } from '../stored-values.ts';
import { navigate, path, query, setQuery } from '../router.ts';
import type { Device } from './device.ts';
import { filterDevices, emptyDeviceFilter, idsBetween, type DeviceFilter } from './filter.ts';
import { toDeviceFilter, toDeviceQuery } from './filter-query.ts';
import { deviceList, groupList } from './device-store.ts';

export const listPath = '/panel/devices';

/** What was chosen just now and does not stand in the address yet. */
const pendingFilter = signal<DeviceFilter | undefined>(undefined);

/** What the address says: going back and forward, a link and a bookmark show what they showed. */
export const filter = computed((): DeviceFilter => {
  if (path.value !== listPath) return emptyDeviceFilter;
  return pendingFilter.value ?? toDeviceFilter(query.value);
});

export const shownDevices = computed(() =>
  filterDevices(deviceList.value ?? [], filter.value, groupList.value, serverNow()),
);

/** Browsers hold pages back that write into the address with every letter. */
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

// Whoever opens a device right after the last letter finds the search again on the way back.
document.addEventListener('click', writeFilter, true);

/** Another address says something else. */
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
/** Where a range that is selected with Shift begins. */
let anchor: number | undefined;

/** Only what is shown is selected: nothing happens to devices that nobody sees. */
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

/** What one person searched for and selected is not shown to the next who signs in here. */
let wasSignedIn = false;
effect(() => {
  if (currentUser.value) wasSignedIn = true;
  if (currentUser.value !== null || !wasSignedIn) return;
  wasSignedIn = false;
  pendingFilter.value = undefined;
  markedIds.value = new Set();
  if (path.peek() === listPath) navigate(listPath, { replace: true });
});
