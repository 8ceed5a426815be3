/** The choices of each setting of a policy: what is inherited and from where, and the values of its own. */
import type { Policy, PolicySource } from '@drawbridge/contract/policy';
import type { Params } from '@drawbridge/contract/operation';
import type { V1 } from '@drawbridge/contract/v1/index';
import type { OutputOf } from '../api.ts';
import { t } from '../texts/index.ts';

export type ExplainedPolicy = OutputOf<'v1/account/policy'>['data'];
export type PolicyChoices = Params<V1['account/policy/update']>;

/** Where a policy is edited. */
export type PolicyLevel = Exclude<PolicySource, 'default'>;

interface SettingChoice {
  setting: keyof Policy;
  label: string;
  hint: string | undefined;
  /** `inherit`, or the own value. */
  value: string;
  options: { value: string; text: string }[];
}

const texts = t.policies;
const settings = Object.keys(texts.settings) as (keyof Policy)[];

const textOf = (setting: keyof Policy, value: string): string =>
  (texts.settings[setting].values as Record<string, string>)[value] ?? value;

/** Every setting with its choices; `chosen` is what the person has chosen but not saved. */
export const settingChoices = (
  policy: ExplainedPolicy,
  level: PolicyLevel,
  chosen: PolicyChoices,
): SettingChoice[] =>
  settings.map((setting) => {
    const { value, from, inherited, inherited_from } = policy[setting];
    const { label, hint, values } = texts.settings[setting];
    const inherit = texts.inherit[inherited_from](textOf(setting, inherited));
    return {
      setting,
      label,
      hint,
      value: chosen[setting] ?? (from === level ? value : 'inherit'),
      options: [
        { value: 'inherit', text: inherit },
        ...Object.entries(values).map(([each, text]) => ({ value: each, text })),
      ],
    };
  });
