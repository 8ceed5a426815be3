/** A device as the pages keep it: what the server listed, with its rights and its text to be searched in at hand. */
import type { OutputOf } from '../api.ts';
import { foldText } from '../fold-text.ts';
import { osName } from './os.ts';

type Listing = OutputOf<'devices'>;
type Listed = Listing['data'][number];

export interface Device extends Omit<Listed, 'rights'> {
  rights: ReadonlySet<string>;
  /** All that can be searched for, folded; the name of its group is looked up. */
  text: string;
}

/** Nine digits in threes, as people read them aloud. */
export const readableId = (deviceId: number): string => String(deviceId).replace(/\B(?=(?:\d{3})+$)/g, ' ');

const textOf = ({ name, device_id, ip, os, os_user }: Listed): string =>
  foldText([name, device_id, ip, os_user, osName(os), os].join('\n'));

/** Each set of rights is made once and shared: thousands of devices have the same. */
function* inChunks({ rights, data }: Listing, size: number): Generator<Device[]> {
  const sets = rights.map((each) => new Set(each));
  for (let start = 0; start < data.length; start += size)
    yield data.slice(start, start + size).map((listed) => ({
      ...listed,
      rights: sets[listed.rights] ?? new Set(),
      text: textOf(listed),
    }));
}

export const toDevices = (listing: Listing): Device[] => [...inChunks(listing, listing.data.length)].flat();

/** How many are made before the page gets its turn. */
const chunkSize = 1_000;

/** The same for a long list: the page stays quick meanwhile. */
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
