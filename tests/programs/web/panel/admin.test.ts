/**
 * Administration in the panel: the audit log as text, its filter, meters of a plan, and the rules of a brand.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toAuditParams, toAuditFilter, isAuditFiltered } from '@drawbridge/web/panel/admin/audit-filter';
import {
  subjectText,
  actionText,
  flattenInput,
  isDone,
  outcomeText,
} from '@drawbridge/web/panel/admin/audit-text';
import { entityKey, entityHref, entitiesOf } from '@drawbridge/web/panel/admin/audit-entities';
import { adjustmentOf, isColour, logoFileProblem, logoSizeProblem } from '@drawbridge/web/panel/admin/brand';
import { leftText, shareOf, urgencyOf, usedText } from '@drawbridge/web/panel/admin/meters';
import {
  toPlanFields,
  parsePlanFields,
  toMeter,
  planSummary,
  type PlanLimits,
} from '@drawbridge/web/panel/server/plan';

test('an entry of the audit log describes the attempt with the words of its operation', () => {
  assert.equal(
    actionText({ operation: 'team/role/create', says: 'Create a custom role.' }),
    'Create a custom role',
  );
  assert.equal(
    actionText({ operation: 'branding/logo', says: 'Set the logo: a PNG, JPEG or WebP picture.' }),
    'Set the logo',
  );
  assert.equal(
    actionText({ operation: 'panel/sign-in/password', says: 'panel/sign-in/password' }),
    'Sign in with a password',
  );
  assert.equal(
    actionText({ operation: 'server/plan-set', says: 'server/plan-set' }),
    'Set the plan of this account on the server',
  );
  assert.equal(actionText({ operation: 'panel/unheard-of', says: '' }), 'panel/unheard-of');
});

test('an entry of the audit log says whether it was done, or why it was refused', () => {
  assert.ok(isDone({ outcome: 'done' }));
  assert.equal(outcomeText({ outcome: 'done' }), 'Done');
  assert.equal(outcomeText({ outcome: 'forbidden' }), 'Refused: no permission');
  assert.equal(outcomeText({ outcome: 'beyond_own_rights' }), 'Refused: beyond own rights');
});

test('an entry names the devices, groups, roles and departments it refers to', () => {
  const of = (operation: string, input: Record<string, unknown>) =>
    entitiesOf({ operation, input }).map(entityKey);

  assert.deepEqual(of('agents/reboot', { id: 5, safe: false }), ['agent 5']);
  assert.deepEqual(of('agents/files/remove', { id: 5 }), []);
  assert.deepEqual(of('groups/agent/insert', { id: 3, agent_id: 5 }), ['group 3', 'agent 5']);
  assert.deepEqual(of('team/role/edit', { id: 2, name: 'x' }), ['role 2']);
  assert.deepEqual(of('team/member/access/add', { email: 'a@a', role_id: 2, group_id: 3 }), [
    'role 2',
    'group 3',
  ]);
  assert.deepEqual(of('agents/reboot', { id: '5' }), []);
  assert.equal(entityHref({ kind: 'agent', id: 5 }), '/panel/devices/5');
});

test('parameters are a list of names and values, however deep', () => {
  assert.deepEqual(
    flattenInput({
      agent_id: 5,
      safe: false,
      permission: ['a', 'b'],
      plan: { files: null, computers: 3 },
      name: '',
    }),
    [
      ['agent id', '5'],
      ['safe', 'no'],
      ['permission', 'a, b'],
      ['plan, files', 'empty'],
      ['plan, computers', '3'],
      ['name', 'empty'],
    ],
  );
});

test('an entry names its subject if there is a name for it', () => {
  assert.equal(subjectText({ input: { email: 'a@a', role_id: 3 } }), 'a@a');
  assert.equal(subjectText({ input: { email: '', name: 'desk' } }), 'desk');
  assert.equal(subjectText({ input: { role_id: 3, name: 5 } }), '');
});

test('the filter of the audit log is read from the address, and malformed parts are ignored', () => {
  const filter = toAuditFilter(
    new URLSearchParams('operation=agents/reboot&person=nobody&from=2026-13-40&page=0'),
  );

  assert.deepEqual(filter, { operation: 'agents/reboot', person: '', from: '', to: '', page: 1 });
  assert.ok(isAuditFiltered(filter));
  assert.ok(!isAuditFiltered({ ...filter, operation: '' }));
});

test('the last day of the filter is included completely', () => {
  const day = { operation: '', person: 'a@a', from: '2026-11-15', to: '2026-11-15', page: 3 };
  const { date_from, date_to, ...rest } = toAuditParams(day);

  assert.equal(date_to! - date_from!, 86_399);
  assert.deepEqual(rest, { email: 'a@a', limit: 50, offset: 100 });
});

test('a meter says how much is used, how much is left, and how urgent that is', () => {
  assert.equal(usedText('computers', { used: 1_200, limit: 5_000 }), '1,200 of 5,000');
  assert.equal(leftText('recording_mb', { used: 40, limit: 100 }), '60 MB left');
  assert.equal(urgencyOf({ used: 40, limit: 100 }), 'good');
  assert.equal(urgencyOf({ used: 80, limit: 100 }), 'warn');
  assert.equal(urgencyOf({ used: 100, limit: 100 }), 'bad');
  assert.equal(leftText('files', { used: 100, limit: 100 }), 'Used up');
  assert.equal(leftText('files', { used: 101, limit: 100 }), 'Over the limit');
});

test('without a limit no remainder is shown and nothing is urgent', () => {
  assert.equal(usedText('computers', { used: 3 }), '3, without a limit');
  assert.equal(leftText('computers', { used: 3 }), undefined);
  assert.equal(shareOf({ used: 3 }), undefined);
  assert.equal(urgencyOf({ used: 3 }), 'plain');
});

test('a limit of zero is used up from the start', () => {
  assert.equal(shareOf({ used: 0, limit: 0 }), 1);
  assert.equal(leftText('files', { used: 0, limit: 0 }), 'Used up');
});

const unlimited: PlanLimits = {
  computers: null,
  invitations: null,
  files: null,
  requests: null,
  recording_mb: null,
};
const unused = { computers: 0, invitations: 0, files: 0, requests: 0, recording_mb: 0 };

test('the plan of an account is summarised in one line: unlimited, limited in what, or used up', () => {
  const limited = { ...unlimited, computers: 2, files: 10 };

  assert.deepEqual(planSummary({ plan: unlimited, used: unused }), { text: 'Unlimited', isFull: false });
  assert.deepEqual(planSummary({ plan: limited, used: unused }), {
    text: 'Limits: devices, files',
    isFull: false,
  });
  assert.deepEqual(planSummary({ plan: limited, used: { ...unused, computers: 2 } }), {
    text: 'Used up: devices',
    isFull: true,
  });
  assert.deepEqual(toMeter({ plan: limited, used: unused }, 'invitations'), { used: 0, limit: undefined });
});

test('an empty field of a plan means unlimited, and anything but a whole number is refused', () => {
  const fields = { ...toPlanFields({ ...unlimited, computers: 40 }), files: ' 7 ' };

  assert.deepEqual(parsePlanFields(fields), { plan: { ...unlimited, computers: 40, files: 7 } });
  assert.deepEqual(parsePlanFields({ ...fields, requests: '-1' }), { wrong: 'requests' });
  assert.deepEqual(parsePlanFields({ ...fields, requests: '1.5' }), { wrong: 'requests' });
});

test('the page says where a brand colour has to be shown in another shade to be readable', () => {
  assert.equal(adjustmentOf('#ffd400'), 'light');
  assert.equal(adjustmentOf('#10206b'), 'dark');
  assert.equal(adjustmentOf('#808080'), 'both');
  assert.ok(isColour('#FFD400'));
  assert.ok(!isColour('yellow'));
});

test('a logo that is no picture, too large or too wide is refused before it is sent', () => {
  assert.equal(logoFileProblem({ type: 'image/png', size: 131_072 }), undefined);
  assert.match(logoFileProblem({ type: 'image/png', size: 131_073 })!, /larger than 128 KiB/);
  assert.match(logoFileProblem({ type: 'image/svg+xml', size: 10 })!, /not a PNG, JPEG or WebP/);
  assert.equal(logoSizeProblem(1_024, 1_024), undefined);
  assert.match(logoSizeProblem(1_025, 10)!, /1025 × 10 pixels/);
});
