/** A device as the pages keep it: the listed data with its set of permissions. */
import type { OutputOf } from '../api.ts';
import { foldText } from '../fold-text.ts';
import { osName } from './os.ts';

type Listing = Pick<OutputOf<'devices'>, 'rights' | 'data'>;
type Listed = Listing['data'][number];

export interface Device extends Omit<Listed, 'rights'> {
  rights: ReadonlySet<string>;
}

/** The id in groups of three digits. */
export const readableId = (deviceId: number): string => String(deviceId).replace(/\B(?=(?:\d{3})+$)/g, ' ');

const searchTexts = new WeakMap<Device, string>();

/** The folded search text, made at the first search. It does not contain the name of the group, which is looked up. */
export function searchTextOf(device: Device): string {
  const { name, device_id, ip, os, os_user } = device;
  const text = searchTexts.get(device) ?? foldText([name, device_id, ip, os_user, osName(os), os].join('\n'));
  searchTexts.set(device, text);
  return text;
}

/** Devices with equal permissions share one set, because thousands of devices can have the same. */
function* inChunks({ rights, data }: Listing, size: number): Generator<Device[]> {
  const sets = rights.map((each) => new Set(each));
  for (let start = 0; start < data.length; start += size)
    yield data.slice(start, start + size).map((listed) => ({
      ...listed,
      rights: sets[listed.rights] ?? new Set(),
    }));
}

export const toDevices = (listing: Listing): Device[] => [...inChunks(listing, listing.data.length)].flat();

const chunkSize = 1_000;

/** Converts a long list in chunks, so that the page stays responsive. */
export async function toDevicesInChunks(
  listing: Listing,
  yieldToEventLoop: () => Promise<void>,
): Promise<Device[]> {
  const devices: Device[] = [];
  for (const part of inChunks(listing, chunkSize)) {
    await yieldToEventLoop();
    devices.push(...part);
  }
  return devices;
}
