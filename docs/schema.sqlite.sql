-- What the migrations make.

CREATE TABLE access_entry (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  role_id integer references role(id) on delete cascade not null,
  member_id integer references member(id) on delete cascade,
  department_id integer references department(id) on delete cascade,
  agent_id integer references agent(id) on delete cascade,
  group_id integer references agent_group(id) on delete cascade, until_time integer, request_id integer references access_request(id) on delete cascade,
  check ((member_id is null) <> (department_id is null))
);

CREATE INDEX access_entry_agent on access_entry (agent_id);

CREATE INDEX access_entry_department on access_entry (department_id);

CREATE INDEX access_entry_group on access_entry (group_id);

CREATE INDEX access_entry_member on access_entry (member_id);

CREATE UNIQUE INDEX access_entry_once on access_entry
  (role_id, coalesce(member_id, 0), coalesce(department_id, 0), coalesce(agent_id, 0), coalesce(group_id, 0), coalesce(request_id, 0));

CREATE INDEX access_entry_request on access_entry (request_id) where request_id is not null;

CREATE INDEX access_entry_until on access_entry (account_id, until_time) where until_time is not null;

CREATE TABLE access_request (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  member_id integer references member(id) on delete cascade not null,
  role_id integer references role(id) on delete cascade not null,
  agent_id integer references agent(id) on delete cascade,
  group_id integer references agent_group(id) on delete cascade,
  reason text not null,
  minutes integer not null,
  emergency integer not null,
  state text not null,
  create_time integer not null,
  expire_time integer not null,
  decided_by integer references member(id) on delete set null,
  decide_time integer,
  decision text not null,
  until_time integer
, permissions text);

CREATE INDEX access_request_account on access_request (account_id, id);

CREATE INDEX access_request_agent on access_request (agent_id);

CREATE INDEX access_request_decided on access_request (decided_by);

CREATE INDEX access_request_group on access_request (group_id);

CREATE INDEX access_request_member on access_request (member_id);

CREATE INDEX access_request_role on access_request (role_id);

CREATE TABLE account (
  account_id integer primary key autoincrement,
  create_time integer not null,
  plan_computers integer,
  plan_invitations integer,
  plan_files integer,
  plan_requests integer,
  plan_recording_mb integer,
  record_by_default integer not null default 0,
  rights_version integer not null default 1,
  audit_seq integer not null default 0,
  audit_hash text not null default ''
, approve_devices integer not null default 0, policy text not null default '{}', policy_version integer not null default 1, request_minutes integer not null default 480, emergency_access integer not null default 0, only_sso integer not null default 0);

CREATE TABLE agent (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  device_id integer not null,
  group_id integer references agent_group(id) on delete set null,
  name text not null,
  name_folded text not null,
  link_time integer not null,
  added_over_files integer not null,
  geo_ip text not null,
  geo_country text not null,
  geo_region text not null,
  geo_city text not null,
  addresses text not null,
  permanent_enabled integer not null,
  permanent_password text,
  secret text not null,
  os text not null,
  os_user text not null,
  rdp integer not null,
  hibernate integer not null,
  power_supply integer not null,
  version text not null,
  installed integer not null,
  sessions_total integer not null,
  last_session_id integer,
  revision integer not null,
  notes text not null,
  hardware text not null
, public_key text, approved integer not null default 1, epoch text not null default '', epoch_next text not null default '', copied_time integer, machine_id text not null default '', serial text not null default '', macs text not null default '', software text not null default '[]', software_time integer not null default 0, policy text not null default '{}', uplink_version integer not null default 1);

CREATE INDEX agent_account on agent (account_id, id, revision, group_id, link_time, added_over_files);

CREATE UNIQUE INDEX agent_device on agent (device_id);

CREATE INDEX agent_in_group on agent (group_id);

CREATE INDEX agent_link_time on agent (account_id, link_time, id);

CREATE UNIQUE INDEX agent_public_key on agent (public_key);

CREATE TABLE agent_group (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  name text not null,
  name_folded text not null,
  position integer not null
, policy text not null default '{}');

