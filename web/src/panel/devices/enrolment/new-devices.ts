/** Finds devices that were added while the page is open. */
import { useMemo, useRef } from 'preact/hooks';
import type { Device } from '../device.ts';
import { devicesById, deviceList } from '../device-store.ts';

/** The maximum number of new devices that are announced. */
const maxShown = 20;

/** Devices that were not in the list when it was first loaded, newest first. */
export function useNewDevices(): readonly Device[] {
  const before = useRef<ReadonlySet<number> | undefined>(undefined);
  if (deviceList.value && !before.current) before.current = new Set(devicesById.value.keys());
  const list = deviceList.value;
  return useMemo(
    () =>
      (list ?? [])
        .filter(({ id }) => before.current && !before.current.has(id))
        .toSorted((one, other) => other.link_time - one.link_time || other.id - one.id)
        .slice(0, maxShown),
    [list],
  );
}
