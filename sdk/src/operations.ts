/** Every operation of the API. Derived from the contract by `npm run derive`: change the rows, not this file. */

export interface Geo {
  ip: string;
  country: string;
  region: string;
  city: string;
}

export interface Connection {
  id: number;
  /** 0 new, 1 the client joined, 2 active, 3 closed */
  status: number;
  /** Unix timestamp in whole seconds */
  create_time: number;
  /** Invitation code, 9 digits */
  invite_code: string;
  /** URL for the client to accept the invitation */
  invite_url: string;
  /** URL for the operator to join the connection: for who is signed in at the panel, and once for somebody without an account, with what the caller may do; empty without `agent_connect` */
  connect_url: string;
  /** Client name; visible only to the account owner */
  client_name: string;
  /** Empty until the client has joined */
  client_os: 'win' | 'mac' | 'linux' | 'android' | '';
  /** Thumbnail of the client's desktop; empty until the client has joined, and without `agent_preview` */
  client_preview_url: string;
}

export interface Sessions {
  last?: {
    id: number;
    /** Unix timestamp in whole seconds */
    start_time: number;
    /** Absent while the connection is active */
    stop_time?: number;
    client: {
      ip: string;
      country: string;
      region: string;
      city: string;
      user_agent: string;
    };
  };
  total: number;
}

export interface Agent {
  id: number;
  /** Public identifier, 9 digits */
  device_id: number;
  name: string;
  /** Name of the group the device is in */
  group: string;
  /** Blocked: connecting is impossible */
  disabled: boolean;
  /** Becomes blocked 10 days after it was added */
  limited: boolean;
  /** When the device was added to the account */
  link_time: number;
  /** When the device was last online */
  last_time: number;
  geo: Geo;
  /** Permanent connection URL; absent while closed */
  permanent_url?: string;
  /** One-time connection URL of the caller: opens with what they may do; changes every 45 seconds; absent where the settings of device, group or account forbid it */
  onetime_url?: string;
  /** URL of the desktop preview image */
  preview_url: string;
  os: 'win' | 'mac' | 'linux' | 'android' | '';
  os_user: string;
  rdp: boolean;
  /** Sleep mode */
  hibernate: boolean;
  power_supply: boolean;
  /** Version of the agent */
  version: string;
  online: boolean;
  installed: boolean;
  favorite: boolean;
  /** Account (an e-mail address) that owns access to the computer */
  owner: string;
  sessions: Sessions;
}

export interface Hardware {
  BIOS: string;
  BIOSDate: string;
  BIOSVersion: string;
  CPU: string;
  CPUCores: number;
  CPUCoresLogical: number;
  CPUFamily: string;
  /** MHz */
  CPUSpeed: number;
  ComputerDomain: string;
  ComputerIP: string[];
  ComputerModel: string;
  ComputerName: string;
  ComputerWorkgroup: string;
  HDD: {
    Model: string;
    /** MB */
    Size: number;
  }[];
  Locale: string;
  LocaleCountry: string;
  LocaleCurrency: string;
  LocaleFormatDate: string;
  LocaleFormatTime: string;
  LocaleOemPage: string;
  /** Minutes east of UTC */
  LocaleTimezone: number;
  LogicalDisks: {
    /** Drive or mount point */
    Disk: string;
    FileSystem: string;
    /** MB */
    FreeSpace: number;
    /** Volume label */
    Name: string;
    /** MB */
    Size: number;
  }[];
  Monitors: {
    Name: string;
    ScreenHeight: number;
    ScreenWidth: number;
  }[];
  NetAdapters: {
    Addresses: string;
    /** Internet over a LAN cable */
    Cable: boolean;
    DCHP: string;
    DNS: string;
    MACAddress: string;
    Manufacturer: string;
    Name: string;
    /** Mbit/s */
    Speed: number;
    /** Wake-on-LAN enabled */
    WoL: boolean;
  }[];
  OSName: string;
  OSVersion: string;
  RAMBanks: {
    Bank: string;
    /** MB */
    Capacity: number;
    /** Bits */
    DataWidth: number;
    Locator: string;
    Manufacturer: string;
    PartNumber: string;
    SerialNumber: string;
  }[];
  /** MB */
  RAMPageFile: number;
  /** MB */
  RAMPhys: number;
  /** MB */
  RAMPhysAvail: number;
  /** MB */
  RAMVirt: number;
  /** MB */
  RAMVirtAvail: number;
  SoundDevices: {
    Name: string;
  }[];
  VideoCards: {
    Integrated: boolean;
    Name: string;
    /** MB */
    RAM: number;
  }[];
  VideoName: string;
  /** MB */
  VideoRAM: number;
}

export interface AgentDetails extends Agent {
  hardware: Hardware;
}

export interface Group {
  id: number;
  name: string;
}

export interface Role {
  id: number;
  name: string;
  /** Role type */
  type: 'agent' | 'group' | 'quick_support' | 'team';
  permission: string[];
  default: boolean;
}

export interface RoleDetails {
  id: number;
  name: string;
  /** Role type */
  type: 'agent' | 'group' | 'quick_support' | 'team';
  description: string;
  /** True for a system role */
  default: boolean;
  permission: string[];
}

export interface AccessEntry {
  /** Role identifier */
  id: number;
  /** Device the role applies to; only for a role with scope agent */
  agent_id?: number;
  /** Group the role applies to; only for a role with scope group */
  group_id?: number;
  /** When it ends; absent for an entry without an end */
  until?: number;
}

export interface MemberAccessEntry extends AccessEntry {
  /** Only for an entry without device or group: true for a system role */
  default?: boolean;
}

export interface Department {
  id: number;
  name: string;
  /** Imported from an identity provider through LDAP */
  ldap: boolean;
  /** Meant for workplaces */
  worker: boolean;
  /** Unix timestamp in whole seconds */
  create_time: number;
  /** Unix timestamp in whole seconds */
  modify_time: number;
  /** Number of members */
  size: number;
}

export interface DepartmentDetails {
  id: number;
  name: string;
  /** Imported from an identity provider through LDAP */
  ldap: boolean;
  /** Meant for workplaces */
  worker: boolean;
  /** Unix timestamp in whole seconds */
  create_time: number;
  /** Unix timestamp in whole seconds */
  modify_time: number;
  members: {
    id: number;
    email: string;
  }[];
}

export interface HistoryEntry {
  id: number;
  /** Unix timestamp in whole seconds */
  start: number;
  /** Absent while the connection is active */
  stop?: number;
  support_id?: number;
  client: {
    user_agent: string;
    login: string;
    geo: Geo;
  }[];
  agent?: {
    id: number;
    name: string;
    group: string;
    geo: Geo;
    os: string;
    version: string;
    owner: string;
  };
  /** The recording; absent where there is none */
  video?: {
    /** A page that plays it, for nobody but the person who asked */
    url: string;
    /** Bytes */
    size: number;
  };
  /** What was written down about it; absent where nothing was */
  note?: string;
  /** Why the person was given access for a while; absent where it lasts */
  reason?: string;
  /** Who ended it; `lost` when it was cut and nobody came back. Absent while it runs */
  ended_by?: 'operator' | 'device' | 'server' | 'lost';
  /** What went between both sides, in both directions; counted every five seconds while it runs */
  bytes: number;
}

export interface Member {
  id: number;
  email: string;
  owner: boolean;
  /** `disabled`: their directory has disabled them, or they left it */
  state: 'invited' | 'active' | 'disabled';
  /** Unix timestamp in whole seconds */
  create_time: number;
  departments: {
    id: number;
    name: string;
  }[];
}

export interface EffectivePermission {
  permission: string;
  says: string;
  through: {
    role_id: number;
    role: string;
    scope: 'agent' | 'group';
    group_id?: number;
    /** Held through this department */
    department_id?: number;
    /** When it ends */
    until?: number;
  }[];
}

export interface ApiKey {
  id: number;
  name: string;
  /** The first characters of the key */
  prefix: string;
  /** Whose key it is */
  email: string;
  /** Unix timestamp in whole seconds */
  create_time: number;
  /** Absent when the key does not expire */
  expires?: number;
  /** Absent when the key was never used */
  last_used?: number;
  networks: string[];
  expired: boolean;
}

export interface Meter {
  /** Absent when unlimited */
  limit?: number;
  used: number;
}

export interface PeriodMeter extends Meter {
  /** Unix timestamp in whole seconds */
  resets: number;
}

export interface AuditEntry {
  /** Position in the chain */
  id: number;
  /** Unix timestamp in whole seconds */
  time: number;
  email: string;
  address: string;
  operation: string;
  says: string;
  /** done, or the code of the refusal */
  outcome: string;
  /** What was asked, less its secrets */
  input: Record<string, unknown>;
  hash: string;
}

/** The operation takes no parameters. */
export type NoParams = Record<string, never>;

export type SupportListParams = NoParams;

/** The answer to support/list. */
export interface SupportListReply {
  /** Connections left in the plan */
  remain: number;
  data: Connection[];
}

/** GET /v1/support/info: Show one invitation. */
export interface SupportInfoParams {
  /** Connection identifier */
  connection_id: number;
}

/** The answer to support/info. */
export interface SupportInfoReply {
  data: Connection;
}

/** POST /v1/support/create: Invite a client to a quick-support connection. */
export interface SupportCreateParams {
  /** Client name; default "" */
  client_name?: string;
}

/** The answer to support/create. */
export interface SupportCreateReply {
  data: Connection;
}

/** POST /v1/support/update: Change the client name of an invitation. */
export interface SupportUpdateParams {
  /** Connection identifier */
  connection_id: number;
  /** Client name */
  name?: string;
}

/** The answer to support/update. */
export interface SupportUpdateReply {
  status: 0;
}

/** POST /v1/support/connect: Create a single-use link for the operator to join the connection. */
export interface SupportConnectParams {
  /** Connection identifier */
  connection_id: number;
  /** Manual switch of video recording */
  video?: boolean;
}

/** The answer to support/connect. */
export interface SupportConnectReply {
  data: {
    /** Single-use operator link */
    url: string;
  };
}

/** POST /v1/support/close: Close a connection: both sides are disconnected and its links stop working. */
export interface SupportCloseParams {
  /** Connection identifier */
  connection_id: number;
}

export type SupportCloseReply = Record<string, never>;

/** GET /v1/agents/list: List the devices the caller may see. */
export interface AgentsListParams {
  /** Part of the name, IP address or group name */
  search?: string;
  /** Only devices of this group; all when empty */
  group_id?: string;
  /** How many to skip */
  offset?: number;
  /** How many to return at the most; all when absent */
  limit?: number;
}

/** The answer to agents/list. */
export interface AgentsListReply {
  data: Agent[];
}

/** GET /v1/agents/info: Show one device with its hardware. */
export interface AgentsInfoParams {
  agent_id: number;
}

/** The answer to agents/info. */
export interface AgentsInfoReply {
  data: AgentDetails;
}

/** POST /v1/agents/update: Change the name and the permanent link of a device; only what is sent changes. */
export interface AgentsUpdateParams {
  id: number;
  name?: string;
  permanent_url?: {
    enable?: boolean;
    /** Path of the link: 3 to 64 characters of `a-z`, `0-9` and `-`, and no word that the service uses itself, such as `panel` */
    url?: string;
    /** Letters and digits. Anyone who sets it, or opens the link, must hold every permission of a session */
    password?: string;
  };
}

/** The answer to agents/update. */
export interface AgentsUpdateReply {
  status: 0;
  data: AgentDetails;
}

/** POST /v1/agents/connect: Create a single-use link to the device. */
export interface AgentsConnectParams {
  agent_id?: number;
  /** Used when agent_id is absent */
  device_id?: number;
  /** true turns video recording on, false off */
  video?: boolean;
}

/** The answer to agents/connect. */
export interface AgentsConnectReply {
  data: {
    /** Single-use link */
    url: string;
  };
}

/** POST /v1/agents/reboot: Reboot the device, in safe mode if asked. */
export interface AgentsRebootParams {
  id: number;
  /** true: safe mode; false: normal; default false */
  safe?: boolean;
}

/** The answer to agents/reboot. */
export interface AgentsRebootReply {
  status: 0;
}

/** POST /v1/agents/wake: Wake the device with Wake-on-LAN. */
export interface AgentsWakeParams {
  id: number;
}

/** The answer to agents/wake. */
export interface AgentsWakeReply {
  status: 0;
}

/** POST /v1/agents/logout: Unlink the device from the account and remove it from permanent access. */
export interface AgentsLogoutParams {
  id: number;
}

/** The answer to agents/logout. */
export interface AgentsLogoutReply {
  status: 0;
}

/** POST /v1/agents/merge: Merge a duplicate into the device that stays. */
export interface AgentsMergeParams {
  /** The duplicate */
  agent_id?: number;
  /** The duplicate, by its public identifier */
  device_id?: number;
  /** The device that stays */
  target_agent_id?: number;
  /** The device that stays, by its public identifier */
  target_device_id?: number;
}

