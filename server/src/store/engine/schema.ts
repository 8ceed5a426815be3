/** The tables after the last migration. Times are unix seconds, flags 0 or 1: the same in both databases. */
import type { Generated } from 'kysely';

export type Flag = 0 | 1;

/** Columns of every table that belongs to an account. */
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
  /** The settings that the account decides, as JSON. */
  policy: Generated<string>;
  /** Incremented when the policy of a device may have changed. */
  policy_version: Generated<number>;
  /** Incremented by every change of rights. What was derived from rights is valid until then. */
  rights_version: Generated<number>;
  /** The longest access that people may ask for, in minutes; 0 if they may not ask. */
  request_minutes: Generated<number>;
  /** Whether people can give themselves access in an emergency. */
  emergency_access: Generated<Flag>;
  /** Whether people can sign in only with an identity provider. */
  only_sso: Generated<Flag>;
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
  /** Whether the person is a server administrator. */
  operator: Generated<Flag>;
  /** Empty if the person has not given one. */
  name: Generated<string>;
  /** Whether the person may not sign in or do anything, until they return to their directory. */
  disabled: Generated<Flag>;
  /** The directory that the person came from, and the uid of their entry there. */
  directory_id: Generated<number | null>;
  directory_uid: Generated<string | null>;
}

interface AgentTable extends AccountColumns {
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
  /** The settings that the device decides, as JSON. */
  policy: Generated<string>;
  /** The version of the uplink that the agent used last. */
  uplink_version: Generated<number>;
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
  /** The secret that the device last stored, and the one it received since. */
  epoch: Generated<string>;
  epoch_next: Generated<string>;
  /** When two machines were seen using the device's key. */
  copied_time: number | null;
  machine_id: Generated<string>;
  serial: Generated<string>;
  /** Addresses of the adapters, separated by spaces. */
  macs: Generated<string>;
  software: Generated<string>;
  software_time: Generated<number>;
}

interface ProviderTable extends AccountColumns {
  id: Generated<number>;
  sign_in_name: string;
  name: string;
  issuer: string;
  ca: string;
  client_id: string;
  client_secret: string;
  scopes: string;
  groups_claim: string;
  create_people: Flag;
  adopt: Flag;
  enabled: Flag;
  /** The person who last changed it, with whose rights invited people are recognised. */
  member_id: number;
  create_time: number;
}

interface WebhookTable extends AccountColumns {
  id: Generated<number>;
  name: string;
  url: string;
  ca: string;
  secret: string;
  /** The events that it wants, as JSON. */
  events: string;
  enabled: Flag;
  create_time: number;
  problem: string;
  http_status: number;
  last_time: number | null;
  failing_since: number | null;
  /** How many messages were given up. */
  lost: number;
  /** When the server disabled it. */
  disabled_time: number | null;
  /** The secret before the last renewal, which signs too until this time. */
  old_secret: Generated<string>;
  old_until: Generated<number>;
}

interface DirectoryTable extends AccountColumns {
  id: Generated<number>;
  /** Who changed the settings last: scheduled imports run with the rights of this person. */
  member_id: number;
  name: string;
  url: string;
  ca: string;
  bind_dn: string;
  bind_password: string;
  base: string;
  person_filter: string;
  group_filter: string;
  adopt: Flag;
  /** Whether its people sign in with its password. */
  sign_in: Generated<Flag>;
  every_minutes: number;
  removal_percent: number;
  /** When it is imported next; null if only when somebody asks. */
  next_time: number | null;
  last_time: Generated<number | null>;
  /** Why the last import changed nothing; empty if it went through. */
  last_problem: Generated<string>;
}

