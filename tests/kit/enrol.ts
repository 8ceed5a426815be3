/** Short ways to tokens and to what the API says of devices. */
import type { Person } from './account.ts';
import { eventually } from './eventually.ts';

export const newToken = async (owner: Person, params: Record<string, unknown> = {}): Promise<string> =>
  (await owner.call('agents/enroll/create', params)).body['token'] as string;

export interface ListedDevice {
  id: number;
  name: string;
  online: boolean;
  os_user: string;
  version: string;
  group: string;
}

export const devicesOf = async (owner: Person): Promise<ListedDevice[]> =>
  (await owner.call('agents/list')).body['data'] as ListedDevice[];

export const deviceOf = async (owner: Person, id: number): Promise<ListedDevice | undefined> =>
  (await devicesOf(owner)).find((device) => device.id === id);

/** Resolves when the device is listed as online, or as offline. */
export const isOnline = (owner: Person, id: number, online = true): Promise<unknown> =>
  eventually(
    () => deviceOf(owner, id),
    (device) => device?.online === online,
  );