/** The answer to agents/merge. */
export interface AgentsMergeReply {
  status: 0;
}

export type GroupsListParams = NoParams;

/** The answer to groups/list. */
export interface GroupsListReply {
  data: Group[];
}

/** POST /v1/groups/create: Create a group of devices. */
export interface GroupsCreateParams {
  name: string;
  /** Position of the group in the list */
  order?: number;
}

/** The answer to groups/create. */
export interface GroupsCreateReply {
  status: 0;
  id: number;
}

/** POST /v1/groups/edit: Change the name and the position of a group. */
export interface GroupsEditParams {
  id: number;
  name?: string;
  /** Position of the group in the list */
  order?: number;
}

/** The answer to groups/edit. */
export interface GroupsEditReply {
  status: 0;
}

/** POST /v1/groups/remove: Remove a group; its devices stay, without a group. */
export interface GroupsRemoveParams {
  id: number;
}

/** The answer to groups/remove. */
export interface GroupsRemoveReply {
  status: 0;
}

/** POST /v1/groups/agent/insert: Put a device into a group. */
export interface GroupsAgentInsertParams {
  /** Group */
  id: number;
  agent_id: number;
}

/** The answer to groups/agent/insert. */
export interface GroupsAgentInsertReply {
  status: 0;
}

/** POST /v1/groups/agent/remove: Take a device out of its group. */
export interface GroupsAgentRemoveParams {
  agent_id: number;
}

/** The answer to groups/agent/remove. */
export interface GroupsAgentRemoveReply {
  status: 0;
}

/** GET /v1/team/role/list: List the roles of the team. */
export interface TeamRoleListParams {
  /** Part of the name */
  search?: string;
  /** Role type */
  type?: 'agent' | 'group' | 'quick_support' | 'team';
  /** How many to skip; default 0 */
  offset?: number;
  /** How many to return at the most; default 20 */
  limit?: number;
}

/** The answer to team/role/list. */
export interface TeamRoleListReply {
  data: Role[];
}

/** GET /v1/team/role/info: Show one role. */
export interface TeamRoleInfoParams {
  id: number;
}

/** The answer to team/role/info. */
export interface TeamRoleInfoReply {
  data: RoleDetails;
}

/** POST /v1/team/role/create: Create a custom role. */
export interface TeamRoleCreateParams {
  name: string;
  /** default "" */
  description?: string;
  /** Role type */
  type: 'agent' | 'group' | 'quick_support' | 'team';
  /** Permissions allowed for the type of the role; default [] */
  permission?: string[];
}

/** The answer to team/role/create. */
export interface TeamRoleCreateReply {
  status: 0;
  id: number;
}

/** POST /v1/team/role/edit: Change a custom role; only what is sent changes. */
export interface TeamRoleEditParams {
  id: number;
  name?: string;
  description?: string;
  /** Permissions allowed for the type of the role */
  permission?: string[];
}

/** The answer to team/role/edit. */
export interface TeamRoleEditReply {
  status: 0;
}

/** POST /v1/team/role/remove: Remove a custom role together with its grants. */
export interface TeamRoleRemoveParams {
  id: number;
}

/** The answer to team/role/remove. */
export interface TeamRoleRemoveReply {
  status: 0;
}

/** GET /v1/team/member/access/list: List what a technician is granted. */
export interface TeamMemberAccessListParams {
  /** Technician account or sent invitation */
  email: string;
}

/** The answer to team/member/access/list. */
export interface TeamMemberAccessListReply {
  status: 0;
  data: {
    id: number;
    email: string;
    roles: MemberAccessEntry[];
  };
}

/** POST /v1/team/member/access/add: Grant a role to a technician. */
export interface TeamMemberAccessAddParams {
  email: string;
  role_id: number;
  /** Needed for a role with scope agent */
  agent_id?: number;
  /** Needed for a role with scope group */
  group_id?: number;
  /** When the access ends; without it, it does not */
  until?: number;
}

/** The answer to team/member/access/add. */
export interface TeamMemberAccessAddReply {
  status: 0;
}

/** POST /v1/team/member/access/remove: Take a role from a technician. */
export interface TeamMemberAccessRemoveParams {
  email: string;
  role_id: number;
  /** Needed for a role with scope agent */
  agent_id?: number;
  /** Needed for a role with scope group */
  group_id?: number;
}

/** The answer to team/member/access/remove. */
export interface TeamMemberAccessRemoveReply {
  status: 0;
}

/** GET /v1/team/department/access/list: List what a department is granted. */
export interface TeamDepartmentAccessListParams {
  /** Department */
  id: number;
}

/** The answer to team/department/access/list. */
export interface TeamDepartmentAccessListReply {
  status: 0;
  data: {
    id: number;
    roles: AccessEntry[];
  };
}

/** POST /v1/team/department/access/add: Grant a role to a department. */
export interface TeamDepartmentAccessAddParams {
  department_id: number;
  role_id: number;
  /** Needed for a role with scope agent */
  agent_id?: number;
  /** Needed for a role with scope group */
  group_id?: number;
  /** When the access ends; without it, it does not */
  until?: number;
}

/** The answer to team/department/access/add. */
export interface TeamDepartmentAccessAddReply {
  status: 0;
}

/** POST /v1/team/department/access/remove: Take a role from a department. */
export interface TeamDepartmentAccessRemoveParams {
  department_id: number;
  role_id: number;
  /** Needed for a role with scope agent */
  agent_id?: number;
  /** Needed for a role with scope group */
  group_id?: number;
}

/** The answer to team/department/access/remove. */
export interface TeamDepartmentAccessRemoveReply {
  status: 0;
}

/** GET /v1/team/department/list: List the departments. */
export interface TeamDepartmentListParams {
  /** Part of the name */
  search?: string;
  /** How many to skip; default 0 */
  offset?: number;
  /** How many to return at the most; default 20 */
  limit?: number;
}

/** The answer to team/department/list. */
export interface TeamDepartmentListReply {
  data: Department[];
}

/** GET /v1/team/department/info: Show one department with its members. */
export interface TeamDepartmentInfoParams {
  id: number;
}

/** The answer to team/department/info. */
export interface TeamDepartmentInfoReply {
  status: 0;
  data: DepartmentDetails;
}

/** POST /v1/team/department/create: Create a department. */
export interface TeamDepartmentCreateParams {
  name: string;
  /** Meant for workplaces; default false */
  worker?: boolean;
}

/** The answer to team/department/create. */
export interface TeamDepartmentCreateReply {
  status: 0;
  id: number;
}

/** POST /v1/team/department/update: Change the name of a department. */
export interface TeamDepartmentUpdateParams {
  id: number;
  name?: string;
}

/** The answer to team/department/update. */
export interface TeamDepartmentUpdateReply {
  status: 0;
}

/** POST /v1/team/department/remove: Remove a department together with its grants. */
export interface TeamDepartmentRemoveParams {
  id: number;
}

/** The answer to team/department/remove. */
export interface TeamDepartmentRemoveReply {
  status: 0;
}

/** POST /v1/team/department/member/add: Put a technician into a department. */
export interface TeamDepartmentMemberAddParams {
  /** Department */
  id: number;
  email: string;
}

/** The answer to team/department/member/add. */
export interface TeamDepartmentMemberAddReply {
  status: 0;
}

/** POST /v1/team/department/member/remove: Take a technician out of a department. */
export interface TeamDepartmentMemberRemoveParams {
  /** Department */
  id: number;
  email: string;
}

/** The answer to team/department/member/remove. */
export interface TeamDepartmentMemberRemoveReply {
  status: 0;
}

/** GET /v1/history/list: List past and running connections, newest first. */
export interface HistoryListParams {
  /** Only connections to devices, or of invitations */
  kind?: 'agent' | 'support';
  /** Only connections to this device */
  agent_id?: number;
  /** Only connections of this invitation */
  support_id?: number;
  /** Only connections that started then or later */
  date_from?: number;
  /** Only connections that started then or earlier */
  date_to?: number;
  /** Only connections with, or without, a recording */
  video?: boolean;
  /** Only connections of this person */
  email?: string;
  /** How many to skip; default 0 */
  offset?: number;
  /** How many to return at the most; default 20 */
  limit?: number;
}

/** The answer to history/list. */
export interface HistoryListReply {
  offset: number;
  limit: number;
  total: number;
  filter: {
    /** Only connections to devices, or of invitations */
    kind?: 'agent' | 'support';
    /** Only connections to this device */
    agent_id?: number;
    /** Only connections of this invitation */
    support_id?: number;
    /** Only connections that started then or later */
    date_from?: number;
    /** Only connections that started then or earlier */
    date_to?: number;
    /** Only connections with, or without, a recording */
    video?: boolean;
    /** Only connections of this person */
    email?: string;
  };
  data: HistoryEntry[];
}

/** GET /v1/history/export: Download past and running connections as a table, newest first. */
export interface HistoryExportParams {
  /** Only connections to devices, or of invitations */
  kind?: 'agent' | 'support';
  /** Only connections to this device */
  agent_id?: number;
  /** Only connections of this invitation */
  support_id?: number;
  /** Only connections that started then or later */
  date_from?: number;
  /** Only connections that started then or earlier */
  date_to?: number;
  /** Only connections with, or without, a recording */
  video?: boolean;
  /** Only connections of this person */
  email?: string;
}

/** The answer to history/export: the file. */
export type HistoryExportReply = ReadableStream<Uint8Array<ArrayBuffer>>;

/** POST /v1/history/video/remove: Remove the recording of a past connection for good. */
export interface HistoryVideoRemoveParams {
  /** Connection identifier, as in history/list */
  id: number;
}

/** The answer to history/video/remove. */
export interface HistoryVideoRemoveReply {
  status: 0;
}

/** GET /v1/team/member/list: List the people of the account. */
export interface TeamMemberListParams {
  /** Part of the e-mail address */
  search?: string;
  /** How many to skip; default 0 */
  offset?: number;
  /** How many to return at the most; default 20 */
  limit?: number;
}

/** The answer to team/member/list. */
export interface TeamMemberListReply {
  total: number;
  data: Member[];
}

/** POST /v1/team/member/invite: Invite a technician; the link in the answer is shown once and makes the account theirs. */
export interface TeamMemberInviteParams {
  email: string;
}

/** The answer to team/member/invite. */
export interface TeamMemberInviteReply {
  status: 0;
  id: number;
  /** One-use link for the technician, valid for 7 days and as long as they hold no right that you lack. Absent where they do already: then it is sent to them alone */
  url?: string;
  /** Where the server has mail: whether a link of their own was sent to them, which any of the two ends */
  mailed?: boolean;
}

/** POST /v1/team/member/remove: Remove a technician; their keys, grants and links stop working at once. */
export interface TeamMemberRemoveParams {
  email: string;
}

/** The answer to team/member/remove. */
export interface TeamMemberRemoveReply {
  status: 0;
}

/** GET /v1/team/access/effective: Show what a person may do on a device, and through which grant. */
export interface TeamAccessEffectiveParams {
  email: string;
  agent_id: number;
}

/** The answer to team/access/effective. */
export interface TeamAccessEffectiveReply {
  status: 0;
  data: {
    /** The person */
    id: number;
    email: string;
    agent_id: number;
    /** The owner may do everything */
    owner: boolean;
    permissions: EffectivePermission[];
  };
}

export type KeysListParams = NoParams;

/** The answer to keys/list. */
export interface KeysListReply {
  data: ApiKey[];
}

/** POST /v1/keys/create: Create an API key with your own rights; it is shown once. */
export interface KeysCreateParams {
  /** default "API key" */
  name?: string;
  /** When the key stops working */
  expires?: number;
  /** Networks the key may be used from; everywhere when empty; default [] */
  networks?: string[];
}

/** The answer to keys/create. */
export interface KeysCreateReply {
  status: 0;
  id: number;
  /** The key: 64 characters, shown once */
  api_key: string;
}

/** POST /v1/keys/revoke: Revoke an API key at once. */
export interface KeysRevokeParams {
  id: number;
}

/** The answer to keys/revoke. */
export interface KeysRevokeReply {
  status: 0;
}

export type PlanInfoParams = NoParams;

/** The answer to plan/info. */
export interface PlanInfoReply {
  data: {
    computers: Meter;
    /** Per calendar month, UTC */
    invitations: PeriodMeter;
    files: Meter;
    /** Per hour */
    requests: PeriodMeter;
    recording_mb: Meter;
  };
}

/** GET /v1/audit/list: List what was done and refused in the account, newest first. */
export interface AuditListParams {
  /** Only this operation, like agents/reboot */
  operation?: string;
  /** Only what this person did */
  email?: string;
  /** Unix timestamp in whole seconds */
  date_from?: number;
  /** Unix timestamp in whole seconds */
  date_to?: number;
  /** How many to skip; default 0 */
  offset?: number;
  /** How many to return at the most; default 20 */
  limit?: number;
}

/** The answer to audit/list. */
export interface AuditListReply {
  total: number;
  data: AuditEntry[];
}

export type AuditVerifyParams = NoParams;

