/**
 * Administration in the panel: the audit log as text, its filter, meters of a plan, and the rules of a brand.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaOf } from '@drawbridge/contract/documents/schema';
import type { Table } from '@drawbridge/contract/operation';
import { panel } from '@drawbridge/contract/panel/index';
import { v1 } from '@drawbridge/contract/v1/index';
import { toAuditParams, toAuditFilter, isAuditFiltered } from '@drawbridge/web/panel/admin/audit-filter';
import {
  subjectText,
  sentenceText,
  actionText,
  flattenInput,
  isDone,
  outcomeText,
} from '@drawbridge/web/panel/admin/audit-text';
import { entityKey, entityHref, entitiesOf } from '@drawbridge/web/panel/admin/audit-entities';
import { adjustmentOf, isColour, logoFileProblem, logoSizeProblem } from '@drawbridge/web/panel/admin/brand';
import { leftText, shareOf, urgencyOf, usedText } from '@drawbridge/web/panel/admin/meters';
import { auditSentences } from '@drawbridge/web/panel/texts/audit-sentences';
import {
  toPlanFields,
  parsePlanFields,
  toMeter,
  planSummary,
  type PlanLimits,
} from '@drawbridge/web/panel/server/plan';

const names = {
  entities: new Map([
    ['agent 5', 'Desk'],
    ['group 3', 'Office'],
    ['role 2', 'Helper'],
  ]),
  people: new Map([['ann@example.com', 'Ann Smith']]),
};
const sentence = (operation: string, input: Record<string, unknown> = {}, outcome = 'done'): string => {
  const entry = { operation, input, outcome, email: 'ann@example.com' };
  return `${subjectText(entry, names.people)} ${sentenceText(entry, names)}`;
};

test('an entry of the audit log is a sentence about who did what to what', () => {
  const ann = 'Ann Smith (ann@example.com)';
  assert.equal(sentence('agents/reboot', { id: 5, safe: false }), `${ann} rebooted the device Desk.`);
  assert.equal(
    sentence('groups/agent/insert', { id: 3, agent_id: 9 }),
    `${ann} moved the device no. 9 to the group Office.`,
  );
  assert.equal(
    sentence('team/member/access/add', { email: 'bob@example.com', role_id: 2, group_id: 3 }),
    `${ann} gave bob@example.com the role Helper on the group Office.`,
  );
  assert.equal(
    sentence('team/member/access/remove', { email: 'ann@example.com', role_id: 7 }),
    `${ann} took the role no. 7 from ${ann}.`,
  );
  assert.equal(sentence('keys/create', { name: 'backup' }), `${ann} created the API key “backup”.`);
  assert.equal(
    sentence('session/close', { session: 12, by: 'device' }),
    `${ann} was in session no. 12 until the person at the device ended it.`,
  );
  assert.equal(
    sentence('session/open', { door: 'api', support_id: 4 }),
    `${ann} connected to the client of invitation no. 4.`,
  );
  assert.equal(
    sentence('link/onetime', { agent_id: 5 }),
    `Somebody used a one-time link to the device Desk from ${ann}.`,
  );
  assert.equal(
    sentence('session/again', { session: 12, agent_id: 5 }),
    `${ann} created a link to connect again to the device Desk.`,
  );
  assert.equal(
    sentence('session/record', { session: 12, agent_id: 5, on: true }),
    `${ann} started the recording of session no. 12.`,
  );
  assert.equal(
    sentence('session/record', { session: 12, on: false }, 'forbidden'),
    `${ann} tried to stop the recording of session no. 12, but they did not have permission.`,
  );
});

test('an entry of something that was refused says what was tried and why it was refused', () => {
  const ann = 'Ann Smith (ann@example.com)';
  assert.equal(
    sentence('agents/reboot', { id: 5 }, 'forbidden'),
    `${ann} tried to reboot the device Desk, but they did not have permission.`,
  );
  assert.equal(
    sentence('panel/sign-in/password', {}, 'wrong_password'),
    `${ann} tried to sign in with a password, but the password was wrong.`,
  );
  assert.equal(
    sentence('session/open', { agent_id: 5 }, 'refused'),
    `${ann} tried to connect to the device Desk, but it was refused.`,
  );
  assert.equal(
    sentence('agents/wake', {}, 'some_new_code'),
    `${ann} tried to wake a device, but it was refused (some new code).`,
  );
});

test('an entry names people who were not signed in, server administrators, and the server itself', () => {
  const subject = (email: string): string => subjectText({ operation: 'keys/list', email }, names.people);

  assert.equal(subject(''), 'Somebody who was not signed in');
  assert.equal(subject('server operator'), 'A server administrator');
  assert.equal(subject('server'), 'The server');
  assert.equal(subject('bob@example.com'), 'bob@example.com');
});

test('every operation has a sentence, with all its parts, whatever its input is', () => {
  const operations = [...Object.keys(v1), ...Object.keys(panel).map((id) => `panel/${id}`)];
  for (const operation of [...operations, ...Object.keys(auditSentences)])
    for (const outcome of ['done', 'forbidden']) {
      const text = sentence(operation, {}, outcome);
      assert.doesNotMatch(text, /[{}]|undefined|  |the operation/, operation);
      assert.match(text, /^\S.*[^.]\.$/, operation);
    }
  assert.match(sentence('of/later'), /used the operation of\/later\.$/);
});

/** What a sentence says instead of something that its entry does not name. */
const unnamed = /\b(a device|a group|a role|a department|a person|a session|an invitation)\b/;

/** A value for every parameter of an operation. */
const fullInput = (row: Table[string]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schemaOf(row.input).properties ?? {}).map(([field, { type }]) => [
      field,
      type === 'integer' ? 5 : 'Name',
    ]),
  );

test('a sentence names everything that its operation is given', () => {
  const ofPanel = Object.entries(panel).map(([id, row]) => [`panel/${id}`, row] as const);
  for (const [operation, row] of [...Object.entries(v1), ...ofPanel]) {
    const { done } = auditSentences[operation]!;
    const text = sentence(operation, fullInput(row));
    if (!unnamed.test(done)) assert.doesNotMatch(text, unnamed, operation);
    if (/name\}/.test(done)) assert.match(text, /“Name”/, operation);
  }
});

test('the filter names each action by itself', () => {
  assert.equal(actionText('agents/reboot'), 'Reboot a device');
  assert.equal(actionText('panel/sign-out'), 'Sign out');
  assert.equal(actionText('of/later'), 'Of/later');
  assert.equal(actionText('server/enroll-create'), 'Create a token for new devices on the server');
  const texts = Object.keys(auditSentences).map(actionText);
  assert.deepEqual(
    texts.filter((text, at) => texts.indexOf(text) !== at),
    [],
  );
});

test('an entry of the audit log shows at a glance whether it was done', () => {
  assert.ok(isDone({ outcome: 'done' }));
  assert.equal(outcomeText({ operation: 'x', outcome: 'done' }), 'Done');
  assert.equal(outcomeText({ operation: 'x', outcome: 'forbidden' }), 'Refused');
  assert.equal(outcomeText({ operation: 'x', outcome: 'internal_error' }), 'Failed');
});

test('an import that changed nothing says so, with the reason', () => {
  const entry = { operation: 'team/directory/run', outcome: 'no_people' };

  assert.equal(outcomeText(entry), 'Nobody found');
  assert.match(sentence(entry.operation, {}, entry.outcome), /tried to .*, but no person was found in it\.$/);
  assert.equal(outcomeText({ ...entry, operation: 'x' }), 'Refused');
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
