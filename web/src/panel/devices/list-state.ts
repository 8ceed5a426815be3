/** What somebody looks at in the list: the filter, the view, and which devices are selected. */
import { computed, effect, signal } from '@preact/signals';
import { currentUser, serverNow } from '../me.ts';
import { readStored, writeStored } from '../kept.ts';
import { go, path, query, setQuery } from '../router.ts';
import type { Device } from './device.ts';
import { filtered, noFilter, rangeOf, type Filter } from './filter.ts';
import { filterOf, queryOf } from './filter-query.ts';
import { deviceList, groupList } from './store.ts';

export const listPath = '/panel/devices';

/** What was chosen just now and does not stand in the address yet. */
const recent = signal<Filter | undefined>(undefined);

/** What the address says: going back and forward, a link and a bookmark show what they showed. */
export const filter = computed((): Filter => {
  if (path.value !== listPath) return noFilter;
  return recent.value ?? filterOf(query.value);
});

export const shown = computed(() =>
  filtered(deviceList.value ?? [], filter.value, groupList.value, serverNow()),
);

/** Browsers hold pages back that write into the address with every letter. */
const writeMs = 400;
let writing: ReturnType<typeof setTimeout> | undefined;

function write(): void {
  clearTimeout(writing);
  if (recent.value && path.value === listPath) setQuery(queryOf(recent.value));
  recent.value = undefined;
}

export function change(changes: Partial<Filter>): void {
  recent.value = { ...filter.value, ...changes };
  clearTimeout(writing);
  writing = setTimeout(write, writeMs);
}

// Whoever opens a device right after the last letter finds the search again on the way back.
document.addEventListener('click', write, true);

/** Another address says something else. */
effect(() => {
  void query.value;
  recent.value = undefined;
});

export type View = 'table' | 'tiles';
const viewKey = 'drawbridge.devices.view';

export const view = signal<View>(readStored(viewKey) === 'tiles' ? 'tiles' : 'table');

export function showAs(chosen: View): void {
  view.value = chosen;
  writeStored(viewKey, chosen);
}

const marked = signal<ReadonlySet<number>>(new Set());
/** Where a range that is selected with Shift begins. */
let anchor: number | undefined;

/** Only what is shown is selected: nothing happens to devices that nobody sees. */
export const selected = computed(() =>
  marked.value.size === 0 ? [] : shown.value.filter(({ id }) => marked.value.has(id)),
);
export const isSelected = (id: number): boolean => marked.value.has(id);

export function select(device: Device, isOn: boolean, isRange: boolean): void {
  const ids = isRange && anchor !== undefined ? rangeOf(shown.value, anchor, device.id) : [device.id];
  const next = new Set(marked.value);
  for (const id of ids) {
    if (isOn) next.add(id);
    else next.delete(id);
  }
  anchor = device.id;
  marked.value = next;
}

export const selectShown = (isOn: boolean): void =>
  void (marked.value = new Set(isOn ? shown.value.map(({ id }) => id) : []));

/** What one person searched for and selected is not shown to the next who signs in here. */
let wasSignedIn = false;
effect(() => {
  if (currentUser.value) wasSignedIn = true;
  if (currentUser.value !== null || !wasSignedIn) return;
  wasSignedIn = false;
  recent.value = undefined;
  marked.value = new Set();
  if (path.peek() === listPath) go(listPath, { replace: true });
});
