/**
 * Who may do what, written from the decisions and not from the table of operations, so that a wrong row is
 * detected.
 */
import type { OperationId } from '@drawbridge/contract/v1/index';

export type ExpectedOutcome = 'done' | 'forbidden' | 'not_found';

/** What a caller holds on the targets of a request. */
export interface HeldRights {
  team(permission: string): boolean;
  quick(permission: string): boolean;
  /** On the device: by itself, or through its group. */
  device(permission: string): boolean;
  anyOnDevice: boolean;
  /** On the other device of a merge. */
  target(permission: string): boolean;
  group(permission: string): boolean;
}

type Rule = (held: HeldRights) => ExpectedOutcome;

const needs =
  (test: (held: HeldRights) => boolean): Rule =>
  (held) =>
    test(held) ? 'done' : 'forbidden';
const device = (permission: string): Rule => needs((held) => held.device(permission));
const team = (permission: string): Rule => needs((held) => held.team(permission));
const everyone: Rule = () => 'done';
const admin = team('team_user_admin');
const brand = team('team_brand_admin');
const devicesIn = team('team_permanent_access');
const changesGroup = needs((held) => held.group('agent_change_settings'));

const all = (held: HeldRights): boolean => held.quick('quick_support_technical');
const own = (held: HeldRights): boolean => held.quick('quick_support_admin');
const inviter = needs((held) => all(held) || own(held));

/** The invitation belongs to another member: a caller who may see only their own does not find it. */
const foreignInvitation =
  (also: (held: HeldRights) => boolean = () => true): Rule =>
  (held) => {
    if (!all(held)) return own(held) ? 'not_found' : 'forbidden';
    return also(held) ? 'done' : 'forbidden';
  };

/** The key belongs to another member: only the owner sees those. */
const foreignKey: Rule = (held) => (held.team('team_api_key') ? 'not_found' : 'forbidden');

/** For a technician, row by row as in the decisions. The owner may do everything. */
export const rightsRules: Record<OperationId, Rule> = {
  'support/list': inviter,
  'support/info': foreignInvitation(),
  'support/create': inviter,
  'support/update': foreignInvitation(),
  'support/connect': foreignInvitation((held) => held.quick('agent_connect')),
  'support/close': foreignInvitation(),
  'agents/list': everyone,
  'agents/info': needs((held) => held.anyOnDevice),
  'agents/update': device('agent_change_settings'),
  'agents/connect': device('agent_connect'),
  'agents/reboot': device('agent_reboot'),
  'agents/wake': device('agent_wake_on_lan'),
  'agents/logout': device('agent_logout'),
  'agents/merge': needs((held) => held.device('agent_logout') && held.target('agent_change_settings')),
  'groups/list': everyone,
  'groups/create': team('team_permanent_access'),
  'groups/edit': changesGroup,
  'groups/remove': changesGroup,
  'groups/agent/insert': needs(
    (held) => held.device('agent_change_settings') && held.group('agent_change_settings'),
  ),
  'groups/agent/remove': device('agent_change_settings'),
  'team/role/list': admin,
  'team/role/info': admin,
  'team/role/create': admin,
  'team/role/edit': admin,
  'team/role/remove': admin,
  'team/member/access/list': admin,
  'team/member/access/add': admin,
  'team/member/access/remove': admin,
  'team/department/access/list': admin,
  'team/department/access/add': admin,
  'team/department/access/remove': admin,
  'team/department/list': admin,
  'team/department/info': admin,
  'team/department/create': admin,
  'team/department/update': admin,
  'team/department/remove': admin,
  'team/department/member/add': admin,
  'team/department/member/remove': admin,
  'history/list': everyone,
  'history/export': everyone,
  'history/video/remove': device('agent_remove_video'),
  'team/member/list': admin,
  'team/member/invite': admin,
  'team/member/remove': admin,
  'team/access/effective': admin,
  'keys/list': team('team_api_key'),
  'keys/create': team('team_api_key'),
  'keys/revoke': foreignKey,
  'plan/info': team('team_billing_admin'),
  'audit/list': team('team_security_log_admin'),
  'audit/verify': team('team_security_log_admin'),
  'agents/enroll/create': devicesIn,
  'agents/enroll/list': devicesIn,
  'agents/enroll/revoke': devicesIn,
  'agents/pending': devicesIn,
  'agents/approve': devicesIn,
  'account/info': admin,
  'account/update': admin,
  'agents/lock': device('agent_lock_screen'),
  'agents/favorite': needs((held) => held.anyOnDevice),
  'agents/software': device('agent_program_list'),
  'agents/duplicates': everyone,
  'agents/copied/clear': device('agent_change_settings'),
  'agents/notes': needs((held) => held.anyOnDevice),
  'agents/notes/update': device('agent_change_settings'),
  'agents/files/list': needs((held) => held.anyOnDevice),
  'agents/files/add': device('agent_change_settings'),
  'agents/files/remove': device('agent_change_settings'),
  'agents/files/get': needs((held) => held.anyOnDevice),
  'groups/settings': changesGroup,
  'groups/settings/update': changesGroup,
  'sessions/list': everyone,
  'sessions/close': device('agent_connect'),
  'sessions/note': device('agent_connect'),
  'branding/info': brand,
  'branding/update': brand,
  'branding/logo': brand,
  'branding/logo/remove': brand,
};

/**
 * Whether a request names a resource of the account: for someone of another account it does not exist. The
 * others work in their own account.
 */
export const namesResource = (id: OperationId, params: object): boolean =>
  id !== 'team/member/invite' &&
  ['id', 'connection_id', 'agent_id', 'department_id', 'email'].some((name) => name in params);
