/** Policies of devices: how the settings of account, group and device combine. */
import { commands } from '@drawbridge/contract/uplink/commands';
import {
  defaultPolicy,
  limitsOf,
  policySettings,
  type Policy,
  type PolicySource,
} from '@drawbridge/contract/policy';
import type { SessionPermission } from '@drawbridge/contract/session/frame-kinds';

/** The settings that one account, group or device decides itself. */
export type OwnPolicy = Partial<Policy>;

/** What may decide about a device; an absent layer decides nothing. */
export interface PolicyLayers {
  account: OwnPolicy;
  group?: OwnPolicy;
  device?: OwnPolicy;
}

/** Whether the agent of a device enforces policies itself. */
export const enforcesPolicy = ({ uplinkVersion }: { uplinkVersion: number }): boolean =>
  uplinkVersion >= commands.policy.since;

/**
 * The permissions that a policy leaves in a session. An agent that does not enforce policies cannot limit a permission to
 * one direction, so it is left out.
 */
export function permissionsUnderPolicy(
  permissions: readonly SessionPermission[],
  policy: Policy,
  isEnforced: boolean,
): SessionPermission[] {
  const limits = limitsOf(policy);
  return permissions.filter((permission) => {
    const limit = limits.get(permission);
    return limit === undefined || (limit === 'partly' && isEnforced);
  });
}

/** New values; `inherit` removes the own one, and settings that are absent stay as they are. */
export type PolicyChange = { [Setting in keyof Policy]?: Policy[Setting] | 'inherit' | undefined };

/** The nearest layer that decides wins, for each setting. */
export const effectivePolicy = ({ account, group, device }: PolicyLayers): Policy => ({
  ...defaultPolicy,
  ...account,
  ...group,
  ...device,
});

const sources = ['device', 'group', 'account'] as const;

const sourceOf = (layers: PolicyLayers, setting: keyof Policy): PolicySource =>
  sources.find((source) => layers[source]?.[setting] !== undefined) ?? 'default';

type ExplainedPolicy = {
  [Setting in keyof Policy]: {
    value: Policy[Setting];
    from: PolicySource;
    inherited: Policy[Setting];
    inherited_from: PolicySource;
  };
};

/** Each setting as it applies, and as it would apply if the nearest of these layers decided nothing. */
export function explainPolicy(layers: PolicyLayers): ExplainedPolicy {
  const nearest = layers.device ? 'device' : layers.group ? 'group' : 'account';
  const inherited: PolicyLayers = { ...layers, [nearest]: {} };
  const [value, otherwise] = [effectivePolicy(layers), effectivePolicy(inherited)];
  return Object.fromEntries(
    policySettings.map((setting) => [
      setting,
      {
        value: value[setting],
        from: sourceOf(layers, setting),
        inherited: otherwise[setting],
        inherited_from: sourceOf(inherited, setting),
      },
    ]),
  ) as ExplainedPolicy;
}

export function changePolicy(own: OwnPolicy, change: PolicyChange): OwnPolicy {
  const decided = policySettings.flatMap((setting) => {
    const value = change[setting] ?? own[setting] ?? 'inherit';
    return value === 'inherit' ? [] : [[setting, value] as const];
  });
  return Object.fromEntries(decided);
}

const nothing: OwnPolicy = Object.freeze({});

/** Reads what `formatPolicy` wrote. Most devices decide nothing, which is not parsed. */
export const parsePolicy = (text: string): OwnPolicy =>
  text === '{}' ? nothing : (JSON.parse(text) as OwnPolicy);

export const formatPolicy = (own: OwnPolicy): string => JSON.stringify(own);