CREATE INDEX agent_group_account on agent_group (account_id, position, id);

CREATE TABLE agent_update (
  agent_id integer references agent(id) on delete cascade not null primary key,
  account_id integer references account(account_id) on delete cascade not null,
  pin text not null default '',
  progress text not null default '',
  target text not null default '',
  message text not null default '',
  report_time integer not null default 0
);

CREATE INDEX agent_update_account on agent_update (account_id);

CREATE TABLE api_key (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  member_id integer references member(id) on delete cascade not null,
  digest text not null,
  prefix text not null,
  name text not null,
  create_time integer not null,
  expire_time integer,
  networks text not null,
  last_used_time integer,
  revoke_time integer
);

CREATE UNIQUE INDEX api_key_digest on api_key (digest);

CREATE INDEX api_key_member on api_key (member_id);

CREATE TABLE attached_file (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  agent_id integer references agent(id) on delete cascade not null,
  name text not null,
  size integer not null,
  digest text not null,
  create_time integer not null
, type text not null default '', note text not null default '', author text not null default '', place text not null default '');

CREATE INDEX attached_file_account on attached_file (account_id);

CREATE INDEX attached_file_agent on attached_file (agent_id);

CREATE INDEX attached_file_place on attached_file (account_id, place);

CREATE TABLE audit (
  account_id integer references account(account_id) on delete cascade not null,
  seq integer not null,
  time integer not null,
  member_id integer,
  email text not null,
  address text not null,
  operation text not null,
  outcome text not null,
  input text not null,
  previous_hash text not null,
  hash text not null,
  primary key (account_id, seq)
);

CREATE INDEX audit_time on audit (account_id, time);

CREATE TABLE brand (
  account_id integer references account(account_id) on delete cascade primary key not null,
  name text not null,
  accent text not null,
  logo_type text not null,
  logo_digest text not null,
  logo text not null
, logo_place text not null default '', logo_size integer not null default 0);

CREATE INDEX brand_logo on brand (logo_digest);

CREATE TABLE bus_key (
  id integer primary key autoincrement,
  secret text not null,
  created_time integer not null
);

CREATE TABLE department (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  name text not null,
  name_folded text not null,
  ldap integer not null,
  worker integer not null,
  create_time integer not null,
  modify_time integer not null
, directory_id integer references directory(id) on delete set null, directory_uid text);

CREATE INDEX department_account on department (account_id, id);

CREATE UNIQUE INDEX department_directory on department (directory_id, directory_uid) where directory_id is not null;

CREATE TABLE department_member (
  account_id integer references account(account_id) on delete cascade not null,
  department_id integer references department(id) on delete cascade not null,
  member_id integer references member(id) on delete cascade not null, provider_id integer references provider(id) on delete set null,
  primary key (department_id, member_id)
);

CREATE INDEX department_member_member on department_member (member_id);

CREATE INDEX department_member_provider on department_member (provider_id) where provider_id is not null;

CREATE TABLE directory (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  member_id integer not null,
  name text not null,
  url text not null,
  ca text not null,
  bind_dn text not null,
  bind_password text not null,
  base text not null,
  person_filter text not null,
  group_filter text not null,
  adopt integer not null,
  every_minutes integer not null,
  removal_percent integer not null,
  next_time integer,
  last_time integer,
  last_problem text not null default ''
, sign_in integer not null default 0);

CREATE INDEX directory_account on directory (account_id);

CREATE INDEX directory_next on directory (next_time) where next_time is not null;

CREATE TABLE enrolment (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  member_id integer references member(id) on delete cascade not null,
  digest text not null,
  group_id integer references agent_group(id) on delete set null,
  uses integer not null,
  uses_left integer not null,
  create_time integer not null,
  expire_time integer not null,
  revoke_time integer
);

CREATE INDEX enrolment_account on enrolment (account_id, id);

CREATE UNIQUE INDEX enrolment_digest on enrolment (digest);

CREATE INDEX enrolment_group on enrolment (group_id);

CREATE INDEX enrolment_member on enrolment (member_id);

