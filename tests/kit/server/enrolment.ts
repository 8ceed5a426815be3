/** Helpers for enrolment tokens and for how the API lists devices. */
import assert from 'node:assert/strict';
import type { TestPerson } from './account.ts';
import { eventually } from '../eventually.ts';

export const createEnrolToken = async (
  owner: TestPerson,
  params: Record<string, unknown> = {},
): Promise<string> => (await owner.call('agents/enroll/create', params)).body['token'] as string;

export interface AgentListItem {
  id: number;
  name: string;
  online: boolean;
  os_user: string;
  version: string;
  group: string;
}

export const listDevices = async (owner: TestPerson): Promise<AgentListItem[]> =>
  (await owner.call('agents/list')).body['data'] as AgentListItem[];

const findDevice = async (owner: TestPerson, id: number): Promise<AgentListItem | undefined> =>
  (await listDevices(owner)).find((device) => device.id === id);

/** Resolves when the device is listed as online, or as offline. */
export const waitUntilOnline = (owner: TestPerson, id: number, online = true): Promise<unknown> =>
  eventually(
    () => findDevice(owner, id),
    (device) => device?.online === online,
  );

/** Resolves with the only device of the account once it is online, or once it is not. */
export async function onlyDevice(owner: TestPerson, online: boolean) {
  const [device, ...others] = await eventually(
    () => listDevices(owner),
    ([first]) => first?.online === online,
  );
  assert.deepEqual(others, [], 'it is the same device all the time');
  return device as unknown as { installed: boolean; version: string };
}