export interface SessionTable extends AccountColumns {
  id: Generated<number>;
  agent_id: number | null;
  invitation_id: number | null;
  member_id: number | null;
  login: string;
  start_time: number;
  /** The last time the session was known to be alive; a session that dies with its server ends at this time. */
  alive_time: number;
  stop_time: number | null;
  client_ip: string;
  client_country: string;
  client_region: string;
  client_city: string;
  user_agent: string;
  bytes: number;
  /** Part of the playback addresses of the recording; null where there is none. */
  video_secret: string | null;
  video_size: number;
  door: Generated<string>;
  permissions: Generated<string>;
  /** Lets the operator return after a disconnect. */
  secret_digest: Generated<string>;
  record: Generated<Flag>;
  /** Whether both sides have connected: before that it does not count as a session. */
  begun: Generated<Flag>;
  /** Whether the operator is connected to the relay. */
  present: Generated<Flag>;
  ended_by: Generated<string>;
  note: Generated<string>;
  /** Why the operator asked for access. */
  reason: Generated<string>;
  /** The provider with which the operator had signed in to the panel; null if it was another method, or no panel. */
  provider_id: Generated<number | null>;
  /** The name of that sign-in at the provider; empty if it gave none. */
  sso_sid: Generated<string>;
  /** Until when it waits for a second person on a device with four eyes; 0 if it does not. */
  approval_until: Generated<number>;
  /** The pairing that holds it; empty if a server without this column opened it. */
  holder: Generated<string>;
}

