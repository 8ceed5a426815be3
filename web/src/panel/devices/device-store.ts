/** The devices that the user may see, kept up to date while a page shows them. */
import { computed, effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { get } from '../api.ts';
import { subscribeToTopic } from '../event-stream.ts';
import { currentUser } from '../current-user.ts';
import { createRefreshScheduler } from '../refresh-scheduler.ts';
import type { Resource } from '../resource-types.ts';
import { createDeviceRefresher, type DeviceRefresher } from './device-refresher.ts';
import { dropEarlyListing, takeEarlyListing } from './early-listing.ts';
import { toDevices, toDevicesInChunks, type Device } from './device.ts';
import { presortByName, compareNames, countByGroup, sortForList, type DeviceGroup } from './list/filter.ts';

/** Sorted by name; undefined until loaded. */
const sorted = signal<readonly Device[] | undefined>(undefined);
const loadError = signal<unknown>(undefined);

export const groupList = signal<readonly DeviceGroup[]>([]);
/** Favourites first, then online devices, then by name. */
export const deviceList = computed(() => sorted.value && sortForList(sorted.value));
export const devicesById = computed(() => new Map((sorted.value ?? []).map((device) => [device.id, device])));
export const deviceCounts = computed(() => countByGroup(sorted.value ?? []));
const groupNames = computed(() => new Map(groupList.value.map(({ id, name }) => [id, name])));

export const groupName = (id: number): string => groupNames.value.get(id) ?? '';

/** Lets the browser render and handle input between chunks of work. Not a timer, which browsers delay when one follows another. */
const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });

async function fetchAll(isForeground: boolean): Promise<void> {
  try {
    const early = isForeground ? await takeEarlyListing(currentUser.value?.id) : undefined;
    const listing = early ?? (await get('devices', {}, { background: !isForeground }));
    const found = presortByName(await toDevicesInChunks(listing, yieldToEventLoop));
    await yieldToEventLoop();
    sorted.value = found.sort(compareNames);
    loadError.value = undefined;
    // It was requested before events arrived, so that changes may be missing.
    if (early) void refresher?.reload(false);
  } catch (error) {
    loadError.value = error;
    throw error;
  }
}

/** Devices that are missing from the response were removed. */
async function fetchSome(ids: readonly number[]): Promise<void> {
  const found = toDevices(await get('devices', { ids: ids.join(',') }, { background: true }));
  mergeDevices(new Set(ids), found);
}

function mergeDevices(ids: ReadonlySet<number>, found: readonly Device[]): void {
  if (!sorted.value) return; // The whole list is being loaded.
  const fresh = new Map(found.map((device) => [device.id, device]));
  const kept: Device[] = [];
  let isInOrder = true;
  for (const device of sorted.value) {
    const update = fresh.get(device.id);
    fresh.delete(device.id);
    if (update) isInOrder &&= update.name === device.name;
    if (update ?? !ids.has(device.id)) kept.push(update ?? device);
  }
  kept.push(...fresh.values());
  // The list is nearly sorted, so sorting is cheap.
  sorted.value = isInOrder && fresh.size === 0 ? kept : kept.sort(compareNames);
}

const now = (): number => performance.now();

const groupRefresher = createRefreshScheduler({
  now,
  async refresh() {
    groupList.value = (await get('v1/groups/list', {}, { background: true })).data;
  },
});

/** Optimistic update: changes the shown device before the server reports the change. */
export function patchDevice(id: number, changes: Partial<Device>): void {
  const device = devicesById.value.get(id);
  if (device) mergeDevices(new Set(), [{ ...device, ...changes }]);
}

let users = 0;
let refresher: DeviceRefresher | undefined;
let unsubscribers: readonly (() => void)[] = [];

function start(): void {
  const current = createDeviceRefresher({ loadAll: fetchAll, loadSome: fetchSome, now });
  refresher = current;
  unsubscribers = [
    subscribeToTopic('agents', (ids) => current.invalidate(ids)),
    // The user's permissions may have changed, so the list is reloaded at once.
    subscribeToTopic('me', () => void current.reload(false)),
    subscribeToTopic('groups', () => groupRefresher.schedule()),
  ];
  void reload();
}

async function reload(): Promise<void> {
  await Promise.all([refresher?.reload(true), groupRefresher.runNow()]);
}

function stop(): void {
  unsubscribers.forEach((each) => each());
  refresher?.close();
}

/** Clears the list on sign-out, so that the next user does not see it. */
effect(() => {
  if (currentUser.value) return;
  if (currentUser.value === null) dropEarlyListing();
  sorted.value = undefined;
  groupList.value = [];
});

const resource: Resource<readonly Device[]> = {
  value: deviceList,
  error: loadError,
  reload,
};

/** The list: loaded when the first component uses it, and kept up to date until the last one unmounts. */
export function useDeviceList(): Resource<readonly Device[]> {
  useEffect(() => {
    users += 1;
    if (users === 1) start();
    return () => {
      users -= 1;
      if (users === 0) stop();
    };
  }, []);
  return resource;
}

/** Loads only the groups, for pages that need no devices. */
export function useGroupList(): void {
  useEffect(() => {
    void groupRefresher.runNow();
    return subscribeToTopic('groups', () => groupRefresher.schedule());
  }, []);
}