CREATE TABLE favorite (
  account_id integer references account(account_id) on delete cascade not null,
  member_id integer references member(id) on delete cascade not null,
  agent_id integer references agent(id) on delete cascade not null,
  primary key (member_id, agent_id)
);

CREATE INDEX favorite_agent on favorite (agent_id);

CREATE TABLE invitation (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  member_id integer references member(id) on delete set null,
  status integer not null check (status between 0 and 3),
  create_time integer not null,
  code text not null,
  connect_token text not null,
  client_name text not null,
  client_os text not null,
  client_preview text not null,
  operator_present integer not null,
  ever_joined integer not null
, client_key text not null default '', client_until integer not null default 0, connect_used integer not null default 0, client_holder text not null default '');

CREATE INDEX invitation_account on invitation (account_id, id);

CREATE INDEX invitation_client on invitation (client_until) where status in (1, 2);

CREATE UNIQUE INDEX invitation_code on invitation (code) where status < 3;

CREATE UNIQUE INDEX invitation_connect on invitation (connect_token);

CREATE INDEX invitation_member on invitation (member_id);

CREATE TABLE known_network (
  member_id integer references member(id) on delete cascade not null,
  network text not null,
  account_id integer references account(account_id) on delete cascade not null,
  seen_time integer not null,
  primary key (member_id, network)
);

CREATE INDEX known_network_seen on known_network (seen_time);

CREATE TABLE link (
  digest text primary key,
  account_id integer references account(account_id) on delete cascade not null,
  member_id integer references member(id) on delete cascade,
  agent_id integer references agent(id) on delete cascade,
  invitation_id integer references invitation(id) on delete cascade,
  door text not null check (door in ('api', 'permanent', 'onetime', 'operator')),
  video integer,
  expire_time integer not null,
  used_time integer, provider_id integer references provider(id) on delete set null, sso_sid text not null default '',
  check ((member_id is null) = (door = 'permanent'))
);

CREATE INDEX link_agent on link (agent_id);

CREATE INDEX link_expiry on link (expire_time);

CREATE INDEX link_invitation on link (invitation_id);

CREATE INDEX link_member on link (member_id);

CREATE INDEX link_provider on link (provider_id) where provider_id is not null;

CREATE TABLE list_version (
  account_id integer references account(account_id) on delete cascade not null,
  shard integer not null,
  version integer not null,
  primary key (account_id, shard)
);

CREATE TABLE member (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  email text not null,
  email_folded text not null,
  owner integer not null,
  state text not null check (state in ('invited', 'active')),
  create_time integer not null,
  password text
, operator integer not null default 0, name text not null default '', disabled integer not null default 0, directory_id integer references directory(id) on delete set null, directory_uid text);

CREATE INDEX member_by_email on member (email_folded);

CREATE UNIQUE INDEX member_directory on member (directory_id, directory_uid) where directory_id is not null;

CREATE UNIQUE INDEX member_email on member (account_id, email_folded);

CREATE UNIQUE INDEX member_owner on member (account_id) where owner = 1;

CREATE TABLE migration (number integer primary key, contracted integer not null default 1);

CREATE TABLE node (
  id text primary key,
  alive_until integer not null,
  has_bus integer not null,
  shared text not null
, endpoint text, schema integer not null default 0);

CREATE TABLE notification (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  member_id integer references member(id) on delete cascade not null,
  kind text not null,
  time integer not null,
  total integer not null,
  read_time integer,
  mail_time integer,
  mail_attempts integer not null default 0
);

CREATE INDEX notification_mail on notification (mail_time) where mail_time is not null;

CREATE INDEX notification_member on notification (member_id, id);

CREATE INDEX notification_time on notification (time);

CREATE TABLE notification_cause (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  kind text not null,
  agent_id integer references agent(id) on delete cascade,
  invitation_id integer references invitation(id) on delete cascade,
  session_id integer references session(id) on delete cascade,
  time integer not null
);

CREATE INDEX notification_cause_agent on notification_cause (agent_id);

CREATE INDEX notification_cause_invitation on notification_cause (invitation_id);

