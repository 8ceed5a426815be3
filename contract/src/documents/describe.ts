/** Describes a row in text for people: its area, the permissions it needs, its rules and its status numbers. */
import { type FaultName, faults } from '../faults.ts';
import { type Need, type Operation, statusOf } from '../operation.ts';
import { permissionsOf } from '../permissions.ts';

const areaTitles: Record<string, string> = {
  support: 'Quick support',
  agents: 'Permanent access: devices',
  groups: 'Permanent access: groups',
  'team/role': 'Team: roles',
  'team/member/access': 'Team: access of technicians',
  'team/department/access': 'Team: access of departments',
  'team/department': 'Team: departments',
  history: 'Connection history',
  'team/member': 'Team: people',
  'team/access': 'Team: effective rights',
  keys: 'API keys',
  plan: 'Plan',
  audit: 'Audit log',
  branding: 'Branding',
};

/** Returns the title of the longest area prefix that matches the operation's path. */
export function areaOf(id: string): string {
  const area = Object.keys(areaTitles)
    .filter((prefix) => id.startsWith(`${prefix}/`))
    .toSorted((a, b) => b.length - a.length)[0];
  return (area && areaTitles[area]) ?? id.slice(0, id.lastIndexOf('/'));
}

/** Meanings of common input fields, used where the row has no description. */
export const fieldMeanings: Record<string, string> = {
  id: 'Identifier',
  agent_id: 'Device',
  role_id: 'Role',
  group_id: 'Group',
  department_id: 'Department',
  name: 'Name',
  email: 'E-mail address of the technician',
  description: 'Short description',
  permanent_url: 'The permanent link of the device',
  'permanent_url.enable': 'true opens the link, false closes it',
};

const anyPermission =
  'any permission on the device; without `agent_preview` its `preview_url` is empty, without `agent_sessions` its `sessions` are';
const invitations = '`quick_support_technical` (all of the team) or `quick_support_admin` (own only)';

/** Completes the sentence "Needs …". */
function describeNeed(need: Need): string {
  switch (need.on) {
    case 'team':
      return `\`${need.permission}\``;
    case 'agent':
      return describeDeviceNeed(need);
    case 'agents':
      return need.by === undefined ? anyPermission : 'any permission on the device';
    case 'file':
      return need.permission === 'any'
        ? `any permission on the device of the file (\`${need.by}\`)`
        : `\`${need.permission}\` on the device of the file (\`${need.by}\`)`;
    case 'group':
      return `\`${need.permission}\` on the group (\`${need.by}\`)`;
    case 'groups':
      return 'any permission on a device of the group, or `team_permanent_access` for all groups';
    case 'invitation':
      return need.permission === undefined
        ? invitations
        : `${invitations}, and \`${need.permission}\` of quick support`;
    case 'invitations':
      return invitations;
    case 'visible':
      return 'any permission on the device or group';
    case 'requests':
      return '`team_user_admin` for requests of others';
    case 'history':
      return '`agent_sessions` on the device; for invitations the rights of quick support';
    case 'session':
      return `\`${need.permission}\` on the device of the connection (\`${need.by}\`); for invitations the rights of quick support${need.support ? `, and \`${need.support}\` among them` : ''}`;
  }
}

function describeDeviceNeed({ permission, by }: Extract<Need, { on: 'agent' }>): string {
  const fields = [by.id, by.deviceId].filter((name) => name !== undefined).map((name) => `\`${name}\``);
  const device = `the device (${fields.join(' or ')})`;
  if (permission === 'exists') return `${device} to be one of the account`;
  return permission === 'any'
    ? anyPermission.replace('the device', device)
    : `\`${permission}\` on ${device}`;
}

export const describeNeeds = (row: Operation): string => row.needs.map(describeNeed).join('; and ');

/** The rules between input fields, which JSON Schema cannot express, with the text of their error message. */
export const rulesOf = (row: Operation): string[] =>
  (row.input.def.checks ?? []).map((check) => {
    const words = check._zod.def.error?.({ code: 'custom', input: undefined, path: [] } as never);
    return typeof words === 'string' ? words : (words?.message ?? '');
  });

/** An outcome of an operation, and the number in its body; undefined if the operation has no `status`. */
export interface Outcome {
  fault: FaultName;
  http: number;
  code: string;
  status: number | undefined;
}

/** Any operation can return these, whether or not its row lists them. */
const alwaysPossible: FaultName[] = [
  'invalid',
  'unauthenticated',
  'plan_exceeded',
  'unavailable',
  'internal',
];

export const refusalsOf = (row: Operation): Outcome[] =>
  (Object.keys(faults) as FaultName[])
    .filter((name) => alwaysPossible.includes(name) || name in row.status)
    .map((name) => ({
      fault: name,
      http: faults[name].http,
      code: faults[name].code,
      status: row.silent === true ? undefined : statusOf(row, name),
    }));

/** Formats `0 done; 1 invalid_request; 6 not_found`, or a dash if the body has no number. */
export function describeStatuses(row: Operation): string {
  if (row.status.ok === null) return '–';
  const byNumber = new Map<number, string[]>([[row.status.ok, ['done']]]);
  for (const { status, code } of refusalsOf(row)) {
    if (status !== undefined) byNumber.set(status, [...(byNumber.get(status) ?? []), code]);
  }
  return [...byNumber]
    .toSorted(([a], [b]) => a - b)
    .map(([number, codes]) => `${number} ${codes.join(', ')}`)
    .join('; ');
}

/** All permissions with their descriptions, by type of role. */
export const permissionTable = Object.entries(permissionsOf).map(([type, permissions]) => ({
  type,
  permissions: Object.entries(permissions),
}));
