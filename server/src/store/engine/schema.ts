/** The tables, as they are after the last migration. Times are unix seconds, flags 0 or 1: one shape in both databases. */
import type { Generated } from 'kysely';

export type Flag = 0 | 1;

/** Columns every table of an account carries. */
interface AccountColumns {
  account_id: number;
}

export interface AccountTable extends AccountColumns {
  create_time: number;
  plan_computers: number | null;
  plan_invitations: number | null;
  plan_files: number | null;
  plan_requests: number | null;
  plan_recording_mb: number | null;
  record_by_default: Generated<Flag>;
  approve_devices: Generated<Flag>;
  /** Grows with every change of what somebody may do: what was derived from rights can be kept until then. */
  rights_version: Generated<number>;
  audit_seq: Generated<number>;
  audit_hash: Generated<string>;
}

export interface MemberTable extends AccountColumns {
  id: Generated<number>;
  email: string;
  email_folded: string;
  owner: Flag;
  state: string;
  create_time: number;
  password: string | null;
  /** Looks after the server itself. */
  operator: Generated<Flag>;
}

export interface AgentTable extends AccountColumns {
  id: Generated<number>;
  device_id: number;
  group_id: number | null;
  name: string;
  name_folded: string;
  link_time: number;
  added_over_files: Flag;
  geo_ip: string;
  geo_country: string;
  geo_region: string;
  geo_city: string;
  /** The public address and those of the adapters, separated by spaces, for search. */
  addresses: string;
  permanent_enabled: Flag;
  permanent_password: string | null;
  onetime_allowed: Flag;
  secret: string;
  os: string;
  os_user: string;
  rdp: Flag;
  hibernate: Flag;
  power_supply: Flag;
  version: string;
  installed: Flag;
  hardware: string;
  notes: string;
  sessions_total: number;
  last_session_id: number | null;
  revision: number;
  public_key: string | null;
  approved: Generated<Flag>;
  /** The secret that the device last kept, and the one it was given since. */
  epoch: Generated<string>;
  epoch_next: Generated<string>;
  /** When the device's key was seen in use by two machines. */
  copied_time: number | null;
  machine_id: Generated<string>;
  serial: Generated<string>;
  /** Addresses of the adapters, separated by spaces. */
  macs: Generated<string>;
  software: Generated<string>;
  software_time: Generated<number>;
}

export interface SessionTable extends AccountColumns {
  id: Generated<number>;
  agent_id: number | null;
  invitation_id: number | null;
  member_id: number | null;
  login: string;
  start_time: number;
  /** The last time the session was known to be alive; a session that dies with its server ends then. */
  alive_time: number;
  stop_time: number | null;
  client_ip: string;
  client_country: string;
  client_region: string;
  client_city: string;
  user_agent: string;
  bytes: number;
  /** Makes the addresses under which its recording is played; null where there is none. */
  video_secret: string | null;
  video_size: number;
  door: Generated<string>;
  permissions: Generated<string>;
  /** What lets the operator come back after a cut. */
  secret_digest: Generated<string>;
  record: Generated<Flag>;
  /** The two sides have met: before that it is no connection yet. */
  begun: Generated<Flag>;
  /** The operator is at the relay. */
  present: Generated<Flag>;
  ended_by: Generated<string>;
  note: Generated<string>;
}