CREATE INDEX notification_cause_session on notification_cause (session_id);

CREATE TABLE notification_item (
  member_id integer references member(id) on delete cascade not null,
  cause text not null,
  account_id integer references account(account_id) on delete cascade not null,
  kind text not null,
  agent_id integer references agent(id) on delete cascade,
  invitation_id integer references invitation(id) on delete cascade,
  session_id integer references session(id) on delete cascade,
  time integer not null,
  due_time integer not null,
  notification_id integer references notification(id) on delete set null,
  told_time integer,
  back_time integer,
  open integer not null,
  primary key (member_id, cause)
);

CREATE INDEX notification_item_agent on notification_item (agent_id, open);

CREATE INDEX notification_item_back on notification_item (back_time) where back_time is not null;

CREATE INDEX notification_item_invitation on notification_item (invitation_id);

CREATE INDEX notification_item_notification on notification_item (notification_id);

CREATE INDEX notification_item_session on notification_item (session_id);

CREATE INDEX notification_item_told on notification_item (told_time);

CREATE TABLE notification_round (
  number integer primary key check (number = 1),
  holder text not null,
  lease_until integer not null,
  evaluated integer not null,
  gap_from integer not null,
  gap_to integer not null
);

CREATE TABLE notification_settings (
  member_id integer references member(id) on delete cascade primary key not null,
  account_id integer references account(account_id) on delete cascade not null,
  mail text not null
);

CREATE TABLE notification_subscription (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  member_id integer references member(id) on delete cascade not null,
  agent_id integer references agent(id) on delete cascade,
  group_id integer references agent_group(id) on delete cascade,
  target text not null,
  offline integer not null,
  back integer not null,
  new_device integer not null,
  session_began integer not null,
  client_waits integer not null,
  minutes integer not null,
  since_time integer not null
);

CREATE INDEX notification_subscription_account on notification_subscription (account_id);

CREATE INDEX notification_subscription_agent on notification_subscription (agent_id);

CREATE INDEX notification_subscription_group on notification_subscription (group_id);

CREATE UNIQUE INDEX notification_subscription_target on notification_subscription (member_id, target);

CREATE TABLE onetime_use (
  account_id integer references account(account_id) on delete cascade not null,
  agent_id integer references agent(id) on delete cascade not null,
  member_id integer references member(id) on delete cascade not null,
  window_number integer not null,
  primary key (agent_id, member_id, window_number)
);

CREATE INDEX onetime_use_member on onetime_use (member_id);

CREATE TABLE panel_session (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  member_id integer references member(id) on delete cascade not null,
  digest text not null,
  create_time integer not null,
  seen_time integer not null,
  fresh_time integer not null,
  address text not null,
  user_agent text not null
, provider_id integer references provider(id) on delete cascade, sso_sid text not null default '');

CREATE UNIQUE INDEX panel_session_digest on panel_session (digest);

CREATE INDEX panel_session_member on panel_session (member_id);

CREATE INDEX panel_session_provider on panel_session (provider_id) where provider_id is not null;

CREATE INDEX panel_session_seen on panel_session (seen_time);

CREATE TABLE passkey (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  member_id integer references member(id) on delete cascade not null,
  credential text not null,
  public_key text not null,
  counter integer not null,
  transports text not null,
  name text not null,
  create_time integer not null,
  last_used_time integer
);

CREATE UNIQUE INDEX passkey_credential on passkey (credential);

CREATE INDEX passkey_member on passkey (member_id);

CREATE TABLE permanent_path (
  path text primary key,
  account_id integer references account(account_id) on delete cascade not null,
  agent_id integer references agent(id) on delete cascade not null unique
);

CREATE TABLE presence (
  agent_id integer references agent(id) on delete cascade primary key,
  account_id integer references account(account_id) on delete cascade not null,
  node text not null,
  lease_until integer not null,
  seen_time integer not null
);

CREATE INDEX presence_node on presence (node);

