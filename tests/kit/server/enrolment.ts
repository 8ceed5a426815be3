/** Helpers for enrolment tokens and for how the API lists devices. */
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
