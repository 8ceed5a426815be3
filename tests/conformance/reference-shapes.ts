/**
 * The fields of every reply in the order of the reference's tables, copied by hand; `[]` is each element of a
 * list.
 */

const words = (text: string): string[] => text.trim().split(/\s+/);
const under = (path: string, fields: readonly string[]): string[] => [
  path,
  ...fields.map((field) => `${path}.${field}`),
];

const connection = words(`
  id status create_time invite_code invite_url connect_url client_name client_os client_preview_url
`);

const agent = [
  ...words('id device_id name group disabled limited link_time last_time'),
  ...under('geo', words('ip country region city')),
  ...words('permanent_url onetime_url preview_url os os_user rdp hibernate power_supply version'),
  ...words('online installed favorite owner'),
  'sessions',
  ...under('sessions.last', words('id start_time stop_time')),
  ...under('sessions.last.client', words('ip country region city user_agent')),
  'sessions.total',
];

/** All 36 keys, in alphabetical order. */
const hardware = words(`
  BIOS BIOSDate BIOSVersion CPU CPUCores CPUCoresLogical CPUFamily CPUSpeed ComputerDomain ComputerIP[]
  ComputerModel ComputerName ComputerWorkgroup
  HDD[] HDD[].Model HDD[].Size
  Locale LocaleCountry LocaleCurrency LocaleFormatDate LocaleFormatTime LocaleOemPage LocaleTimezone
  LogicalDisks[] LogicalDisks[].Disk LogicalDisks[].FileSystem LogicalDisks[].FreeSpace LogicalDisks[].Name
  LogicalDisks[].Size
  Monitors[] Monitors[].Name Monitors[].ScreenHeight Monitors[].ScreenWidth
  NetAdapters[] NetAdapters[].Addresses NetAdapters[].Cable NetAdapters[].DCHP NetAdapters[].DNS
  NetAdapters[].MACAddress NetAdapters[].Manufacturer NetAdapters[].Name NetAdapters[].Speed NetAdapters[].WoL
  OSName OSVersion
  RAMBanks[] RAMBanks[].Bank RAMBanks[].Capacity RAMBanks[].DataWidth RAMBanks[].Locator RAMBanks[].Manufacturer
  RAMBanks[].PartNumber RAMBanks[].SerialNumber
  RAMPageFile RAMPhys RAMPhysAvail RAMVirt RAMVirtAvail
  SoundDevices[] SoundDevices[].Name
  VideoCards[] VideoCards[].Integrated VideoCards[].Name VideoCards[].RAM
  VideoName VideoRAM
`);
export const hardwareKeys = hardware.filter((key) => !key.includes('.')).map((key) => key.replace('[]', ''));

const details = [...agent, ...under('hardware', hardware)];
const department = words('id name ldap worker create_time modify_time');
const status = ['status'];
const created = ['status', 'id'];
const url = under('data', ['url']);

/** With every optional value present: every field of a reply, in order. */
export const replies: Record<string, string[]> = {
  'support/list': ['remain', ...under('data[]', connection)],
  'support/info': under('data', connection),
  'support/create': under('data', connection),
  'support/update': status,
  'support/connect': url,
  'support/close': [],
  'agents/list': under('data[]', agent),
  'agents/info': under('data', details),
  'agents/update': ['status', ...under('data', details)],
  'agents/connect': url,
  'agents/reboot': status,
  'agents/wake': status,
  'agents/logout': status,
  'agents/merge': status,
  'groups/list': under('data[]', ['id', 'name']),
  'groups/create': created,
  'groups/edit': status,
  'groups/remove': status,
  'groups/agent/insert': status,
  'groups/agent/remove': status,
  'team/role/list': under('data[]', words('id name type permission[] default')),
  'team/role/info': under('data', words('id name type description default permission[]')),
  'team/role/create': created,
  'team/role/edit': status,
  'team/role/remove': status,
  'team/member/access/list': [
    'status',
    ...under('data', ['id', 'email', ...under('roles[]', words('id agent_id group_id default'))]),
  ],
  'team/member/access/add': status,
  'team/member/access/remove': status,
  'team/department/access/list': [
    'status',
    ...under('data', ['id', ...under('roles[]', words('id agent_id group_id'))]),
  ],
  'team/department/access/add': status,
  'team/department/access/remove': status,
  'team/department/list': under('data[]', [...department, 'size']),
  'team/department/info': [
    'status',
    ...under('data', [...department, ...under('members[]', ['id', 'email'])]),
  ],
  'team/department/create': created,
  'team/department/update': status,
  'team/department/remove': status,
  'team/department/member/add': status,
  'team/department/member/remove': status,
};

/** Every object below a value, with its path and its fields, in their order. */
export function* objectsIn(value: unknown, path = ''): Generator<{ path: string; fields: string[] }> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const each of value) yield* objectsIn(each, `${path}[]`);
    return;
  }
  yield { path, fields: Object.keys(value) };
  for (const [name, inner] of Object.entries(value)) yield* objectsIn(inner, path ? `${path}.${name}` : name);
}

/** The fields that the reference has at a path, in its order. */
export const fieldsAt = (reply: readonly string[], path: string): string[] =>
  reply
    .filter((field) => field.slice(0, Math.max(0, field.lastIndexOf('.'))) === path)
    .map((field) => field.slice(field.lastIndexOf('.') + 1).replace('[]', ''));
