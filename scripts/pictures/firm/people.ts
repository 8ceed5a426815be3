/** The people of a fictional firm, their departments, their roles, and who was granted what. */
import { digestOf } from '@drawbridge/server/edges/random';
import { must, type TestAccount } from '../../../tests/kit/server/account.ts';
import type { TestService } from '../../../tests/kit/server/service.ts';

const at = (name: string): string => `${name}@brightwater.example`;
export const owner = at('anna.keller');
const [ben, clara, david, elif, felix, gita] = [
  'ben.okafor',
  'clara.meier',
  'david.novak',
  'elif.demir',
  'felix.roth',
  'gita.rao',
].map(at) as [string, string, string, string, string, string];
export { ben, clara, david, elif, gita };

const departments: Record<string, readonly string[]> = {
  'Service desk': [ben, clara],
  'Field service': [david, elif],
  'Back office': [clara],
};

const roles = [
  {
    name: 'Help desk',
    type: 'group',
    description: 'See and control, chat and clipboard; no files and no terminal.',
    permission: [
      'agent_connect',
      'agent_control',
      'agent_chat',
      'agent_clipboard',
      'agent_preview',
      'agent_sessions',
    ],
  },
  {
    name: 'Night watch',
    type: 'group',
    description: 'Look, wake and restart, for the person on night duty.',
    permission: ['agent_wake_on_lan', 'agent_reboot', 'agent_preview', 'agent_program_list'],
  },
  {
    name: 'Till support',
    type: 'agent',
    description: 'Control a till, only after its user agreed.',
    permission: ['agent_connect', 'agent_control', 'agent_preview'],
  },
  {
    name: 'Key keeper',
    type: 'team',
    description: 'API keys for our own tools.',
    permission: ['team_api_key'],
  },
];

type On = { group?: string; device?: string };
const grants: readonly [whom: string, role: string, on: On][] = [
  ['Service desk', 'Help desk', { group: 'Hotel Lakeside' }],
  ['Service desk', 'Help desk', { group: 'Town Library' }],
  ['Service desk', 'All invitations', {}],
  ['Field service', 'Full access to a group', { group: 'Miller Joinery' }],
  ['Field service', 'Full access to a group', { group: 'Moor Dental' }],
  ['Back office', 'Key keeper', {}],
  [ben, 'Night watch', { group: 'Our servers' }],
  [ben, 'Till support', { device: 'Back office' }],
  [elif, 'Full access to a device', { device: 'Front desk left' }],
  [david, 'Till support', { device: 'Restaurant till' }],
];

export interface Staff {
  members: Record<string, number>;
  departments: Record<string, number>;
  roles: Record<string, number>;
}

type Ids = Record<string, number>;

async function join(service: TestService, { id: accountId }: TestAccount, email: string): Promise<number> {
  const { store } = service.server;
  const link = { digest: digestOf(email), expireTime: store.now() + 600 };
  const { id } = await must(store, 'members/invite', { accountId, email, link });
  if (email !== felix) await must(store, 'members/sign-in', { digest: link.digest });
  return id;
}

async function hire(service: TestService, account: TestAccount): Promise<Staff> {
  const members: Ids = { [owner]: account.owner.id };
  for (const email of [ben, clara, david, elif]) {
    members[email] = await join(service, account, email);
    service.advance(90_000);
  }
  const made: Ids = {};
  for (const [name, people] of Object.entries(departments)) {
    const { body } = await account.owner.call('team/department/create', { name });
    made[name] = body['id'] as number;
    for (const email of people)
      await account.owner.call('team/department/member/add', { id: made[name], email });
  }
  for (const role of roles) await account.owner.call('team/role/create', role);
  const { body } = await account.owner.call('team/role/list', { limit: 100 });
  const all = body['data'] as { id: number; name: string }[];
  return { members, departments: made, roles: Object.fromEntries(all.map(({ id, name }) => [name, id])) };
}

export async function createStaff(
  service: TestService,
  account: TestAccount,
  places: { groups: Ids; devices: Ids },
): Promise<Staff> {
  const staff = await hire(service, account);
  for (const [whom, role, { group, device }] of grants) {
    const isPerson = whom.includes('@');
    const to = isPerson ? { email: whom } : { department_id: staff.departments[whom] };
    const on = {
      ...(group && { group_id: places.groups[group] }),
      ...(device && { agent_id: places.devices[device] }),
    };
    const operation = isPerson ? 'team/member/access/add' : 'team/department/access/add';
    const { http, body } = await account.owner.call(operation, { ...to, role_id: staff.roles[role], ...on });
    if (http !== 200) throw new Error(`${whom}, ${role}: ${JSON.stringify(body)}`);
  }
  return staff;
}

/** A person who has not accepted their invitation yet. */
export const inviteFelix = (service: TestService, account: TestAccount): Promise<number> =>
  join(service, account, felix);