export interface Tables {
  account: AccountTable;
  member: MemberTable;
  api_key: AccountColumns & {
    id: Generated<number>;
    member_id: number;
    digest: string;
    prefix: string;
    name: string;
    create_time: number;
    expire_time: number | null;
    networks: string;
    last_used_time: number | null;
    revoke_time: number | null;
  };
  sign_in_link: AccountColumns & {
    digest: string;
    member_id: number;
    purpose: string;
    /** Who made the link; null when the server's operator did. */
    inviter_id: number | null;
    expire_time: number;
    used_time: number | null;
  };
  department: AccountColumns & {
    id: Generated<number>;
    name: string;
    name_folded: string;
    ldap: Flag;
    worker: Flag;
    create_time: number;
    modify_time: number;
  };
  department_member: AccountColumns & { department_id: number; member_id: number };
  role: AccountColumns & {
    id: Generated<number>;
    name: string;
    name_folded: string;
    type: string;
    description: string;
    permissions: string;
    system: Flag;
  };
  agent_group: AccountColumns & {
    id: Generated<number>;
    name: string;
    name_folded: string;
    position: number;
    confirm: Generated<string>;
  };
  agent: AgentTable;
  permanent_path: AccountColumns & { path: string; agent_id: number };
  access_entry: AccountColumns & {
    id: Generated<number>;
    role_id: number;
    member_id: number | null;
    department_id: number | null;
    agent_id: number | null;
    group_id: number | null;
  };
  enrolment: AccountColumns & {
    id: Generated<number>;
    member_id: number;
    digest: string;
    group_id: number | null;
    uses: number;
    uses_left: number;
    create_time: number;
    expire_time: number;
    revoke_time: number | null;
  };
  server_identity: { number: number; private_key: string; public_key: string };
  presence: AccountColumns & { agent_id: number; node: string; lease_until: number; seen_time: number };
  favorite: AccountColumns & { member_id: number; agent_id: number };
  invitation: AccountColumns & {
    id: Generated<number>;
    member_id: number | null;
    status: number;
    create_time: number;
    code: string;
    connect_token: string;
    client_name: string;
    client_os: string;
    client_preview: string;
    operator_present: Flag;
    ever_joined: Flag;
    client_key: Generated<string>;
    client_until: Generated<number>;
    connect_used: Generated<Flag>;
  };
  link: AccountColumns & {
    digest: string;
    member_id: number | null;
    agent_id: number | null;
    invitation_id: number | null;
    door: string;
    video: Flag | null;
    expire_time: number;
    used_time: number | null;
  };
  onetime_use: AccountColumns & { agent_id: number; member_id: number; window_number: number };
  session: SessionTable;
  attached_file: AccountColumns & {
    id: Generated<number>;
    agent_id: number;
    name: string;
    size: number;
    digest: string;
    create_time: number;
    type: Generated<string>;
    note: Generated<string>;
    author: Generated<string>;
    place: Generated<string>;
  };
  recording_key: AccountColumns & { private_key: string; public_key: string };
  recording: AccountColumns & {
    id: Generated<number>;
    session_id: number;
    /** Of what a device needs to add to it. */
    token_digest: string;
    /** Of the device, made for this recording; told with the first chunk. */
    public_key: Generated<string>;
    chunks: Generated<number>;
    complete: Generated<Flag>;
    create_time: number;
  };
  recording_chunk: AccountColumns & {
    recording_id: number;
    number: number;
    from_ms: number;
    to_ms: number;
    size: number;
    digest: string;
    whole: Flag;
    place: string;
  };
  panel_session: AccountColumns & {
    id: Generated<number>;
    member_id: number;
    digest: string;
    create_time: number;
    seen_time: number;
    /** When the person last showed who they are. */
    fresh_time: number;
    address: string;
    user_agent: string;
  };
  known_network: AccountColumns & { member_id: number; network: string; seen_time: number };
  sign_in_step: {
    digest: string;
    kind: string;
    /** JSON: whose step it is; several where the account is still to be chosen, none where a passkey will tell. */
    member_ids: string;
    challenge: string;
    tries_left: number;
    expire_time: number;
  };
  totp: AccountColumns & {
    member_id: number;
    secret: string;
    confirm_time: number | null;
    /** The last step of time of which a code was taken. */
    last_step: Generated<number>;
  };
  recovery_code: AccountColumns & { member_id: number; digest: string };
  passkey: AccountColumns & {
    id: Generated<number>;
    member_id: number;
    credential: string;
    public_key: string;
    counter: number;
    transports: string;
    name: string;
    create_time: number;
    last_used_time: number | null;
  };
  brand: AccountColumns & {
    name: string;
    accent: string;
    logo_type: string;
    logo_digest: string;
    logo: string;
  };
  usage: AccountColumns & { kind: string; period: number; used: number };
  audit: AccountColumns & {
    seq: number;
    time: number;
    member_id: number | null;
    email: string;
    address: string;
    operation: string;
    outcome: string;
    input: string;
    previous_hash: string;
    hash: string;
  };
}
