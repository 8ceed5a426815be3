/** The form of a policy: one choice per setting, of the account, a group or a device. */
import { useState } from 'preact/hooks';
import { t } from '../texts/index.ts';
import { Form, Select } from '../ui/forms/form.tsx';
import { showNotice } from '../ui/notices.ts';
import {
  settingChoices,
  type ExplainedPolicy,
  type PolicyChoices,
  type PolicyLevel,
} from './policy-options.ts';

interface PolicyFormProps {
  policy: ExplainedPolicy;
  level: PolicyLevel;
  /** Saves the choices and loads the policy again. */
  save: (choices: PolicyChoices) => Promise<void>;
}

export function PolicyForm({ policy, level, save }: PolicyFormProps) {
  // Only changed settings are sent, so that concurrent changes to the others are kept.
  const [chosen, setChosen] = useState<PolicyChoices>({});
  const submit = async (): Promise<void> => {
    await save(chosen);
    setChosen({});
    showNotice(t.common.saved);
  };
  return (
    <Form onSubmit={submit} submit={t.common.save} disabled={Object.keys(chosen).length === 0}>
      {settingChoices(policy, level, chosen).map(({ setting, label, hint, value, options }) => (
        <Select
          key={setting}
          label={label}
          name={setting}
          hint={hint}
          value={value}
          onChange={(choice) => setChosen({ ...chosen, [setting]: choice })}
          options={options}
        />
      ))}
    </Form>
  );
}
