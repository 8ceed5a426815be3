/** Which names of a person the helper refuses before it changes its user. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotPossible } from '@drawbridge/agent/platform/platform';
import { becomePerson } from '@drawbridge/agent/platform/linux/wayland/become-person';

test('the helper takes on nothing but the numbers of a person and a group', () => {
  for (const name of [
    '',
    '1000',
    '1000:',
    ':1000',
    '0:1000',
    '-1:1000',
    '1e3:1000',
    '1000:1000:1000',
    'root:root',
  ])
    assert.throws(() => becomePerson(name), NotPossible, name);
});
