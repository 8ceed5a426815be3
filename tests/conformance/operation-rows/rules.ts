/**
 * The rules of who may do what, written from the decisions and not from the table of operations, so that a wrong
 * row is detected.
 */
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

export type Rule = (held: HeldRights) => ExpectedOutcome;

export const needs =
  (test: (held: HeldRights) => boolean): Rule =>
  (held) =>
    test(held) ? 'done' : 'forbidden';
export const needsDevice = (permission: string): Rule => needs((held) => held.device(permission));
export const needsTeam = (permission: string): Rule => needs((held) => held.team(permission));
export const everyone: Rule = () => 'done';
export const needsUserAdmin = needsTeam('team_user_admin');
export const needsBrandAdmin = needsTeam('team_brand_admin');
export const devicesIn = needsTeam('team_permanent_access');
export const anyOnDevice = needs((held) => held.anyOnDevice);
export const changesGroup = needs((held) => held.group('agent_change_settings'));

const all = (held: HeldRights): boolean => held.quick('quick_support_technical');
const own = (held: HeldRights): boolean => held.quick('quick_support_admin');
export const inviter = needs((held) => all(held) || own(held));

/** The invitation belongs to another member: a caller who may see only their own does not find it. */
export const foreignInvitation =
  (also: (held: HeldRights) => boolean = () => true): Rule =>
  (held) => {
    if (!all(held)) return own(held) ? 'not_found' : 'forbidden';
    return also(held) ? 'done' : 'forbidden';
  };

/** The key belongs to another member: only the owner sees those. */
export const foreignKey: Rule = (held) => (held.team('team_api_key') ? 'not_found' : 'forbidden');
