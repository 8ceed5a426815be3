/** Policies in the panel: what each choice shows of what is inherited, from where, and of what was chosen. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { policySettings } from '@drawbridge/contract/policy';
import { explainPolicy } from '@drawbridge/server/domain/devices/policies';
import { settingChoices } from '@drawbridge/web/panel/policies/policy-options';

test('every setting offers what is inherited, with its source, and its own values', () => {
  const policy = explainPolicy({
    account: { terminal: 'off', files: 'off' },
    group: { files: 'both' },
    device: { files: 'from_device' },
  });

  const choices = new Map(
    settingChoices(policy, 'device', { direct: 'off' }).map((choice) => [choice.setting, choice]),
  );

  assert.deepEqual([...choices.keys()], policySettings);
  const first = Object.fromEntries([...choices].map(([setting, { options }]) => [setting, options[0]]));
  const { files, terminal, sound, direct } = first;
  assert.deepEqual(
    { files, terminal, sound, direct },
    {
      files: { value: 'inherit', text: 'From the group: Both directions' },
      terminal: { value: 'inherit', text: 'From the account: Off' },
      sound: { value: 'inherit', text: 'Default: On' },
      direct: { value: 'inherit', text: 'Default: On' },
    },
  );
  assert.deepEqual(
    [choices.get('files')!.value, choices.get('terminal')!.value, choices.get('direct')!.value],
    ['from_device', 'inherit', 'off'],
  );
  assert.deepEqual(
    choices.get('terminal')!.options.map(({ value }) => value),
    ['inherit', 'off', 'on'],
  );
});
