/** Requests for access in the fictional firm: one was denied, one approved, and one waits. */
import { must } from '../../../tests/kit/server/account.ts';
import type { FirmContext } from './past.ts';
import { ben, clara, david } from './people.ts';

type Ids = Record<string, number>;

const minute = 60;

interface FirmRequest {
  who: string;
  role: string;
  device?: string;
  group?: string;
  reason: string;
  minutes: number;
  denied?: string;
  isApproved?: boolean;
}

/** Everybody sees what they ask for, but may do less there. */
const requests: readonly FirmRequest[] = [
  {
    who: clara,
    role: 'Full access to a device',
    device: 'Front desk left',
    reason: 'Copy the guest list to my laptop',
    minutes: 60,
    denied: 'Please use the copy in our archive.',
  },
  {
    who: ben,
    role: 'Full access to a group',
    group: 'Our servers',
    reason: 'Ticket 4127: mail queue is stuck',
    minutes: 240,
    isApproved: true,
  },
  {
    who: david,
    role: 'Full access to a device',
    device: 'Restaurant till',
    reason: 'Ticket 4133: install the update of the till',
    minutes: 120,
  },
];

async function ask(
  { service, account, devices, members }: FirmContext,
  { who, role, device, group, reason, minutes, denied, isApproved }: FirmRequest,
  { groups, roles }: { groups: Ids; roles: Ids },
): Promise<void> {
  const { store } = service.server;
  const target = {
    agentId: device === undefined ? undefined : devices[device]!,
    groupId: group === undefined ? undefined : groups[group]!,
  };
  const wanted = { memberId: members[who]!, roleId: roles[role]!, ...target, reason, minutes };
  const { id } = await must(store, 'requests/create', { accountId: account.id, ...wanted });
  service.advance(4 * minute);
  const answer = { accountId: account.id, by: account.owner.id, id };
  if (isApproved) await must(store, 'requests/approve', answer);
  if (denied !== undefined) await must(store, 'requests/deny', { ...answer, decision: denied });
}

export async function askForAccess(firm: FirmContext, groups: Ids, roles: Ids): Promise<void> {
  for (const request of requests) await ask(firm, request, { groups, roles });
}
