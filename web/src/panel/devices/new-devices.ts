/** Devices that came while somebody waits for them. */
import { useMemo, useRef } from 'preact/hooks';
import type { Device } from './device.ts';
import { devicesById, deviceList } from './device-store.ts';

/** More at once are not worth a sentence each. */
const maxShown = 20;

/** Those that are on the list now and were not when it was first seen, newest first. */
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