/** The answer to audit/verify. */
export interface AuditVerifyReply {
  data: {
    intact: boolean;
    /** How many lines are in order, from the first on */
    lines: number;
    /** The last line that was looked at, by its position in the chain */
    checked_to: number;
    /** The first line that was changed, is missing or was put there; absent when intact */
    broken_at?: number;
  };
}

/** POST /v1/agents/enroll/create: Create a token with which devices join the account; it is shown once. */
export interface AgentsEnrollCreateParams {
  /** The group new devices are put into */
  group_id?: number;
  /** How many devices may use the token; default 1 */
  uses?: number;
  /** When the token stops working; a day from now when absent */
  expires?: number;
}

/** The answer to agents/enroll/create. */
export interface AgentsEnrollCreateReply {
  status: 0;
  id: number;
  /** The token, shown once */
  token: string;
  /** Unix timestamp in whole seconds */
  expires: number;
}

export type AgentsEnrollListParams = NoParams;

/** The answer to agents/enroll/list. */
export interface AgentsEnrollListReply {
  data: {
    id: number;
    /** Who created it */
    email: string;
    group_id?: number;
    uses: number;
    uses_left: number;
    /** Unix timestamp in whole seconds */
    create_time: number;
    /** Unix timestamp in whole seconds */
    expires: number;
    /** False while the person who created it may not add devices: no device can join with it */
    active: boolean;
  }[];
}

/** POST /v1/agents/enroll/revoke: Revoke a token at once; devices that joined with it stay. */
export interface AgentsEnrollRevokeParams {
  id: number;
}

/** The answer to agents/enroll/revoke. */
export interface AgentsEnrollRevokeReply {
  status: 0;
}

export type AgentsPendingParams = NoParams;

/** The answer to agents/pending. */
export interface AgentsPendingReply {
  data: {
    id: number;
    device_id: number;
    name: string;
    os: string;
    ip: string;
    /** Unix timestamp in whole seconds */
    link_time: number;
  }[];
}

/** POST /v1/agents/approve: Approve a new device, where the account asks for it. */
export interface AgentsApproveParams {
  id: number;
}

/** The answer to agents/approve. */
export interface AgentsApproveReply {
  status: 0;
}

export type AccountInfoParams = NoParams;

/** The answer to account/info. */
export interface AccountInfoReply {
  data: {
    /** New devices wait for approval before they can be used */
    approve_devices: boolean;
    /** Connections are recorded unless a link says otherwise */
    record: boolean;
    /** Whether devices have one-time URLs where neither device nor group says otherwise */
    onetime_url: 'allow' | 'forbid';
  };
}

/** POST /v1/account/update: Change the settings of the account; only what is sent changes. */
export interface AccountUpdateParams {
  /** New devices wait for approval before they can be used */
  approve_devices?: boolean;
  /** Connections are recorded unless a link says otherwise */
  record?: boolean;
  /** Whether devices have one-time URLs where neither device nor group says otherwise */
  onetime_url?: 'allow' | 'forbid';
}

/** The answer to account/update. */
export interface AccountUpdateReply {
  status: 0;
}

/** POST /v1/agents/lock: Lock the screen of the person who works on the device. */
export interface AgentsLockParams {
  id: number;
}

/** The answer to agents/lock. */
export interface AgentsLockReply {
  status: 0;
}

/** POST /v1/agents/favorite: Mark the device as a favourite of yours, or no longer. */
export interface AgentsFavoriteParams {
  id: number;
  /** Whether it is a favourite from now on */
  favorite: boolean;
}

/** The answer to agents/favorite. */
export interface AgentsFavoriteReply {
  status: 0;
}

/** GET /v1/agents/software: List the software that is installed on the device. */
export interface AgentsSoftwareParams {
  agent_id: number;
}

/** The answer to agents/software. */
export interface AgentsSoftwareReply {
  /** When the device told it */
  time: number;
  data: {
    name: string;
    version: string;
    publisher: string;
    install_date: string;
  }[];
}

export type AgentsDuplicatesParams = NoParams;

/** The answer to agents/duplicates. */
export interface AgentsDuplicatesReply {
  data: {
    /** The duplicate: the one that was seen less lately */
    source: {
      id: number;
      device_id: number;
      name: string;
      online: boolean;
      /** Unix timestamp in whole seconds */
      last_time: number;
    };
    /** The device to keep */
    target: {
      id: number;
      device_id: number;
      name: string;
      online: boolean;
      /** Unix timestamp in whole seconds */
      last_time: number;
    };
    because: ('machine_id' | 'serial' | 'mac' | 'copied_key')[];
  }[];
  /** Devices whose key was used from two machines */
  copied: {
    id: number;
    device_id: number;
    name: string;
    online: boolean;
    /** Unix timestamp in whole seconds */
    last_time: number;
    /** Unix timestamp in whole seconds */
    time: number;
  }[];
  total: number;
}

/** POST /v1/agents/copied/clear: Confirm that the copied key of a device was investigated: it is listed again when two machines use it again. */
export interface AgentsCopiedClearParams {
  id: number;
}

/** The answer to agents/copied/clear. */
export interface AgentsCopiedClearReply {
  status: 0;
}

/** GET /v1/agents/settings: Show the settings of a device. */
export interface AgentsSettingsParams {
  agent_id: number;
}

/** The answer to agents/settings. */
export interface AgentsSettingsReply {
  data: {
    /** Whether the device has one-time URLs; `inherit` leaves it to its group, or to the account */
    onetime_url: 'inherit' | 'allow' | 'forbid';
    /** What the group or the account says, which applies with `inherit` */
    onetime_url_inherited: 'allow' | 'forbid';
  };
}

/** POST /v1/agents/settings/update: Change the settings of a device; only what is sent changes. */
export interface AgentsSettingsUpdateParams {
  agent_id: number;
  /** Whether the device has one-time URLs; `inherit` leaves it to its group, or to the account */
  onetime_url?: 'inherit' | 'allow' | 'forbid';
}

/** The answer to agents/settings/update. */
export interface AgentsSettingsUpdateReply {
  status: 0;
}

/** GET /v1/agents/notes: Show what was written down about the device. */
export interface AgentsNotesParams {
  agent_id: number;
}

/** The answer to agents/notes. */
export interface AgentsNotesReply {
  data: {
    notes: string;
  };
}

/** POST /v1/agents/notes/update: Write down something about the device, in the place of what was there. */
export interface AgentsNotesUpdateParams {
  agent_id: number;
  /** Plain text; empty for none */
  notes: string;
  /** What was there when it was read: refused when it says something else by now */
  before?: string;
}

/** The answer to agents/notes/update. */
export interface AgentsNotesUpdateReply {
  status: 0;
}

/** GET /v1/agents/files/list: List the files that are attached to the device, oldest first. */
export interface AgentsFilesListParams {
  agent_id: number;
  /** How many to skip; default 0 */
  offset?: number;
  /** How many to return at the most; default 20 */
  limit?: number;
}

/** The answer to agents/files/list. */
export interface AgentsFilesListReply {
  total: number;
  data: {
    id: number;
    name: string;
    /** Bytes */
    size: number;
    /** SHA-256 of the bytes, 64 hexadecimal digits */
    sha256: string;
    /** Media type, as it was told when the file was attached */
    type: string;
    note: string;
    /** When it was attached */
    time: number;
    /** E-mail address of who attached it */
    author: string;
  }[];
}

/** POST /v1/agents/files/add: Attach a file to the device. */
export interface AgentsFilesAddParams {
  agent_id: number;
  /** What the file is called; it is no path */
  name: string;
  /** Media type; default "application/octet-stream" */
  type?: string;
  /** What it is for; default "" */
  note?: string;
}

/** The answer to agents/files/add. */
export interface AgentsFilesAddReply {
  status: 0;
  id: number;
  /** Bytes */
  size: number;
  /** SHA-256 of the bytes, 64 hexadecimal digits */
  sha256: string;
}

/** POST /v1/agents/files/remove: Remove an attached file. */
export interface AgentsFilesRemoveParams {
  id: number;
}

/** The answer to agents/files/remove. */
export interface AgentsFilesRemoveReply {
  status: 0;
}

/** GET /v1/agents/files/get: Download an attached file. */
export interface AgentsFilesGetParams {
  id: number;
}

/** The answer to agents/files/get: the file. */
export type AgentsFilesGetReply = ReadableStream<Uint8Array<ArrayBuffer>>;

/** GET /v1/groups/settings: Show the settings of a group. */
export interface GroupsSettingsParams {
  /** Group */
  id: number;
}

/** The answer to groups/settings. */
export interface GroupsSettingsReply {
  data: {
    /** Whether the person at the device is asked before somebody connects. With `ask`, holders of agent_no_confirm are not held up; with `always`, everyone is, and the device ensures it */
    confirm: 'never' | 'ask' | 'always';
    /** Whether devices of the group have one-time URLs; `inherit` leaves it to the account */
    onetime_url: 'inherit' | 'allow' | 'forbid';
  };
}

/** POST /v1/groups/settings/update: Change the settings of a group; what is not sent stays as it is. */
export interface GroupsSettingsUpdateParams {
  /** Group */
  id: number;
  /** Whether the person at the device is asked before somebody connects. With `ask`, holders of agent_no_confirm are not held up; with `always`, everyone is, and the device ensures it */
  confirm?: 'never' | 'ask' | 'always';
  /** Whether devices of the group have one-time URLs; `inherit` leaves it to the account */
  onetime_url?: 'inherit' | 'allow' | 'forbid';
}

/** The answer to groups/settings/update. */
export interface GroupsSettingsUpdateReply {
  status: 0;
}

/** GET /v1/sessions/list: List the connections that run now, newest first. */
export interface SessionsListParams {
  /** Only connections to this device */
  agent_id?: number;
  /** Only connections of this invitation */
  support_id?: number;
  /** How many to skip; default 0 */
  offset?: number;
  /** How many to return at the most; default 20 */
  limit?: number;
}

/** The answer to sessions/list. */
export interface SessionsListReply {
  total: number;
  data: {
    id: number;
    /** Unix timestamp in whole seconds */
    start: number;
    agent_id?: number;
    support_id?: number;
    /** Name of the device; empty for an invitation */
    name: string;
    /** Whose link was used; empty for somebody with the password of the device */
    login: string;
    /** Where they connect from */
    ip: string;
    user_agent: string;
  }[];
}

/** POST /v1/sessions/close: End a connection that runs: both sides are disconnected. */
export interface SessionsCloseParams {
  /** Connection identifier, as in sessions/list and history/list */
  id: number;
}

/** The answer to sessions/close. */
export interface SessionsCloseReply {
  status: 0;
}

/** POST /v1/sessions/note: Write down something about a connection, past or running. */
export interface SessionsNoteParams {
  /** Connection identifier, as in sessions/list and history/list */
  id: number;
  /** Replaces what was written before */
  note: string;
}

/** The answer to sessions/note. */
export interface SessionsNoteReply {
  status: 0;
}

export type BrandingInfoParams = NoParams;

/** The answer to branding/info. */
export interface BrandingInfoReply {
  data: {
    name: string;
    /** Address of the picture; empty when there is none */
    logo: string;
    /** A colour like #1f6feb; empty when it is the usual one */
    accent: string;
  };
}

/** POST /v1/branding/update: Change the name and the colour; what is not sent stays as it is. */
export interface BrandingUpdateParams {
  /** Shown in the place of Drawbridge; empty for the usual one */
  name?: string;
  /** A colour such as #1f6feb; empty for the usual one */
  accent?: string;
}

/** The answer to branding/update. */
export interface BrandingUpdateReply {
  status: 0;
}

export type BrandingLogoParams = NoParams;

/** The answer to branding/logo. */
export interface BrandingLogoReply {
  status: 0;
  /** Address of the picture */
  logo: string;
}

export type BrandingLogoRemoveParams = NoParams;

/** The answer to branding/logo/remove. */
export interface BrandingLogoRemoveReply {
  status: 0;
}

/** GET /v1/agents/policy: Show the policy of a device: each setting, and whether the device, its group or the account decided it. */
export interface AgentsPolicyParams {
  agent_id: number;
}

