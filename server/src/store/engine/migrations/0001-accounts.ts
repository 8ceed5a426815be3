/** Migration 1: accounts and people, devices, invitations, sessions, plan and audit. */
import type { Migration } from '../migration.ts';

export const accounts: Migration = ({ key, int, reference }) => [
  `create table account (
    account_id ${key},
    create_time ${int} not null,
    plan_computers ${int},
    plan_invitations ${int},
    plan_files ${int},
    plan_requests ${int},
    plan_recording_mb ${int},
    record_by_default ${int} not null default 0,
    rights_version ${int} not null default 1,
    audit_seq ${int} not null default 0,
    audit_hash text not null default ''
  )`,

  `create table member (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    email text not null,
    email_folded text not null,
    owner ${int} not null,
    state text not null check (state in ('invited', 'active')),
    create_time ${int} not null,
    password text
  )`,
  `create unique index member_email on member (account_id, email_folded)`,
  `create unique index member_owner on member (account_id) where owner = 1`,
  `create index member_by_email on member (email_folded)`,

  `create table api_key (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    member_id ${reference('member(id)', 'cascade')} not null,
    digest text not null,
    prefix text not null,
    name text not null,
    create_time ${int} not null,
    expire_time ${int},
    networks text not null,
    last_used_time ${int},
    revoke_time ${int}
  )`,
  `create unique index api_key_digest on api_key (digest)`,
  `create index api_key_member on api_key (member_id)`,

  `create table sign_in_link (
    digest text primary key,
    account_id ${reference('account(account_id)', 'cascade')} not null,
    member_id ${reference('member(id)', 'cascade')} not null,
    purpose text not null check (purpose in ('sign_in', 'invite')),
    inviter_id ${reference('member(id)', 'cascade')},
    expire_time ${int} not null,
    used_time ${int}
  )`,
  `create index sign_in_link_member on sign_in_link (member_id)`,
  `create index sign_in_link_inviter on sign_in_link (inviter_id)`,

  `create table department (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    name text not null,
    name_folded text not null,
    ldap ${int} not null,
    worker ${int} not null,
    create_time ${int} not null,
    modify_time ${int} not null
  )`,
  `create index department_account on department (account_id, id)`,

  `create table department_member (
    account_id ${reference('account(account_id)', 'cascade')} not null,
    department_id ${reference('department(id)', 'cascade')} not null,
    member_id ${reference('member(id)', 'cascade')} not null,
    primary key (department_id, member_id)
  )`,
  `create index department_member_member on department_member (member_id)`,

  `create table role (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    name text not null,
    name_folded text not null,
    type text not null check (type in ('agent', 'group', 'quick_support', 'team')),
    description text not null,
    permissions text not null,
    system ${int} not null
  )`,
  `create index role_account on role (account_id, id)`,

  `create table agent_group (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    name text not null,
    name_folded text not null,
    position ${int} not null
  )`,
  `create index agent_group_account on agent_group (account_id, position, id)`,

  `create table agent (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    device_id ${int} not null,
    group_id ${reference('agent_group(id)', 'set null')},
    name text not null,
    name_folded text not null,
    link_time ${int} not null,
    added_over_files ${int} not null,
    geo_ip text not null,
    geo_country text not null,
    geo_region text not null,
    geo_city text not null,
    addresses text not null,
    permanent_enabled ${int} not null,
    permanent_password text,
    onetime_allowed ${int} not null,
    secret text not null,
    os text not null,
    os_user text not null,
    rdp ${int} not null,
    hibernate ${int} not null,
    power_supply ${int} not null,
    version text not null,
    installed ${int} not null,
    sessions_total ${int} not null,
    last_session_id ${int},
    revision ${int} not null,
    notes text not null,
    hardware text not null
  )`,
  `create unique index agent_device on agent (device_id)`,
  // Covers everything that a list needs of a device except its presence.
  `create index agent_account on agent (account_id, id, revision, group_id, link_time, added_over_files)`,
  `create index agent_link_time on agent (account_id, link_time, id)`,
  `create index agent_in_group on agent (group_id)`,

  `create table permanent_path (
    path text primary key,
    account_id ${reference('account(account_id)', 'cascade')} not null,
    agent_id ${reference('agent(id)', 'cascade')} not null unique
  )`,

  `create table access_entry (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    role_id ${reference('role(id)', 'cascade')} not null,
    member_id ${reference('member(id)', 'cascade')},
    department_id ${reference('department(id)', 'cascade')},
    agent_id ${reference('agent(id)', 'cascade')},
    group_id ${reference('agent_group(id)', 'cascade')},
    check ((member_id is null) <> (department_id is null))
  )`,
  `create unique index access_entry_once on access_entry
    (role_id, coalesce(member_id, 0), coalesce(department_id, 0), coalesce(agent_id, 0), coalesce(group_id, 0))`,
  `create index access_entry_member on access_entry (member_id)`,
  `create index access_entry_department on access_entry (department_id)`,
  `create index access_entry_agent on access_entry (agent_id)`,
  `create index access_entry_group on access_entry (group_id)`,

  `create table presence (
    agent_id ${reference('agent(id)', 'cascade')} primary key,
    account_id ${reference('account(account_id)', 'cascade')} not null,
    node text not null,
    lease_until ${int} not null,
    seen_time ${int} not null
  )`,
  `create index presence_node on presence (node)`,

  `create table favorite (
    account_id ${reference('account(account_id)', 'cascade')} not null,
    member_id ${reference('member(id)', 'cascade')} not null,
    agent_id ${reference('agent(id)', 'cascade')} not null,
    primary key (member_id, agent_id)
  )`,
  `create index favorite_agent on favorite (agent_id)`,

  `create table invitation (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    member_id ${reference('member(id)', 'set null')},
    status ${int} not null check (status between 0 and 3),
    create_time ${int} not null,
    code text not null,
    connect_token text not null,
    client_name text not null,
    client_os text not null,
    client_preview text not null,
    operator_present ${int} not null,
    ever_joined ${int} not null
  )`,
  `create unique index invitation_code on invitation (code) where status < 3`,
  `create index invitation_account on invitation (account_id, id)`,
  `create index invitation_member on invitation (member_id)`,

  `create table link (
    digest text primary key,
    account_id ${reference('account(account_id)', 'cascade')} not null,
    member_id ${reference('member(id)', 'cascade')} not null,
    agent_id ${reference('agent(id)', 'cascade')},
    invitation_id ${reference('invitation(id)', 'cascade')},
    video ${int},
    expire_time ${int} not null,
    used_time ${int}
  )`,
  `create index link_expiry on link (expire_time)`,
  `create index link_member on link (member_id)`,
  `create index link_agent on link (agent_id)`,
  `create index link_invitation on link (invitation_id)`,

  `create table onetime_use (
    account_id ${reference('account(account_id)', 'cascade')} not null,
    agent_id ${reference('agent(id)', 'cascade')} not null,
    window_number ${int} not null,
    primary key (agent_id, window_number)
  )`,

  `create table session (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    agent_id ${reference('agent(id)', 'cascade')},
    invitation_id ${reference('invitation(id)', 'cascade')},
    member_id ${reference('member(id)', 'set null')},
    login text not null,
    start_time ${int} not null,
    alive_time ${int} not null,
    stop_time ${int},
    client_ip text not null,
    client_country text not null,
    client_region text not null,
    client_city text not null,
    user_agent text not null,
    bytes ${int} not null,
    video_url text,
    video_size ${int} not null
  )`,
  `create index session_account on session (account_id, start_time, id)`,
  `create index session_agent on session (agent_id, id)`,
  `create index session_invitation on session (invitation_id)`,
  `create index session_member on session (member_id)`,
  `create index session_active on session (alive_time) where stop_time is null`,

  `create table attached_file (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    agent_id ${reference('agent(id)', 'cascade')} not null,
    name text not null,
    size ${int} not null,
    digest text not null,
    create_time ${int} not null
  )`,
  `create index attached_file_account on attached_file (account_id)`,
  `create index attached_file_agent on attached_file (agent_id)`,

  `create table usage (
    account_id ${reference('account(account_id)', 'cascade')} not null,
    kind text not null check (kind in ('requests', 'invitations')),
    period ${int} not null,
    used ${int} not null,
    primary key (account_id, kind, period)
  )`,

  `create table audit (
    account_id ${reference('account(account_id)', 'cascade')} not null,
    seq ${int} not null,
    time ${int} not null,
    member_id ${int},
    email text not null,
    address text not null,
    operation text not null,
    outcome text not null,
    input text not null,
    previous_hash text not null,
    hash text not null,
    primary key (account_id, seq)
  )`,
  `create index audit_time on audit (account_id, time)`,
];