interface NotificationItemTable extends AccountColumns {
  member_id: number;
  /** Names the cause: the kind, the object, and for an outage when the device was last seen. */
  cause: string;
  kind: string;
  agent_id: number | null;
  invitation_id: number | null;
  session_id: number | null;
  /** When a device was last seen before its outage; otherwise when it happened. */
  time: number;
  due_time: number;
  notification_id: number | null;
  /** When the person was notified; null while it waits. */
  told_time: number | null;
  /** When the device of an outage last came online; null while it is away. */
  back_time: number | null;
  /** Set while an outage has not ended. */
  open: Flag;
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
    /** Who created the link; null for the server administrator. */
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
    directory_id: Generated<number | null>;
    directory_uid: Generated<string | null>;
  };
  directory: DirectoryTable;
  provider: ProviderTable;
  /** The departments that groups at a provider belong to. */
  provider_group: AccountColumns & {
    provider_id: number;
    department_id: number;
    group_name: string;
    /** The person who said so, with whose rights people are added. */
    member_id: number;
  };
  /** The people who sign in with a provider. */
  provider_identity: AccountColumns & {
    provider_id: number;
    member_id: number;
    subject: string;
    email: string;
    create_time: number;
    last_time: number;
    /** When the provider last ended everything of the person; 0 if it never did. */
    logout_time: Generated<number>;
  };
  /** The logout tokens of a provider that were used, each of which counts once. */
  provider_logout: AccountColumns & {
    provider_id: number;
    jti: string;
    /** The sign-in that ended; empty if all of a person did. */
    sid: string;
    expire_time: number;
  };
  department_member: AccountColumns & {
    department_id: number;
    member_id: number;
    /** The provider that added the person, and takes them away again; null if it was somebody here. */
    provider_id: Generated<number | null>;
  };
  scim_token: AccountColumns & {
    id: Generated<number>;
    /** Who created it: the token acts with the rights of this person. */
    member_id: number;
    digest: string;
    prefix: string;
    name: string;
    create_time: number;
    expire_time: number | null;
    last_used_time: number | null;
  };
  /** What an identity provider has said about a person. */
  scim_user: AccountColumns & {
    member_id: number;
    user_name: string;
    user_name_folded: string;
    external_id: string | null;
    /** The other attributes, as JSON. */
    profile: string;
    /** Whether the identity provider has deleted the person. */
    removed: Flag;
    modify_time: number;
  };
  /** A department that an identity provider looks after. */
  scim_group: AccountColumns & { department_id: number; external_id: string | null };
  webhook: WebhookTable;
  /** A message that waits for a webhook. */
  webhook_delivery: AccountColumns & {
    id: Generated<number>;
    webhook_id: number;
    event: string;
    /** What happened, as JSON. */
    content: string;
    create_time: number;
    attempts: number;
    /** When it is sent next; while a process sends it, when another one may. */
    next_time: number;
  };
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
    /** The settings that the group decides, as JSON. */
    policy: Generated<string>;
  };
  /** Incremented by every change that lists of devices show, except changes of rights: the sum of all shards. */
  list_version: AccountColumns & { shard: number; version: number };
  agent: AgentTable;
  permanent_path: AccountColumns & { path: string; agent_id: number };
  access_entry: AccountColumns & {
    id: Generated<number>;
    role_id: number;
    member_id: number | null;
    department_id: number | null;
    agent_id: number | null;
    group_id: number | null;
    /** When it ends. */
    until_time: number | null;
    /** The request that it was given for. */
    request_id: number | null;
  };
  access_request: AccountColumns & {
    id: Generated<number>;
    member_id: number;
    role_id: number;
    agent_id: number | null;
    group_id: number | null;
    /** What the role permitted when it was asked for, as JSON; null if a server of an earlier version stored the request. */
    permissions: string | null;
    reason: string;
    minutes: number;
    emergency: Flag;
    /** `waiting`, `approved`, `denied`, `withdrawn` or `ended`. That a time has passed is derived. */
    state: string;
    create_time: number;
    /** Until when it can be approved. */
    expire_time: number;
    decided_by: number | null;
    decide_time: number | null;
    decision: string;
    until_time: number | null;
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
  bus_key: { id: Generated<number>; secret: string; created_time: number };
  node: {
    id: string;
    alive_until: number;
    has_bus: number;
    shared: string;
    endpoint: string | null;
    schema: number;
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
    /** The connection that the client joined with; empty for none, or one at a server without this column. */
    client_holder: Generated<string>;
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
    provider_id: Generated<number | null>;
    sso_sid: Generated<string>;
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
    /** The digest of the token that a device needs to add to it. */
    token_digest: string;
    /** The public key of the device for this recording, sent with the first chunk. */
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
    /** When the person last confirmed their identity. */
    fresh_time: number;
    address: string;
    user_agent: string;
    /** The provider with which the person signed in; null if it was another method. */
    provider_id: Generated<number | null>;
    /** The name of the sign-in at the provider; empty if it gave none. */
    sso_sid: Generated<string>;
  };
  known_network: AccountColumns & { member_id: number; network: string; seen_time: number };
  sign_in_step: {
    digest: string;
    kind: string;
    /**
     * JSON: the members of the step; several while the account is still to be chosen, none where a passkey will
     * identify the person.
     */
    member_ids: string;
    challenge: string;
    tries_left: number;
    expire_time: number;
  };
  totp: AccountColumns & {
    member_id: number;
    secret: string;
    confirm_time: number | null;
    /** The last TOTP time step of which a code was accepted. */
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
    /** The picture in base64; empty if it is only in the blob store. */
    logo: string;
    /** Its key in the blob store; empty if it is not there. */
    logo_place: string;
    logo_size: number;
  };
  update_settings: AccountColumns & {
    enabled: Flag;
    window_start: number;
    window_end: number;
    /** Ids of groups, separated by spaces. */
    group_order: string;
    canary: number;
    failure_percent: number;
    per_minute: number;
    paused: string;
    /** When devices were last asked to update. */
    round_time: number;
  };
  agent_update: AccountColumns & {
    agent_id: number;
    pin: Generated<string>;
    progress: Generated<string>;
    target: Generated<string>;
    message: Generated<string>;
    report_time: Generated<number>;
  };
  notification_subscription: AccountColumns & {
    id: Generated<number>;
    member_id: number;
    agent_id: number | null;
    group_id: number | null;
    /** Names device or group, so that a person has one subscription for each. */
    target: string;
    offline: Flag;
    back: Flag;
    new_device: Flag;
    session_began: Flag;
    client_waits: Flag;
    minutes: number;
    since_time: number;
  };
  notification_settings: AccountColumns & { member_id: number; mail: string };
  notification_cause: AccountColumns & {
    id: Generated<number>;
    kind: string;
    agent_id: number | null;
    invitation_id: number | null;
    session_id: number | null;
    time: number;
  };
  notification: AccountColumns & {
    id: Generated<number>;
    member_id: number;
    kind: string;
    time: number;
    /** How many items it stands for. Not all of them are linked to it. */
    total: number;
    read_time: number | null;
    /** When it is mailed, or mailed again; null when it is not to be mailed. */
    mail_time: number | null;
    mail_attempts: Generated<number>;
  };
  notification_item: NotificationItemTable;
  notification_round: {
    number: number;
    holder: string;
    lease_until: number;
    evaluated: number;
    gap_from: number;
    gap_to: number;
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
