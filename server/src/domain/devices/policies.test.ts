/** Tests how the settings of account, group and device combine, and what a policy leaves of the permissions of a session. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultPolicy } from '@drawbridge/contract/policy';
import {
  changePolicy,
  effectivePolicy,
  enforcesPolicy,
  explainPolicy,
  formatPolicy,
  parsePolicy,
  permissionsUnderPolicy,
} from './policies.ts';

test('the nearest layer that decides wins for each setting, and the answer says which it was', () => {
  const layers = {
    account: { terminal: 'off', files: 'off' },
    group: { files: 'both', confirm: 'ask' },
    device: { confirm: 'always' },
  } as const;

  const explained = explainPolicy(layers);

  assert.deepEqual(effectivePolicy(layers), {
    ...defaultPolicy,
    terminal: 'off',
    files: 'both',
    confirm: 'always',
  });
  assert.deepEqual(
    [explained.confirm, explained.files, explained.terminal, explained.direct],
    [
      { value: 'always', from: 'device', inherited: 'ask', inherited_from: 'group' },
      { value: 'both', from: 'group', inherited: 'both', inherited_from: 'group' },
      { value: 'off', from: 'account', inherited: 'off', inherited_from: 'account' },
      { value: 'on', from: 'default', inherited: 'on', inherited_from: 'default' },
    ],
  );
  const ofGroup = explainPolicy({ account: layers.account, group: layers.group });
  assert.deepEqual(ofGroup.files, {
    value: 'both',
    from: 'group',
    inherited: 'off',
    inherited_from: 'account',
  });
  const ofAccount = explainPolicy({ account: layers.account });
  assert.deepEqual(ofAccount.files, {
    value: 'off',
    from: 'account',
    inherited: 'both',
    inherited_from: 'default',
  });
});

test('a change keeps what it does not name, and `inherit` removes the own value', () => {
  const changed = changePolicy(
    { terminal: 'off', files: 'off' },
    { files: 'inherit', direct: 'off', confirm: undefined },
  );

  assert.deepEqual(changed, { terminal: 'off', direct: 'off' });
  assert.deepEqual(parsePolicy(formatPolicy(changed)), changed);
  assert.deepEqual(parsePolicy(formatPolicy({})), {});
});

test('a policy takes permissions away and never adds one; an older agent gets nothing that is limited to a direction', () => {
  const granted = ['agent_connect', 'agent_clipboard', 'agent_file_transfer'] as const;
  const policy = { ...defaultPolicy, clipboard: 'off', files: 'from_device' } as const;

  assert.deepEqual(permissionsUnderPolicy(granted, defaultPolicy, false), [...granted]);
  assert.deepEqual(permissionsUnderPolicy(granted, policy, true), ['agent_connect', 'agent_file_transfer']);
  assert.deepEqual(permissionsUnderPolicy(granted, policy, false), ['agent_connect']);
  assert.deepEqual(
    [2, 3].map((uplinkVersion) => enforcesPolicy({ uplinkVersion })),
    [false, true],
  );
});