CREATE TABLE provider (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  sign_in_name text not null,
  name text not null,
  issuer text not null,
  ca text not null,
  client_id text not null,
  client_secret text not null,
  scopes text not null,
  groups_claim text not null,
  create_people integer not null,
  adopt integer not null,
  enabled integer not null,
  member_id integer not null,
  create_time integer not null
);

CREATE INDEX provider_account on provider (account_id);

CREATE UNIQUE INDEX provider_sign_in_name on provider (sign_in_name);

CREATE TABLE provider_group (
  account_id integer references account(account_id) on delete cascade not null,
  provider_id integer references provider(id) on delete cascade not null,
  department_id integer references department(id) on delete cascade not null,
  group_name text not null,
  member_id integer not null,
  primary key (provider_id, group_name, department_id)
);

CREATE INDEX provider_group_department on provider_group (department_id);

CREATE TABLE provider_identity (
  account_id integer references account(account_id) on delete cascade not null,
  provider_id integer references provider(id) on delete cascade not null,
  member_id integer references member(id) on delete cascade not null,
  subject text not null,
  email text not null,
  create_time integer not null,
  last_time integer not null, logout_time integer not null default 0,
  primary key (provider_id, subject)
);

CREATE UNIQUE INDEX provider_identity_member on provider_identity (member_id, provider_id);

CREATE TABLE provider_logout (
  account_id integer references account(account_id) on delete cascade not null,
  provider_id integer references provider(id) on delete cascade not null,
  jti text not null,
  sid text not null,
  expire_time integer not null,
  primary key (provider_id, jti)
);

CREATE INDEX provider_logout_account on provider_logout (account_id);

CREATE TABLE recording (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  session_id integer references session(id) on delete cascade not null,
  token_digest text not null,
  public_key text not null default '',
  chunks integer not null default 0,
  complete integer not null default 0,
  create_time integer not null
);

CREATE INDEX recording_empty on recording (create_time) where chunks = 0;

CREATE INDEX recording_session on recording (session_id);

CREATE TABLE recording_chunk (
  recording_id integer references recording(id) on delete cascade not null,
  account_id integer references account(account_id) on delete cascade not null,
  number integer not null,
  from_ms integer not null,
  to_ms integer not null,
  size integer not null,
  digest text not null,
  whole integer not null,
  place text not null,
  primary key (recording_id, number)
);

CREATE INDEX recording_chunk_place on recording_chunk (account_id, place);

CREATE TABLE recording_key (
  account_id integer references account(account_id) on delete cascade primary key not null,
  private_key text not null,
  public_key text not null
);

CREATE TABLE recovery_code (
  member_id integer references member(id) on delete cascade not null,
  account_id integer references account(account_id) on delete cascade not null,
  digest text not null,
  primary key (member_id, digest)
);

CREATE TABLE role (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  name text not null,
  name_folded text not null,
  type text not null check (type in ('agent', 'group', 'quick_support', 'team')),
  description text not null,
  permissions text not null,
  system integer not null
);

CREATE INDEX role_account on role (account_id, id);

CREATE TABLE scim_group (
  account_id integer references account(account_id) on delete cascade not null,
  department_id integer references department(id) on delete cascade not null primary key,
  external_id text
);

CREATE INDEX scim_group_account on scim_group (account_id);

CREATE TABLE scim_token (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  member_id integer references member(id) on delete cascade not null,
  digest text not null,
  prefix text not null,
  name text not null,
  create_time integer not null,
  expire_time integer,
  last_used_time integer
);

CREATE INDEX scim_token_account on scim_token (account_id);

CREATE UNIQUE INDEX scim_token_digest on scim_token (digest);

CREATE INDEX scim_token_member on scim_token (member_id);

CREATE TABLE scim_user (
  account_id integer references account(account_id) on delete cascade not null,
  member_id integer references member(id) on delete cascade not null primary key,
  user_name text not null,
  user_name_folded text not null,
  external_id text,
  profile text not null,
  removed integer not null,
  modify_time integer not null
);

CREATE INDEX scim_user_external on scim_user (account_id, external_id);

CREATE UNIQUE INDEX scim_user_name on scim_user (account_id, user_name_folded);