/** The answer to agents/policy. */
export interface AgentsPolicyReply {
  data: {
    /** Whether the person at the device is asked before somebody connects. With `ask`, holders of agent_no_confirm are not held up; with `always`, everyone is, and the device ensures it */
    confirm: {
      /** Whether the person at the device is asked before somebody connects. With `ask`, holders of agent_no_confirm are not held up; with `always`, everyone is, and the device ensures it */
      value: 'never' | 'ask' | 'always';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'never' | 'ask' | 'always';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Whether the screen is shown only if the person at the device can be told who is connected. Some Wayland desktops have no place for the banner */
    notice: {
      /** Whether the screen is shown only if the person at the device can be told who is connected. Some Wayland desktops have no place for the banner */
      value: 'required' | 'where_possible';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'required' | 'where_possible';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** `allowed` leaves it to the link, to the account and to the operator */
    recording: {
      /** `allowed` leaves it to the link, to the account and to the operator */
      value: 'off' | 'allowed' | 'always';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'allowed' | 'always';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** In which directions the clipboard is sent */
    clipboard: {
      /** In which directions the clipboard is sent */
      value: 'off' | 'to_device' | 'from_device' | 'both';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'to_device' | 'from_device' | 'both';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** In which directions files are sent. Creating, renaming and removing count as `to_device` */
    files: {
      /** In which directions files are sent. Creating, renaming and removing count as `to_device` */
      value: 'off' | 'to_device' | 'from_device' | 'both';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'to_device' | 'from_device' | 'both';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Whether operators can open terminals */
    terminal: {
      /** Whether operators can open terminals */
      value: 'off' | 'on';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'on';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Whether operators can hear the sound of the device */
    sound: {
      /** Whether operators can hear the sound of the device */
      value: 'off' | 'on';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'on';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Whether documents printed on the device can be sent to operators */
    printing: {
      /** Whether documents printed on the device can be sent to operators */
      value: 'off' | 'on';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'on';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Whether sessions may switch from the relay to a direct connection */
    direct: {
      /** Whether sessions may switch from the relay to a direct connection */
      value: 'off' | 'on';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'on';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** When the device ends a session that nobody uses */
    idle_timeout: {
      /** When the device ends a session that nobody uses */
      value: 'never' | '5m' | '10m' | '15m' | '30m' | '1h' | '2h' | '4h' | '8h';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'never' | '5m' | '10m' | '15m' | '30m' | '1h' | '2h' | '4h' | '8h';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Whether the device has one-time URLs */
    onetime_url: {
      /** Whether the device has one-time URLs */
      value: 'allow' | 'forbid';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'allow' | 'forbid';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Which updates the agent installs: those that the server offers, or none */
    update_channel: {
      /** Which updates the agent installs: those that the server offers, or none */
      value: 'stable' | 'off';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'stable' | 'off';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
  };
  /** Whether the agent enforces the policy itself. For an older agent the server does what it can: it allows less */
  enforced: boolean;
}

/** POST /v1/agents/policy/update: Change the policy of a device; what is not sent stays as it is, and `inherit` leaves it to the group or the account. */
export interface AgentsPolicyUpdateParams {
  agent_id: number;
  /** Whether the person at the device is asked before somebody connects. With `ask`, holders of agent_no_confirm are not held up; with `always`, everyone is, and the device ensures it */
  confirm?: 'never' | 'ask' | 'always' | 'inherit';
  /** Whether the screen is shown only if the person at the device can be told who is connected. Some Wayland desktops have no place for the banner */
  notice?: 'required' | 'where_possible' | 'inherit';
  /** `allowed` leaves it to the link, to the account and to the operator */
  recording?: 'off' | 'allowed' | 'always' | 'inherit';
  /** In which directions the clipboard is sent */
  clipboard?: 'off' | 'to_device' | 'from_device' | 'both' | 'inherit';
  /** In which directions files are sent. Creating, renaming and removing count as `to_device` */
  files?: 'off' | 'to_device' | 'from_device' | 'both' | 'inherit';
  /** Whether operators can open terminals */
  terminal?: 'off' | 'on' | 'inherit';
  /** Whether operators can hear the sound of the device */
  sound?: 'off' | 'on' | 'inherit';
  /** Whether documents printed on the device can be sent to operators */
  printing?: 'off' | 'on' | 'inherit';
  /** Whether sessions may switch from the relay to a direct connection */
  direct?: 'off' | 'on' | 'inherit';
  /** When the device ends a session that nobody uses */
  idle_timeout?: 'never' | '5m' | '10m' | '15m' | '30m' | '1h' | '2h' | '4h' | '8h' | 'inherit';
  /** Whether the device has one-time URLs */
  onetime_url?: 'allow' | 'forbid' | 'inherit';
  /** Which updates the agent installs: those that the server offers, or none */
  update_channel?: 'stable' | 'off' | 'inherit';
}

/** The answer to agents/policy/update. */
export interface AgentsPolicyUpdateReply {
  status: 0;
}

/** GET /v1/groups/policy: Show the policy of a group: each setting, and whether the group or the account decided it. */
export interface GroupsPolicyParams {
  /** Group */
  id: number;
}

/** The answer to groups/policy. */
export interface GroupsPolicyReply {
  data: {
    /** Whether the person at the device is asked before somebody connects. With `ask`, holders of agent_no_confirm are not held up; with `always`, everyone is, and the device ensures it */
    confirm: {
      /** Whether the person at the device is asked before somebody connects. With `ask`, holders of agent_no_confirm are not held up; with `always`, everyone is, and the device ensures it */
      value: 'never' | 'ask' | 'always';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'never' | 'ask' | 'always';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Whether the screen is shown only if the person at the device can be told who is connected. Some Wayland desktops have no place for the banner */
    notice: {
      /** Whether the screen is shown only if the person at the device can be told who is connected. Some Wayland desktops have no place for the banner */
      value: 'required' | 'where_possible';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'required' | 'where_possible';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** `allowed` leaves it to the link, to the account and to the operator */
    recording: {
      /** `allowed` leaves it to the link, to the account and to the operator */
      value: 'off' | 'allowed' | 'always';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'allowed' | 'always';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** In which directions the clipboard is sent */
    clipboard: {
      /** In which directions the clipboard is sent */
      value: 'off' | 'to_device' | 'from_device' | 'both';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'to_device' | 'from_device' | 'both';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** In which directions files are sent. Creating, renaming and removing count as `to_device` */
    files: {
      /** In which directions files are sent. Creating, renaming and removing count as `to_device` */
      value: 'off' | 'to_device' | 'from_device' | 'both';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'to_device' | 'from_device' | 'both';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Whether operators can open terminals */
    terminal: {
      /** Whether operators can open terminals */
      value: 'off' | 'on';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'on';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Whether operators can hear the sound of the device */
    sound: {
      /** Whether operators can hear the sound of the device */
      value: 'off' | 'on';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'on';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Whether documents printed on the device can be sent to operators */
    printing: {
      /** Whether documents printed on the device can be sent to operators */
      value: 'off' | 'on';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'on';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Whether sessions may switch from the relay to a direct connection */
    direct: {
      /** Whether sessions may switch from the relay to a direct connection */
      value: 'off' | 'on';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'on';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** When the device ends a session that nobody uses */
    idle_timeout: {
      /** When the device ends a session that nobody uses */
      value: 'never' | '5m' | '10m' | '15m' | '30m' | '1h' | '2h' | '4h' | '8h';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'never' | '5m' | '10m' | '15m' | '30m' | '1h' | '2h' | '4h' | '8h';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Whether the device has one-time URLs */
    onetime_url: {
      /** Whether the device has one-time URLs */
      value: 'allow' | 'forbid';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'allow' | 'forbid';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Which updates the agent installs: those that the server offers, or none */
    update_channel: {
      /** Which updates the agent installs: those that the server offers, or none */
      value: 'stable' | 'off';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'stable' | 'off';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
  };
}

/** POST /v1/groups/policy/update: Change the policy of a group; what is not sent stays as it is, and `inherit` leaves it to the account. */
export interface GroupsPolicyUpdateParams {
  /** Group */
  id: number;
  /** Whether the person at the device is asked before somebody connects. With `ask`, holders of agent_no_confirm are not held up; with `always`, everyone is, and the device ensures it */
  confirm?: 'never' | 'ask' | 'always' | 'inherit';
  /** Whether the screen is shown only if the person at the device can be told who is connected. Some Wayland desktops have no place for the banner */
  notice?: 'required' | 'where_possible' | 'inherit';
  /** `allowed` leaves it to the link, to the account and to the operator */
  recording?: 'off' | 'allowed' | 'always' | 'inherit';
  /** In which directions the clipboard is sent */
  clipboard?: 'off' | 'to_device' | 'from_device' | 'both' | 'inherit';
  /** In which directions files are sent. Creating, renaming and removing count as `to_device` */
  files?: 'off' | 'to_device' | 'from_device' | 'both' | 'inherit';
  /** Whether operators can open terminals */
  terminal?: 'off' | 'on' | 'inherit';
  /** Whether operators can hear the sound of the device */
  sound?: 'off' | 'on' | 'inherit';
  /** Whether documents printed on the device can be sent to operators */
  printing?: 'off' | 'on' | 'inherit';
  /** Whether sessions may switch from the relay to a direct connection */
  direct?: 'off' | 'on' | 'inherit';
  /** When the device ends a session that nobody uses */
  idle_timeout?: 'never' | '5m' | '10m' | '15m' | '30m' | '1h' | '2h' | '4h' | '8h' | 'inherit';
  /** Whether the device has one-time URLs */
  onetime_url?: 'allow' | 'forbid' | 'inherit';
  /** Which updates the agent installs: those that the server offers, or none */
  update_channel?: 'stable' | 'off' | 'inherit';
}

/** The answer to groups/policy/update. */
export interface GroupsPolicyUpdateReply {
  status: 0;
}

export type AccountPolicyParams = NoParams;

/** The answer to account/policy. */
export interface AccountPolicyReply {
  data: {
    /** Whether the person at the device is asked before somebody connects. With `ask`, holders of agent_no_confirm are not held up; with `always`, everyone is, and the device ensures it */
    confirm: {
      /** Whether the person at the device is asked before somebody connects. With `ask`, holders of agent_no_confirm are not held up; with `always`, everyone is, and the device ensures it */
      value: 'never' | 'ask' | 'always';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'never' | 'ask' | 'always';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Whether the screen is shown only if the person at the device can be told who is connected. Some Wayland desktops have no place for the banner */
    notice: {
      /** Whether the screen is shown only if the person at the device can be told who is connected. Some Wayland desktops have no place for the banner */
      value: 'required' | 'where_possible';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'required' | 'where_possible';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** `allowed` leaves it to the link, to the account and to the operator */
    recording: {
      /** `allowed` leaves it to the link, to the account and to the operator */
      value: 'off' | 'allowed' | 'always';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'allowed' | 'always';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** In which directions the clipboard is sent */
    clipboard: {
      /** In which directions the clipboard is sent */
      value: 'off' | 'to_device' | 'from_device' | 'both';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'to_device' | 'from_device' | 'both';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** In which directions files are sent. Creating, renaming and removing count as `to_device` */
    files: {
      /** In which directions files are sent. Creating, renaming and removing count as `to_device` */
      value: 'off' | 'to_device' | 'from_device' | 'both';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'to_device' | 'from_device' | 'both';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Whether operators can open terminals */
    terminal: {
      /** Whether operators can open terminals */
      value: 'off' | 'on';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'on';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Whether operators can hear the sound of the device */
    sound: {
      /** Whether operators can hear the sound of the device */
      value: 'off' | 'on';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'on';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Whether documents printed on the device can be sent to operators */
    printing: {
      /** Whether documents printed on the device can be sent to operators */
      value: 'off' | 'on';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'on';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Whether sessions may switch from the relay to a direct connection */
    direct: {
      /** Whether sessions may switch from the relay to a direct connection */
      value: 'off' | 'on';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'off' | 'on';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** When the device ends a session that nobody uses */
    idle_timeout: {
      /** When the device ends a session that nobody uses */
      value: 'never' | '5m' | '10m' | '15m' | '30m' | '1h' | '2h' | '4h' | '8h';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'never' | '5m' | '10m' | '15m' | '30m' | '1h' | '2h' | '4h' | '8h';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Whether the device has one-time URLs */
    onetime_url: {
      /** Whether the device has one-time URLs */
      value: 'allow' | 'forbid';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'allow' | 'forbid';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
    /** Which updates the agent installs: those that the server offers, or none */
    update_channel: {
      /** Which updates the agent installs: those that the server offers, or none */
      value: 'stable' | 'off';
      /** Where the value comes from */
      from: 'default' | 'account' | 'group' | 'device';
      /** What would apply without an own value */
      inherited: 'stable' | 'off';
      /** Where the value comes from */
      inherited_from: 'default' | 'account' | 'group' | 'device';
    };
  };
}

/** POST /v1/account/policy/update: Change the policy of the account; what is not sent stays as it is, and `inherit` restores the default. */
export interface AccountPolicyUpdateParams {
  /** Whether the person at the device is asked before somebody connects. With `ask`, holders of agent_no_confirm are not held up; with `always`, everyone is, and the device ensures it */
  confirm?: 'never' | 'ask' | 'always' | 'inherit';
  /** Whether the screen is shown only if the person at the device can be told who is connected. Some Wayland desktops have no place for the banner */
  notice?: 'required' | 'where_possible' | 'inherit';
  /** `allowed` leaves it to the link, to the account and to the operator */
  recording?: 'off' | 'allowed' | 'always' | 'inherit';
  /** In which directions the clipboard is sent */
  clipboard?: 'off' | 'to_device' | 'from_device' | 'both' | 'inherit';
  /** In which directions files are sent. Creating, renaming and removing count as `to_device` */
  files?: 'off' | 'to_device' | 'from_device' | 'both' | 'inherit';
  /** Whether operators can open terminals */
  terminal?: 'off' | 'on' | 'inherit';
  /** Whether operators can hear the sound of the device */
  sound?: 'off' | 'on' | 'inherit';
  /** Whether documents printed on the device can be sent to operators */
  printing?: 'off' | 'on' | 'inherit';
  /** Whether sessions may switch from the relay to a direct connection */
  direct?: 'off' | 'on' | 'inherit';
  /** When the device ends a session that nobody uses */
  idle_timeout?: 'never' | '5m' | '10m' | '15m' | '30m' | '1h' | '2h' | '4h' | '8h' | 'inherit';
  /** Whether the device has one-time URLs */
  onetime_url?: 'allow' | 'forbid' | 'inherit';
  /** Which updates the agent installs: those that the server offers, or none */
  update_channel?: 'stable' | 'off' | 'inherit';
}

/** The answer to account/policy/update. */
export interface AccountPolicyUpdateReply {
  status: 0;
}

export type AgentsUpdatesStatusParams = NoParams;

/** The answer to agents/updates/status. */
export interface AgentsUpdatesStatusReply {
  data: {
    /** The version that the server offers; empty if it offers none */
    version: string;
    /** Devices update themselves to the version that the server offers */
    enabled: boolean;
    /** What paused updates: nothing, a person, or too many failures */
    paused: '' | 'person' | 'failures';
    states: {
      /** `held`: pinned to another version, or without updates by its policy. `waiting`: until nobody is connected. `refused`: the device is asked again later */
      state: 'current' | 'outdated' | 'held' | 'updating' | 'waiting' | 'refused' | 'failed';
      devices: number;
    }[];
    versions: {
      version: string;
      devices: number;
    }[];
  };
}

export type AgentsUpdatesSettingsParams = NoParams;

/** The answer to agents/updates/settings. */
export interface AgentsUpdatesSettingsReply {
  data: {
    /** Devices update themselves to the version that the server offers */
    enabled: boolean;
    /** The hour (UTC) from which updates begin */
    window_start: number;
    /** The hour (UTC) from which no update begins; the same as the start for the whole day */
    window_end: number;
    /** Groups whose devices go first, in this order */
    groups: number[];
    /** So many devices must have been updated before all others follow */
    canary: number;
    /** Updates pause when this share of the devices that tried has failed */
    failure_percent: number;
    /** How many devices begin per minute at the most */
    per_minute: number;
  };
}

/** POST /v1/agents/updates/settings/update: Change the settings of updates; only what is sent changes. */
export interface AgentsUpdatesSettingsUpdateParams {
  /** Devices update themselves to the version that the server offers */
  enabled?: boolean;
  /** The hour (UTC) from which updates begin */
  window_start?: number;
  /** The hour (UTC) from which no update begins; the same as the start for the whole day */
  window_end?: number;
  /** Groups whose devices go first, in this order */
  groups?: number[];
  /** So many devices must have been updated before all others follow */
  canary?: number;
  /** Updates pause when this share of the devices that tried has failed */
  failure_percent?: number;
  /** How many devices begin per minute at the most */
  per_minute?: number;
}

/** The answer to agents/updates/settings/update. */
export interface AgentsUpdatesSettingsUpdateReply {
  status: 0;
}

export type AgentsUpdatesPauseParams = NoParams;

/** The answer to agents/updates/pause. */
export interface AgentsUpdatesPauseReply {
  status: 0;
}

export type AgentsUpdatesResumeParams = NoParams;

/** The answer to agents/updates/resume. */
export interface AgentsUpdatesResumeReply {
  status: 0;
}

/** GET /v1/agents/updates/devices: List devices with their versions and how their updates proceed. */
export interface AgentsUpdatesDevicesParams {
  /** Only devices in this state */
  state?: 'current' | 'outdated' | 'held' | 'updating' | 'waiting' | 'refused' | 'failed';
  /** How many to skip; default 0 */
  offset?: number;
  /** How many to return at the most; default 20 */
  limit?: number;
}

/** The answer to agents/updates/devices. */
export interface AgentsUpdatesDevicesReply {
  total: number;
  data: {
    id: number;
    device_id: number;
    name: string;
    group_id?: number;
    online: boolean;
    version: string;
    /** The only version that the device may have; empty for the one that the server offers */
    pin: string;
    /** `held`: pinned to another version, or without updates by its policy. `waiting`: until nobody is connected. `refused`: the device is asked again later */
    state: 'current' | 'outdated' | 'held' | 'updating' | 'waiting' | 'refused' | 'failed';
    /** The version of the last update; empty if there was none */
    target: string;
    /** Why the device refused or failed */
    message: string;
    /** When the device last reported about an update; 0 if it never did */
    time: number;
  }[];
}

/** GET /v1/agents/updates/info: Show the version of a device and how its update proceeds. */
export interface AgentsUpdatesInfoParams {
  id: number;
}

/** The answer to agents/updates/info. */
export interface AgentsUpdatesInfoReply {
  data: {
    version: string;
    /** The only version that the device may have; empty for the one that the server offers */
    pin: string;
    /** `held`: pinned to another version, or without updates by its policy. `waiting`: until nobody is connected. `refused`: the device is asked again later */
    state: 'current' | 'outdated' | 'held' | 'updating' | 'waiting' | 'refused' | 'failed';
    /** The version of the last update; empty if there was none */
    target: string;
    /** Why the device refused or failed */
    message: string;
    /** When the device last reported about an update; 0 if it never did */
    time: number;
  };
}

/** POST /v1/agents/updates/pin: Let a device have only one version, or let it follow the account again. */
export interface AgentsUpdatesPinParams {
  id: number;
  /** The only version that the device may have; empty for the one that the server offers */
  pin: string;
}

/** The answer to agents/updates/pin. */
export interface AgentsUpdatesPinReply {
  status: 0;
}

export type TeamDirectoryListParams = NoParams;

/** The answer to team/directory/list. */
export interface TeamDirectoryListReply {
  data: {
    id: number;
    name: string;
    /** `ldaps://` with a host and, if needed, a port; with `ldap://`, StartTLS encrypts the connection */
    url: string;
    /** Certificates (PEM) that the certificate of the server must descend from; empty for the usual ones */
    ca_cert: string;
    /** The entry that reads the directory */
    bind_dn: string;
    /** The entry below which people and groups are searched */
    base: string;
    /** Which entries are people */
    person_filter: string;
    /** Which entries are groups, and so become departments */
    group_filter: string;
    /** Whether people who are already in the account, with the same e-mail address, come under the control of the directory */
    adopt: boolean;
    /** Whether people of the directory sign in with its password, except the owner and server administrators. Only a server administrator can turn it on, and change these settings while it is on */
    sign_in: boolean;
    /** How often it is imported; 0 for only when asked */
    every_minutes: number;
    /** An import that disables more than this share of the people, or ends more of the memberships, stops */
    removal_percent: number;
    /** When it was last imported; 0 if it never was */
    last_time: number;
    /** Why nothing was changed; empty if all was */
    last_problem:
      | ''
      | 'unreachable'
      | 'certificate'
      | 'credentials'
      | 'secret_unreadable'
      | 'settings'
      | 'timeout'
      | 'too_large'
      | 'incomplete'
      | 'address'
      | 'no_uid'
      | 'rights'
      | 'failed'
      | 'no_people'
      | 'no_groups'
      | 'duplicate_uid'
      | 'too_many_removals';
    /** When it is imported next; 0 if only when asked */
    next_time: number;
  }[];
}

/** POST /v1/team/directory/create: Connect the account to an LDAP directory; nothing is imported yet. */
export interface TeamDirectoryCreateParams {
  name: string;
  /** `ldaps://` with a host and, if needed, a port; with `ldap://`, StartTLS encrypts the connection */
  url: string;
  /** Certificates (PEM) that the certificate of the server must descend from; empty for the usual ones; default "" */
  ca_cert?: string;
  /** The entry that reads the directory */
  bind_dn: string;
  /** The password of that entry; stored, and never shown */
  bind_password: string;
  /** The entry below which people and groups are searched */
  base: string;
  /** Which entries are people; default "(objectClass=person)" */
  person_filter?: string;
  /** Which entries are groups, and so become departments; default "(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=group))" */
  group_filter?: string;
  /** Whether people who are already in the account, with the same e-mail address, come under the control of the directory; default false */
  adopt?: boolean;
  /** Whether people of the directory sign in with its password, except the owner and server administrators. Only a server administrator can turn it on, and change these settings while it is on; default false */
  sign_in?: boolean;
  /** How often it is imported; 0 for only when asked; default 0 */
  every_minutes?: number;
  /** An import that disables more than this share of the people, or ends more of the memberships, stops; default 20 */
  removal_percent?: number;
}

/** The answer to team/directory/create. */
export interface TeamDirectoryCreateReply {
  status: 0;
  id: number;
}

/** POST /v1/team/directory/update: Change the settings of a directory; only what is sent changes. */
export interface TeamDirectoryUpdateParams {
  id: number;
  name?: string;
  /** `ldaps://` with a host and, if needed, a port; with `ldap://`, StartTLS encrypts the connection */
  url?: string;
  /** Certificates (PEM) that the certificate of the server must descend from; empty for the usual ones */
  ca_cert?: string;
  /** The entry that reads the directory */
  bind_dn?: string;
  /** The entry below which people and groups are searched */
  base?: string;
  /** Which entries are people */
  person_filter?: string;
  /** Which entries are groups, and so become departments */
  group_filter?: string;
  /** Whether people who are already in the account, with the same e-mail address, come under the control of the directory */
  adopt?: boolean;
  /** Whether people of the directory sign in with its password, except the owner and server administrators. Only a server administrator can turn it on, and change these settings while it is on */
  sign_in?: boolean;
  /** How often it is imported; 0 for only when asked */
  every_minutes?: number;
  /** An import that disables more than this share of the people, or ends more of the memberships, stops */
  removal_percent?: number;
  /** The password of that entry; stored, and never shown */
  bind_password?: string;
}

/** The answer to team/directory/update. */
export interface TeamDirectoryUpdateReply {
  status: 0;
}

/** POST /v1/team/directory/remove: Forget a directory; its people and departments stay, and can be changed here from then on. */
export interface TeamDirectoryRemoveParams {
  id: number;
}

/** The answer to team/directory/remove. */
export interface TeamDirectoryRemoveReply {
  status: 0;
}

/** POST /v1/team/directory/plan: Read a directory and show what an import would change, without changing anything. */
export interface TeamDirectoryPlanParams {
  id: number;
}

/** The answer to team/directory/plan. */
export interface TeamDirectoryPlanReply {
  status: 0;
  data: {
    /** Why nothing was changed; empty if all was */
    problem:
      | ''
      | 'unreachable'
      | 'certificate'
      | 'credentials'
      | 'secret_unreadable'
      | 'settings'
      | 'timeout'
      | 'too_large'
      | 'incomplete'
      | 'address'
      | 'no_uid'
      | 'rights'
      | 'failed'
      | 'no_people'
      | 'no_groups'
      | 'duplicate_uid'
      | 'too_many_removals';
    /** The share of people or memberships that it takes away, whichever is larger */
    removed_percent: number;
    counts: {
      kind:
        | 'create_person'
        | 'adopt_person'
        | 'change_email'
        | 'disable_person'
        | 'enable_person'
        | 'create_department'
        | 'rename_department'
        | 'join'
        | 'leave'
        | 'skip';
      count: number;
    }[];
    /** The first 1000 */
    changes: {
      kind:
        | 'create_person'
        | 'adopt_person'
        | 'change_email'
        | 'disable_person'
        | 'enable_person'
        | 'create_department'
        | 'rename_department'
        | 'join'
        | 'leave'
        | 'skip';
      person?: string;
      department?: string;
      /** The new address or name, or why somebody is disabled or skipped */
      detail?: string;
    }[];
  };
}

/** POST /v1/team/directory/run: Import a directory now. */
export interface TeamDirectoryRunParams {
  id: number;
  /** Also if it takes away more than `removal_percent`; default false */
  confirm_removals?: boolean;
  /** With `confirm_removals`: the share that you were shown. The import stops if it takes away more by now; without it, any share is confirmed */
  removed_percent?: number;
}

/** The answer to team/directory/run. */
export interface TeamDirectoryRunReply {
  status: 0;
  data: {
    /** Why nothing was changed; empty if all was */
    problem:
      | ''
      | 'unreachable'
      | 'certificate'
      | 'credentials'
      | 'secret_unreadable'
      | 'settings'
      | 'timeout'
      | 'too_large'
      | 'incomplete'
      | 'address'
      | 'no_uid'
      | 'rights'
      | 'failed'
      | 'no_people'
      | 'no_groups'
      | 'duplicate_uid'
      | 'too_many_removals';
    /** The share of people or memberships that it takes away, whichever is larger */
    removed_percent: number;
    counts: {
      kind:
        | 'create_person'
        | 'adopt_person'
        | 'change_email'
        | 'disable_person'
        | 'enable_person'
        | 'create_department'
        | 'rename_department'
        | 'join'
        | 'leave'
        | 'skip';
      count: number;
    }[];
    /** The first 1000 */
    changes: {
      kind:
        | 'create_person'
        | 'adopt_person'
        | 'change_email'
        | 'disable_person'
        | 'enable_person'
        | 'create_department'
        | 'rename_department'
        | 'join'
        | 'leave'
        | 'skip';
      person?: string;
      department?: string;
      /** The new address or name, or why somebody is disabled or skipped */
      detail?: string;
    }[];
  };
}

/** POST /v1/team/access/request/create: Ask for a role on a device or group that you see, for a while. */
export interface TeamAccessRequestCreateParams {
  /** A role of type agent or group */
  role_id: number;
  /** Needed for a role with scope agent */
  agent_id?: number;
  /** Needed for a role with scope group */
  group_id?: number;
  /** Shown to those who decide, in the history and on the device */
  reason: string;
  /** How long the access lasts */
  minutes: number;
}

/** The answer to team/access/request/create. */
export interface TeamAccessRequestCreateReply {
  status: 0;
  id: number;
}

/** GET /v1/team/access/request/list: List requests for access, newest first: your own, and everyone’s if you may decide about them. */
export interface TeamAccessRequestListParams {
  /** Only requests in this state */
  state?: 'waiting' | 'approved' | 'denied' | 'withdrawn' | 'expired' | 'ended';
  /** Only your own; default false */
  own?: boolean;
  /** How many to skip; default 0 */
  offset?: number;
  /** How many to return at the most; default 20 */
  limit?: number;
}

/** The answer to team/access/request/list. */
export interface TeamAccessRequestListReply {
  total: number;
  data: {
    id: number;
    /** `approved` while the access lasts, then `ended`; `expired` if nobody answered */
    state: 'waiting' | 'approved' | 'denied' | 'withdrawn' | 'expired' | 'ended';
    /** Who asks */
    email: string;
    role_id: number;
    role: string;
    /** What the role permitted when it was asked for: an approval gives nothing else */
    permission: string[];
    agent_id?: number;
    agent?: string;
    group_id?: number;
    group?: string;
    reason: string;
    minutes: number;
    /** True if the person gave themselves access in an emergency */
    emergency: boolean;
    /** Unix timestamp in whole seconds */
    create_time: number;
    /** Until when it can be approved */
    expire_time: number;
    /** The e-mail address of the person who decided */
    decided_by?: string;
    /** Unix timestamp in whole seconds */
    decide_time?: number;
    /** Why it was denied */
    decision: string;
    /** When the access ends or ended */
    until?: number;
  }[];
}

export type TeamAccessRequestOptionsParams = NoParams;

/** The answer to team/access/request/options. */
export interface TeamAccessRequestOptionsReply {
  /** 0 if the account takes no requests */
  max_minutes: number;
  /** Whether emergency access is allowed */
  emergency: boolean;
  data: {
    id: number;
    name: string;
    type: 'agent' | 'group';
    permission: string[];
  }[];
}

/** POST /v1/team/access/request/approve: Approve a request for access of somebody else: the access begins now, unless the role permits something else than when it was asked for (`role_changed`). */
export interface TeamAccessRequestApproveParams {
  id: number;
  /** Shorter than was asked */
  minutes?: number;
}

/** The answer to team/access/request/approve. */
export interface TeamAccessRequestApproveReply {
  status: 0;
  /** Unix timestamp in whole seconds */
  until: number;
}

/** POST /v1/team/access/request/deny: Deny a request for access of somebody else. */
export interface TeamAccessRequestDenyParams {
  id: number;
  /** Why; the person sees it */
  reason: string;
}

/** The answer to team/access/request/deny. */
export interface TeamAccessRequestDenyReply {
  status: 0;
}

/** POST /v1/team/access/request/cancel: Withdraw a request for access that waits, or end the access that it gave. */
export interface TeamAccessRequestCancelParams {
  id: number;
}

/** The answer to team/access/request/cancel. */
export interface TeamAccessRequestCancelReply {
  status: 0;
}

/** POST /v1/team/access/emergency: Give yourself a role on a device or group that you see, at once, in an emergency. */
export interface TeamAccessEmergencyParams {
  /** A role of type agent or group */
  role_id: number;
  /** Needed for a role with scope agent */
  agent_id?: number;
  /** Needed for a role with scope group */
  group_id?: number;
  /** Shown to those who decide, in the history and on the device */
  reason: string;
  /** How long the access lasts */
  minutes: number;
}

/** The answer to team/access/emergency. */
export interface TeamAccessEmergencyReply {
  status: 0;
  id: number;
  /** Unix timestamp in whole seconds */
  until: number;
}

/** POST /v1/team/access/request/settings: Set how long people can ask for access, and whether they can take it in an emergency. */
export interface TeamAccessRequestSettingsParams {
  /** 0 takes no requests; 480 at first */
  max_minutes?: number;
  /** Only the owner of the account can change it; false at first */
  emergency?: boolean;
}

/** The answer to team/access/request/settings. */
export interface TeamAccessRequestSettingsReply {
  status: 0;
}

export type TeamProviderListParams = NoParams;

/** The answer to team/provider/list. */
export interface TeamProviderListReply {
  data: {
    id: number;
    /** The address of the provider, exactly as its discovery document writes it; it cannot be changed */
    issuer: string;
    name: string;
    /** Certificates (PEM) that the certificate of the provider must descend from; empty for the usual ones */
    ca_cert: string;
    /** The name under which the provider knows this server */
    client_id: string;
    /** What the provider is asked for */
    scopes: string;
    /** The claim with the names or ids of the groups of a person; empty for none */
    groups_claim: string;
    /** Whether people who sign in for the first time are added to the account */
    create_people: boolean;
    /** Whether people who were invited and never signed in are recognised by their e-mail address, if the provider has verified it */
    adopt: boolean;
    /** Whether people can sign in with it */
    enabled: boolean;
    /** What people enter on the sign-in page to reach this provider */
    sign_in_name: string;
    /** The page from which people sign in with this provider */
    sign_in_url: string;
    /** The address to register with this provider */
    redirect_uri: string;
    /** Where this provider sends logout tokens (back-channel logout) */
    logout_uri: string;
    /** How many people sign in with it */
    people: number;
    groups: {
      /** The name or id of the group, as the provider sends it */
      group: string;
      department_id: number;
      department: string;
    }[];
  }[];
  /** Whether people can sign in only with a provider */
  only_sso: boolean;
}

/** POST /v1/team/provider/create: Add an identity provider (OpenID Connect) to the account. */
export interface TeamProviderCreateParams {
  name: string;
  /** The address of the provider, exactly as its discovery document writes it; it cannot be changed */
  issuer: string;
  /** Certificates (PEM) that the certificate of the provider must descend from; empty for the usual ones; default "" */
  ca_cert?: string;
  /** The name under which the provider knows this server */
  client_id: string;
  /** The secret that the provider gave this client; stored, and never shown */
  client_secret: string;
  /** What the provider is asked for; default "openid email profile" */
  scopes?: string;
  /** The claim with the names or ids of the groups of a person; empty for none; default "groups" */
  groups_claim?: string;
  /** Whether people who sign in for the first time are added to the account; default false */
  create_people?: boolean;
  /** Whether people who were invited and never signed in are recognised by their e-mail address, if the provider has verified it; default false */
  adopt?: boolean;
  /** Whether people can sign in with it; default true */
  enabled?: boolean;
}

/** The answer to team/provider/create. */
export interface TeamProviderCreateReply {
  status: 0;
  id: number;
}

/** POST /v1/team/provider/update: Change the settings of an identity provider; only what is sent changes. */
export interface TeamProviderUpdateParams {
  id: number;
  name?: string;
  /** Certificates (PEM) that the certificate of the provider must descend from; empty for the usual ones */
  ca_cert?: string;
  /** The name under which the provider knows this server */
  client_id?: string;
  /** What the provider is asked for */
  scopes?: string;
  /** The claim with the names or ids of the groups of a person; empty for none */
  groups_claim?: string;
  /** Whether people who sign in for the first time are added to the account */
  create_people?: boolean;
  /** Whether people who were invited and never signed in are recognised by their e-mail address, if the provider has verified it */
  adopt?: boolean;
  /** Whether people can sign in with it */
  enabled?: boolean;
  /** The secret that the provider gave this client; stored, and never shown */
  client_secret?: string;
}

/** The answer to team/provider/update. */
export interface TeamProviderUpdateReply {
  status: 0;
}

/** POST /v1/team/provider/remove: Forget an identity provider; its people stay, but are signed out and can no longer sign in with it. */
export interface TeamProviderRemoveParams {
  id: number;
}

/** The answer to team/provider/remove. */
export interface TeamProviderRemoveReply {
  status: 0;
}

/** POST /v1/team/provider/check: Read the discovery document of an identity provider and say what is wrong. */
export interface TeamProviderCheckParams {
  id: number;
}

/** The answer to team/provider/check. */
export interface TeamProviderCheckReply {
  status: 0;
  data: {
    /** What is wrong with the provider; empty if nothing was found */
    problem:
      | ''
      | 'unreachable'
      | 'address'
      | 'certificate'
      | 'timeout'
      | 'too_large'
      | 'not_found'
      | 'unreadable'
      | 'wrong_issuer'
      | 'no_code_flow'
      | 'no_pkce'
      | 'insecure_endpoint'
      | 'credentials'
      | 'secret_unreadable'
      | 'failed';
  };
}

/** POST /v1/team/provider/group/add: Map a group at the provider to a department, which its people join at their next sign-in. */
export interface TeamProviderGroupAddParams {
  id: number;
  /** The name or id of the group, as the provider sends it */
  group: string;
  department_id: number;
}

/** The answer to team/provider/group/add. */
export interface TeamProviderGroupAddReply {
  status: 0;
}

/** POST /v1/team/provider/group/remove: Stop mapping a group at the provider to a department, which its people leave at their next sign-in. */
export interface TeamProviderGroupRemoveParams {
  id: number;
  /** The name or id of the group, as the provider sends it */
  group: string;
  department_id: number;
}

/** The answer to team/provider/group/remove. */
export interface TeamProviderGroupRemoveReply {
  status: 0;
}

/** POST /v1/team/provider/require: Decide, as the owner, whether people of the account can sign in only with an identity provider. */
export interface TeamProviderRequireParams {
  /** True to refuse passwords, passkeys and links */
  only_sso: boolean;
}

/** The answer to team/provider/require. */
export interface TeamProviderRequireReply {
  status: 0;
}

export type TeamScimTokenListParams = NoParams;

/** The answer to team/scim/token/list. */
export interface TeamScimTokenListReply {
  /** The address that identity providers need */
  base_url: string;
  /** How many people identity providers look after */
  people: number;
  /** How many departments identity providers look after */
  departments: number;
  data: {
    id: number;
    name: string;
    /** The first characters of the token */
    prefix: string;
    /** Who created it: it can do only what this person may do */
    email: string;
    /** Unix timestamp in whole seconds */
    create_time: number;
    /** Absent when the token does not expire */
    expires?: number;
    /** Absent when the token was never used */
    last_used?: number;
    expired: boolean;
    /** False when it has expired, or its creator may no longer manage people */
    usable: boolean;
    /** Why it cannot be used; empty if it can */
    problem: '' | 'expired' | 'creator_disabled' | 'creator_without_right';
  }[];
}

/** POST /v1/team/scim/token/create: Create a token for an identity provider; it is shown once. */
export interface TeamScimTokenCreateParams {
  /** default "Identity provider" */
  name?: string;
  /** When the token stops working */
  expires?: number;
}

/** The answer to team/scim/token/create. */
export interface TeamScimTokenCreateReply {
  status: 0;
  id: number;
  /** The address that the identity provider needs */
  base_url: string;
  /** The token: 64 characters, shown once */
  token: string;
}

/** POST /v1/team/scim/token/remove: Remove a token at once; the people and departments stay. */
export interface TeamScimTokenRemoveParams {
  id: number;
}

/** The answer to team/scim/token/remove. */
export interface TeamScimTokenRemoveReply {
  status: 0;
}

export type TeamWebhookListParams = NoParams;

/** The answer to team/webhook/list. */
export interface TeamWebhookListReply {
  data: {
    id: number;
    name: string;
    url: string;
    ca_cert: string;
    events: string[];
    enabled: boolean;
    /** Unix timestamp in whole seconds */
    create_time: number;
    /** Why the last message was not accepted; empty if it was */
    problem:
      | ''
      | 'unreachable'
      | 'address'
      | 'certificate'
      | 'timeout'
      | 'too_large'
      | 'unreadable'
      | 'redirect'
      | 'refused'
      | 'secret_unreadable'
      | 'failed';
    /** The HTTP status of the last response; 0 without one */
    http_status: number;
    /** When the last message was sent; absent before the first */
    last_time?: number;
    /** How many messages wait */
    waiting: number;
    /** When the next of them is sent; absent if none waits */
    next_time?: number;
    /** Absent if the last message was accepted */
    failing_since?: number;
    /** How many messages were given up */
    lost: number;
    /** When the server disabled it after five days of failures */
    disabled_time?: number;
    /** Until when the secret before the last renewal signs too; absent if none does */
    old_until?: number;
  }[];
}

/** POST /v1/team/webhook/create: Add a webhook; its secret is shown once. */
export interface TeamWebhookCreateParams {
  name: string;
  /** Where messages are sent to; often secret, so the audit log omits it */
  url: string;
  /** Certificates (PEM) that the certificate of the receiver must descend from; empty for the usual ones; default "" */
  ca_cert?: string;
  /** What is sent; default ["access_requested","access_approved","access_denied","access_withdrawn","access_ended","emergency_access"] */
  events?: (
    | 'access_requested'
    | 'access_approved'
    | 'access_denied'
    | 'access_withdrawn'
    | 'access_ended'
    | 'emergency_access'
  )[];
  /** Whether messages are sent; those that wait are dropped when it becomes false; default true */
  enabled?: boolean;
}

/** The answer to team/webhook/create. */
export interface TeamWebhookCreateReply {
  status: 0;
  id: number;
  /** The key of the signatures: whsec_ and 64 characters, shown once */
  secret: string;
}

/** POST /v1/team/webhook/update: Change the settings of a webhook; only what is sent changes. */
export interface TeamWebhookUpdateParams {
  id: number;
  name?: string;
  /** Where messages are sent to; often secret, so the audit log omits it */
  url?: string;
  /** Certificates (PEM) that the certificate of the receiver must descend from; empty for the usual ones */
  ca_cert?: string;
  /** What is sent */
  events?: (
    | 'access_requested'
    | 'access_approved'
    | 'access_denied'
    | 'access_withdrawn'
    | 'access_ended'
    | 'emergency_access'
  )[];
  /** Whether messages are sent; those that wait are dropped when it becomes false */
  enabled?: boolean;
}

/** The answer to team/webhook/update. */
export interface TeamWebhookUpdateReply {
  status: 0;
}

/** POST /v1/team/webhook/renew: Give a webhook a new secret, shown once; messages are also signed with the one before for 24 hours. */
export interface TeamWebhookRenewParams {
  id: number;
}

/** The answer to team/webhook/renew. */
export interface TeamWebhookRenewReply {
  status: 0;
  /** The new key of the signatures, shown once */
  secret: string;
  /** Until when the one before signs too */
  old_until: number;
}

/** POST /v1/team/webhook/remove: Remove a webhook and the messages that wait for it. */
export interface TeamWebhookRemoveParams {
  id: number;
}

/** The answer to team/webhook/remove. */
export interface TeamWebhookRemoveReply {
  status: 0;
}

/** POST /v1/team/webhook/test: Send a test message to a webhook now and say how it was answered. */
export interface TeamWebhookTestParams {
  id: number;
}

/** The answer to team/webhook/test. */
export interface TeamWebhookTestReply {
  status: 0;
  data: {
    /** Why the last message was not accepted; empty if it was */
    problem:
      | ''
      | 'unreachable'
      | 'address'
      | 'certificate'
      | 'timeout'
      | 'too_large'
      | 'unreadable'
      | 'redirect'
      | 'refused'
      | 'secret_unreadable'
      | 'failed';
    /** The HTTP status of the last response; 0 without one */
    http_status: number;
  };
}

/** GET /v1/agents/approval/list: List the sessions that wait for a second person on devices with four eyes. */
export interface AgentsApprovalListParams {
  /** Device. Without it: the newest 50 sessions of others on all devices that answer */
  agent_id?: number;
}

/** The answer to agents/approval/list. */
export interface AgentsApprovalListReply {
  data: {
    agent_id: number;
    session: number;
    /** Who wants to connect, as the server named them to the device */
    operator: string;
    /** Until when the session waits */
    expire_time: number;
    /** What is to be signed, in base64url. Sign it only with a program that shows its content */
    statement: string;
  }[];
}

/** POST /v1/agents/approval/sign: Give the device the signed approval of a second person, which it checks before it opens the session. */
export interface AgentsApprovalSignParams {
  agent_id: number;
  /** The statement, a dot, and the Ed25519 signature in base64url: drawbridge approve creates it */
  approval: string;
}

/** The answer to agents/approval/sign. */
export interface AgentsApprovalSignReply {
  status: 0;
  /** The name of the approver on the device */
  approver: string;
}

/** A file to upload. A stream is sent while it is read, and needs a `fetch` that supports this. */
export type Bytes = Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;

/** The parameters and the reply of each operation. */
export interface Operations {
  'support/list': { params: SupportListParams; reply: SupportListReply };
  'support/info': { params: SupportInfoParams; reply: SupportInfoReply };
  'support/create': { params: SupportCreateParams; reply: SupportCreateReply };
  'support/update': { params: SupportUpdateParams; reply: SupportUpdateReply };
  'support/connect': { params: SupportConnectParams; reply: SupportConnectReply };
  'support/close': { params: SupportCloseParams; reply: SupportCloseReply };
  'agents/list': { params: AgentsListParams; reply: AgentsListReply };
  'agents/info': { params: AgentsInfoParams; reply: AgentsInfoReply };
  'agents/update': { params: AgentsUpdateParams; reply: AgentsUpdateReply };
  'agents/connect': { params: AgentsConnectParams; reply: AgentsConnectReply };
  'agents/reboot': { params: AgentsRebootParams; reply: AgentsRebootReply };
  'agents/wake': { params: AgentsWakeParams; reply: AgentsWakeReply };
  'agents/logout': { params: AgentsLogoutParams; reply: AgentsLogoutReply };
  'agents/merge': { params: AgentsMergeParams; reply: AgentsMergeReply };
  'groups/list': { params: GroupsListParams; reply: GroupsListReply };
  'groups/create': { params: GroupsCreateParams; reply: GroupsCreateReply };
  'groups/edit': { params: GroupsEditParams; reply: GroupsEditReply };
  'groups/remove': { params: GroupsRemoveParams; reply: GroupsRemoveReply };
  'groups/agent/insert': { params: GroupsAgentInsertParams; reply: GroupsAgentInsertReply };
  'groups/agent/remove': { params: GroupsAgentRemoveParams; reply: GroupsAgentRemoveReply };
  'team/role/list': { params: TeamRoleListParams; reply: TeamRoleListReply };
  'team/role/info': { params: TeamRoleInfoParams; reply: TeamRoleInfoReply };
  'team/role/create': { params: TeamRoleCreateParams; reply: TeamRoleCreateReply };
  'team/role/edit': { params: TeamRoleEditParams; reply: TeamRoleEditReply };
  'team/role/remove': { params: TeamRoleRemoveParams; reply: TeamRoleRemoveReply };
  'team/member/access/list': { params: TeamMemberAccessListParams; reply: TeamMemberAccessListReply };
  'team/member/access/add': { params: TeamMemberAccessAddParams; reply: TeamMemberAccessAddReply };
  'team/member/access/remove': { params: TeamMemberAccessRemoveParams; reply: TeamMemberAccessRemoveReply };
  'team/department/access/list': {
    params: TeamDepartmentAccessListParams;
    reply: TeamDepartmentAccessListReply;
  };
  'team/department/access/add': {
    params: TeamDepartmentAccessAddParams;
    reply: TeamDepartmentAccessAddReply;
  };
  'team/department/access/remove': {
    params: TeamDepartmentAccessRemoveParams;
    reply: TeamDepartmentAccessRemoveReply;
  };
  'team/department/list': { params: TeamDepartmentListParams; reply: TeamDepartmentListReply };
  'team/department/info': { params: TeamDepartmentInfoParams; reply: TeamDepartmentInfoReply };
  'team/department/create': { params: TeamDepartmentCreateParams; reply: TeamDepartmentCreateReply };
  'team/department/update': { params: TeamDepartmentUpdateParams; reply: TeamDepartmentUpdateReply };
  'team/department/remove': { params: TeamDepartmentRemoveParams; reply: TeamDepartmentRemoveReply };
  'team/department/member/add': {
    params: TeamDepartmentMemberAddParams;
    reply: TeamDepartmentMemberAddReply;
  };
  'team/department/member/remove': {
    params: TeamDepartmentMemberRemoveParams;
    reply: TeamDepartmentMemberRemoveReply;
  };
  'history/list': { params: HistoryListParams; reply: HistoryListReply };
  'history/export': { params: HistoryExportParams; reply: HistoryExportReply };
  'history/video/remove': { params: HistoryVideoRemoveParams; reply: HistoryVideoRemoveReply };
  'team/member/list': { params: TeamMemberListParams; reply: TeamMemberListReply };
  'team/member/invite': { params: TeamMemberInviteParams; reply: TeamMemberInviteReply };
  'team/member/remove': { params: TeamMemberRemoveParams; reply: TeamMemberRemoveReply };
  'team/access/effective': { params: TeamAccessEffectiveParams; reply: TeamAccessEffectiveReply };
  'keys/list': { params: KeysListParams; reply: KeysListReply };
  'keys/create': { params: KeysCreateParams; reply: KeysCreateReply };
  'keys/revoke': { params: KeysRevokeParams; reply: KeysRevokeReply };
  'plan/info': { params: PlanInfoParams; reply: PlanInfoReply };
  'audit/list': { params: AuditListParams; reply: AuditListReply };
  'audit/verify': { params: AuditVerifyParams; reply: AuditVerifyReply };
  'agents/enroll/create': { params: AgentsEnrollCreateParams; reply: AgentsEnrollCreateReply };
  'agents/enroll/list': { params: AgentsEnrollListParams; reply: AgentsEnrollListReply };
  'agents/enroll/revoke': { params: AgentsEnrollRevokeParams; reply: AgentsEnrollRevokeReply };
  'agents/pending': { params: AgentsPendingParams; reply: AgentsPendingReply };
  'agents/approve': { params: AgentsApproveParams; reply: AgentsApproveReply };
  'account/info': { params: AccountInfoParams; reply: AccountInfoReply };
  'account/update': { params: AccountUpdateParams; reply: AccountUpdateReply };
  'agents/lock': { params: AgentsLockParams; reply: AgentsLockReply };
  'agents/favorite': { params: AgentsFavoriteParams; reply: AgentsFavoriteReply };
  'agents/software': { params: AgentsSoftwareParams; reply: AgentsSoftwareReply };
  'agents/duplicates': { params: AgentsDuplicatesParams; reply: AgentsDuplicatesReply };
  'agents/copied/clear': { params: AgentsCopiedClearParams; reply: AgentsCopiedClearReply };
  'agents/settings': { params: AgentsSettingsParams; reply: AgentsSettingsReply };
  'agents/settings/update': { params: AgentsSettingsUpdateParams; reply: AgentsSettingsUpdateReply };
  'agents/notes': { params: AgentsNotesParams; reply: AgentsNotesReply };
  'agents/notes/update': { params: AgentsNotesUpdateParams; reply: AgentsNotesUpdateReply };
  'agents/files/list': { params: AgentsFilesListParams; reply: AgentsFilesListReply };
  'agents/files/add': { params: AgentsFilesAddParams; bytes: Bytes; reply: AgentsFilesAddReply };
  'agents/files/remove': { params: AgentsFilesRemoveParams; reply: AgentsFilesRemoveReply };
  'agents/files/get': { params: AgentsFilesGetParams; reply: AgentsFilesGetReply };
  'groups/settings': { params: GroupsSettingsParams; reply: GroupsSettingsReply };
  'groups/settings/update': { params: GroupsSettingsUpdateParams; reply: GroupsSettingsUpdateReply };
  'sessions/list': { params: SessionsListParams; reply: SessionsListReply };
  'sessions/close': { params: SessionsCloseParams; reply: SessionsCloseReply };
  'sessions/note': { params: SessionsNoteParams; reply: SessionsNoteReply };
  'branding/info': { params: BrandingInfoParams; reply: BrandingInfoReply };
  'branding/update': { params: BrandingUpdateParams; reply: BrandingUpdateReply };
  'branding/logo': { params: BrandingLogoParams; bytes: Bytes; reply: BrandingLogoReply };
  'branding/logo/remove': { params: BrandingLogoRemoveParams; reply: BrandingLogoRemoveReply };
  'agents/policy': { params: AgentsPolicyParams; reply: AgentsPolicyReply };
  'agents/policy/update': { params: AgentsPolicyUpdateParams; reply: AgentsPolicyUpdateReply };
  'groups/policy': { params: GroupsPolicyParams; reply: GroupsPolicyReply };
  'groups/policy/update': { params: GroupsPolicyUpdateParams; reply: GroupsPolicyUpdateReply };
  'account/policy': { params: AccountPolicyParams; reply: AccountPolicyReply };
  'account/policy/update': { params: AccountPolicyUpdateParams; reply: AccountPolicyUpdateReply };
  'agents/updates/status': { params: AgentsUpdatesStatusParams; reply: AgentsUpdatesStatusReply };
  'agents/updates/settings': { params: AgentsUpdatesSettingsParams; reply: AgentsUpdatesSettingsReply };
  'agents/updates/settings/update': {
    params: AgentsUpdatesSettingsUpdateParams;
    reply: AgentsUpdatesSettingsUpdateReply;
  };
  'agents/updates/pause': { params: AgentsUpdatesPauseParams; reply: AgentsUpdatesPauseReply };
  'agents/updates/resume': { params: AgentsUpdatesResumeParams; reply: AgentsUpdatesResumeReply };
  'agents/updates/devices': { params: AgentsUpdatesDevicesParams; reply: AgentsUpdatesDevicesReply };
  'agents/updates/info': { params: AgentsUpdatesInfoParams; reply: AgentsUpdatesInfoReply };
  'agents/updates/pin': { params: AgentsUpdatesPinParams; reply: AgentsUpdatesPinReply };
  'team/directory/list': { params: TeamDirectoryListParams; reply: TeamDirectoryListReply };
  'team/directory/create': { params: TeamDirectoryCreateParams; reply: TeamDirectoryCreateReply };
  'team/directory/update': { params: TeamDirectoryUpdateParams; reply: TeamDirectoryUpdateReply };
  'team/directory/remove': { params: TeamDirectoryRemoveParams; reply: TeamDirectoryRemoveReply };
  'team/directory/plan': { params: TeamDirectoryPlanParams; reply: TeamDirectoryPlanReply };
  'team/directory/run': { params: TeamDirectoryRunParams; reply: TeamDirectoryRunReply };
  'team/access/request/create': {
    params: TeamAccessRequestCreateParams;
    reply: TeamAccessRequestCreateReply;
  };
  'team/access/request/list': { params: TeamAccessRequestListParams; reply: TeamAccessRequestListReply };
  'team/access/request/options': {
    params: TeamAccessRequestOptionsParams;
    reply: TeamAccessRequestOptionsReply;
  };
  'team/access/request/approve': {
    params: TeamAccessRequestApproveParams;
    reply: TeamAccessRequestApproveReply;
  };
  'team/access/request/deny': { params: TeamAccessRequestDenyParams; reply: TeamAccessRequestDenyReply };
  'team/access/request/cancel': {
    params: TeamAccessRequestCancelParams;
    reply: TeamAccessRequestCancelReply;
  };
  'team/access/emergency': { params: TeamAccessEmergencyParams; reply: TeamAccessEmergencyReply };
  'team/access/request/settings': {
    params: TeamAccessRequestSettingsParams;
    reply: TeamAccessRequestSettingsReply;
  };
  'team/provider/list': { params: TeamProviderListParams; reply: TeamProviderListReply };
  'team/provider/create': { params: TeamProviderCreateParams; reply: TeamProviderCreateReply };
  'team/provider/update': { params: TeamProviderUpdateParams; reply: TeamProviderUpdateReply };
  'team/provider/remove': { params: TeamProviderRemoveParams; reply: TeamProviderRemoveReply };
  'team/provider/check': { params: TeamProviderCheckParams; reply: TeamProviderCheckReply };
  'team/provider/group/add': { params: TeamProviderGroupAddParams; reply: TeamProviderGroupAddReply };
  'team/provider/group/remove': {
    params: TeamProviderGroupRemoveParams;
    reply: TeamProviderGroupRemoveReply;
  };
  'team/provider/require': { params: TeamProviderRequireParams; reply: TeamProviderRequireReply };
  'team/scim/token/list': { params: TeamScimTokenListParams; reply: TeamScimTokenListReply };
  'team/scim/token/create': { params: TeamScimTokenCreateParams; reply: TeamScimTokenCreateReply };
  'team/scim/token/remove': { params: TeamScimTokenRemoveParams; reply: TeamScimTokenRemoveReply };
  'team/webhook/list': { params: TeamWebhookListParams; reply: TeamWebhookListReply };
  'team/webhook/create': { params: TeamWebhookCreateParams; reply: TeamWebhookCreateReply };
  'team/webhook/update': { params: TeamWebhookUpdateParams; reply: TeamWebhookUpdateReply };
  'team/webhook/renew': { params: TeamWebhookRenewParams; reply: TeamWebhookRenewReply };
  'team/webhook/remove': { params: TeamWebhookRemoveParams; reply: TeamWebhookRemoveReply };
  'team/webhook/test': { params: TeamWebhookTestParams; reply: TeamWebhookTestReply };
  'agents/approval/list': { params: AgentsApprovalListParams; reply: AgentsApprovalListReply };
  'agents/approval/sign': { params: AgentsApprovalSignParams; reply: AgentsApprovalSignReply };
}

export type OperationId = keyof Operations;

export interface OperationRoute {
  method: 'GET' | 'POST';
  in: 'query' | 'body';
  /** The HTTP status is the whole answer: the body is empty. */
  empty?: true;
  /** The body of the request is a file. */
  body?: 'bytes';
  /** The body of the reply is a file. */
  answers?: 'bytes';
}

/** The HTTP method of each operation, and where its parameters are sent. */
export const routes: Record<OperationId, OperationRoute> = {
  'support/list': { method: 'GET', in: 'query' },
  'support/info': { method: 'GET', in: 'query' },
  'support/create': { method: 'POST', in: 'query' },
  'support/update': { method: 'POST', in: 'body' },
  'support/connect': { method: 'POST', in: 'query' },
  'support/close': { method: 'POST', in: 'query', empty: true },
  'agents/list': { method: 'GET', in: 'query' },
  'agents/info': { method: 'GET', in: 'query' },
  'agents/update': { method: 'POST', in: 'body' },
  'agents/connect': { method: 'POST', in: 'query' },
  'agents/reboot': { method: 'POST', in: 'body' },
  'agents/wake': { method: 'POST', in: 'body' },
  'agents/logout': { method: 'POST', in: 'body' },
  'agents/merge': { method: 'POST', in: 'body' },
  'groups/list': { method: 'GET', in: 'query' },
  'groups/create': { method: 'POST', in: 'body' },
  'groups/edit': { method: 'POST', in: 'body' },
  'groups/remove': { method: 'POST', in: 'body' },
  'groups/agent/insert': { method: 'POST', in: 'body' },
  'groups/agent/remove': { method: 'POST', in: 'body' },
  'team/role/list': { method: 'GET', in: 'query' },
  'team/role/info': { method: 'GET', in: 'query' },
  'team/role/create': { method: 'POST', in: 'body' },
  'team/role/edit': { method: 'POST', in: 'body' },
  'team/role/remove': { method: 'POST', in: 'body' },
  'team/member/access/list': { method: 'GET', in: 'query' },
  'team/member/access/add': { method: 'POST', in: 'body' },
  'team/member/access/remove': { method: 'POST', in: 'body' },
  'team/department/access/list': { method: 'GET', in: 'query' },
  'team/department/access/add': { method: 'POST', in: 'body' },
  'team/department/access/remove': { method: 'POST', in: 'body' },
  'team/department/list': { method: 'GET', in: 'query' },
  'team/department/info': { method: 'GET', in: 'query' },
  'team/department/create': { method: 'POST', in: 'body' },
  'team/department/update': { method: 'POST', in: 'body' },
  'team/department/remove': { method: 'POST', in: 'body' },
  'team/department/member/add': { method: 'POST', in: 'body' },
  'team/department/member/remove': { method: 'POST', in: 'body' },
  'history/list': { method: 'GET', in: 'query' },
  'history/export': { method: 'GET', in: 'query', answers: 'bytes' },
  'history/video/remove': { method: 'POST', in: 'body' },
  'team/member/list': { method: 'GET', in: 'query' },
  'team/member/invite': { method: 'POST', in: 'body' },
  'team/member/remove': { method: 'POST', in: 'body' },
  'team/access/effective': { method: 'GET', in: 'query' },
  'keys/list': { method: 'GET', in: 'query' },
  'keys/create': { method: 'POST', in: 'body' },
  'keys/revoke': { method: 'POST', in: 'body' },
  'plan/info': { method: 'GET', in: 'query' },
  'audit/list': { method: 'GET', in: 'query' },
  'audit/verify': { method: 'GET', in: 'query' },
  'agents/enroll/create': { method: 'POST', in: 'body' },
  'agents/enroll/list': { method: 'GET', in: 'query' },
  'agents/enroll/revoke': { method: 'POST', in: 'body' },
  'agents/pending': { method: 'GET', in: 'query' },
  'agents/approve': { method: 'POST', in: 'body' },
  'account/info': { method: 'GET', in: 'query' },
  'account/update': { method: 'POST', in: 'body' },
  'agents/lock': { method: 'POST', in: 'body' },
  'agents/favorite': { method: 'POST', in: 'body' },
  'agents/software': { method: 'GET', in: 'query' },
  'agents/duplicates': { method: 'GET', in: 'query' },
  'agents/copied/clear': { method: 'POST', in: 'body' },
  'agents/settings': { method: 'GET', in: 'query' },
  'agents/settings/update': { method: 'POST', in: 'body' },
  'agents/notes': { method: 'GET', in: 'query' },
  'agents/notes/update': { method: 'POST', in: 'body' },
  'agents/files/list': { method: 'GET', in: 'query' },
  'agents/files/add': { method: 'POST', in: 'query', body: 'bytes' },
  'agents/files/remove': { method: 'POST', in: 'body' },
  'agents/files/get': { method: 'GET', in: 'query', answers: 'bytes' },
  'groups/settings': { method: 'GET', in: 'query' },
  'groups/settings/update': { method: 'POST', in: 'body' },
  'sessions/list': { method: 'GET', in: 'query' },
  'sessions/close': { method: 'POST', in: 'body' },
  'sessions/note': { method: 'POST', in: 'body' },
  'branding/info': { method: 'GET', in: 'query' },
  'branding/update': { method: 'POST', in: 'body' },
  'branding/logo': { method: 'POST', in: 'query', body: 'bytes' },
  'branding/logo/remove': { method: 'POST', in: 'body' },
  'agents/policy': { method: 'GET', in: 'query' },
  'agents/policy/update': { method: 'POST', in: 'body' },
  'groups/policy': { method: 'GET', in: 'query' },
  'groups/policy/update': { method: 'POST', in: 'body' },
  'account/policy': { method: 'GET', in: 'query' },
  'account/policy/update': { method: 'POST', in: 'body' },
  'agents/updates/status': { method: 'GET', in: 'query' },
  'agents/updates/settings': { method: 'GET', in: 'query' },
  'agents/updates/settings/update': { method: 'POST', in: 'body' },
  'agents/updates/pause': { method: 'POST', in: 'body' },
  'agents/updates/resume': { method: 'POST', in: 'body' },
  'agents/updates/devices': { method: 'GET', in: 'query' },
  'agents/updates/info': { method: 'GET', in: 'query' },
  'agents/updates/pin': { method: 'POST', in: 'body' },
  'team/directory/list': { method: 'GET', in: 'query' },
  'team/directory/create': { method: 'POST', in: 'body' },
  'team/directory/update': { method: 'POST', in: 'body' },
  'team/directory/remove': { method: 'POST', in: 'body' },
  'team/directory/plan': { method: 'POST', in: 'body' },
  'team/directory/run': { method: 'POST', in: 'body' },
  'team/access/request/create': { method: 'POST', in: 'body' },
  'team/access/request/list': { method: 'GET', in: 'query' },
  'team/access/request/options': { method: 'GET', in: 'query' },
  'team/access/request/approve': { method: 'POST', in: 'body' },
  'team/access/request/deny': { method: 'POST', in: 'body' },
  'team/access/request/cancel': { method: 'POST', in: 'body' },
  'team/access/emergency': { method: 'POST', in: 'body' },
  'team/access/request/settings': { method: 'POST', in: 'body' },
  'team/provider/list': { method: 'GET', in: 'query' },
  'team/provider/create': { method: 'POST', in: 'body' },
  'team/provider/update': { method: 'POST', in: 'body' },
  'team/provider/remove': { method: 'POST', in: 'body' },
  'team/provider/check': { method: 'POST', in: 'body' },
  'team/provider/group/add': { method: 'POST', in: 'body' },
  'team/provider/group/remove': { method: 'POST', in: 'body' },
  'team/provider/require': { method: 'POST', in: 'body' },
  'team/scim/token/list': { method: 'GET', in: 'query' },
  'team/scim/token/create': { method: 'POST', in: 'body' },
  'team/scim/token/remove': { method: 'POST', in: 'body' },
  'team/webhook/list': { method: 'GET', in: 'query' },
  'team/webhook/create': { method: 'POST', in: 'body' },
  'team/webhook/update': { method: 'POST', in: 'body' },
  'team/webhook/renew': { method: 'POST', in: 'body' },
  'team/webhook/remove': { method: 'POST', in: 'body' },
  'team/webhook/test': { method: 'POST', in: 'body' },
  'agents/approval/list': { method: 'GET', in: 'query' },
  'agents/approval/sign': { method: 'POST', in: 'body' },
};