CREATE TABLE server_identity (
  number integer primary key check (number = 1),
  private_key text not null,
  public_key text not null
);

CREATE TABLE session (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  agent_id integer references agent(id) on delete cascade,
  invitation_id integer references invitation(id) on delete cascade,
  member_id integer references member(id) on delete set null,
  login text not null,
  start_time integer not null,
  alive_time integer not null,
  stop_time integer,
  client_ip text not null,
  client_country text not null,
  client_region text not null,
  client_city text not null,
  user_agent text not null,
  bytes integer not null,
  video_secret text,
  video_size integer not null
, door text not null default 'api', permissions text not null default '[]', secret_digest text not null default '', record integer not null default 0, begun integer not null default 1, present integer not null default 0, ended_by text not null default '', note text not null default '', reason text not null default '', provider_id integer references provider(id) on delete set null, sso_sid text not null default '', approval_until integer not null default 0, holder text not null default '');

CREATE INDEX session_account on session (account_id, start_time, id);

CREATE INDEX session_active on session (alive_time) where stop_time is null;

CREATE INDEX session_agent on session (agent_id, id);

CREATE INDEX session_approval on session (account_id, approval_until) where approval_until > 0;

CREATE INDEX session_invitation on session (invitation_id);

CREATE INDEX session_member on session (member_id);

CREATE INDEX session_opening on session (id) where begun = 0;

CREATE INDEX session_present on session (invitation_id) where present = 1;

CREATE INDEX session_provider on session (provider_id) where provider_id is not null;

CREATE INDEX session_video on session (account_id, stop_time, video_size) where video_secret is not null;

CREATE TABLE sign_in_link (
  digest text primary key,
  account_id integer references account(account_id) on delete cascade not null,
  member_id integer references member(id) on delete cascade not null,
  purpose text not null check (purpose in ('sign_in', 'invite')),
  inviter_id integer references member(id) on delete cascade,
  expire_time integer not null,
  used_time integer
);

CREATE INDEX sign_in_link_inviter on sign_in_link (inviter_id);

CREATE INDEX sign_in_link_member on sign_in_link (member_id);

CREATE TABLE sign_in_step (
  digest text primary key,
  kind text not null,
  member_ids text not null,
  challenge text not null,
  tries_left integer not null,
  expire_time integer not null
);

CREATE TABLE totp (
  member_id integer references member(id) on delete cascade primary key not null,
  account_id integer references account(account_id) on delete cascade not null,
  secret text not null,
  confirm_time integer,
  last_step integer not null default 0
);

CREATE TABLE update_settings (
  account_id integer references account(account_id) on delete cascade not null primary key,
  enabled integer not null,
  window_start integer not null,
  window_end integer not null,
  group_order text not null,
  canary integer not null,
  failure_percent integer not null,
  per_minute integer not null,
  paused text not null,
  round_time integer not null
);

CREATE TABLE usage (
  account_id integer references account(account_id) on delete cascade not null,
  kind text not null check (kind in ('requests', 'invitations')),
  period integer not null,
  used integer not null,
  primary key (account_id, kind, period)
);

CREATE TABLE webhook (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  name text not null,
  url text not null,
  ca text not null,
  secret text not null,
  events text not null,
  enabled integer not null,
  create_time integer not null,
  problem text not null,
  http_status integer not null,
  last_time integer,
  failing_since integer,
  lost integer not null,
  disabled_time integer
, old_secret text not null default '', old_until integer not null default 0);

CREATE INDEX webhook_account on webhook (account_id);

CREATE TABLE webhook_delivery (
  id integer primary key autoincrement,
  account_id integer references account(account_id) on delete cascade not null,
  webhook_id integer references webhook(id) on delete cascade not null,
  event text not null,
  content text not null,
  create_time integer not null,
  attempts integer not null,
  next_time integer not null
);

CREATE INDEX webhook_delivery_account on webhook_delivery (account_id);

CREATE INDEX webhook_delivery_next on webhook_delivery (next_time);

CREATE INDEX webhook_delivery_webhook on webhook_delivery (webhook_id, next_time);
