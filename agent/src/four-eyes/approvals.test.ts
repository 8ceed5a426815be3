/** Which approvals a device with four eyes accepts, how long sessions wait, and who may return without asking again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  approvalWaitSeconds,
  maxApprovalSeconds,
  maxWaitingApprovals,
  type Approval,
} from '@drawbridge/contract/session/approval';
import { decodeBody, encodeBody, signedBytes, type Grant } from '@drawbridge/contract/session/signed';
import type { Clock } from '@drawbridge/session/ports';
import { createDeviceKey, signWith, type DeviceKey } from '../uplink/keys.ts';
import { createApprovals } from './approvals.ts';

const [device, second, stranger] = [createDeviceKey(), createDeviceKey(), createDeviceKey()];
const operatorKey = 'O'.repeat(43);

const grantOf = (changes: Partial<Grant> = {}): Grant => ({
  v: 1,
  session: 7,
  pair: 'A'.repeat(22),
  device_key: device.publicKey,
  operator_key: operatorKey,
  operator: { name: 'olga@example.com', address: '192.0.2.1' },
  permissions: ['agent_connect', 'agent_control'],
  confirm: false,
  nbf: 0,
  exp: 0,
  nonce: 'A'.repeat(22),
  ...changes,
});

function fixture() {
  const it = {
    approvers: [{ name: 'second@example.com', key: second.publicKey }],
    now: 1_000_000,
    timers: [] as { ms: number; call: () => void }[],
  };
  const clock: Clock = {
    now: () => 0,
    every: () => () => {},
    after(ms, call) {
      it.timers.push({ ms, call });
      return () => {};
    },
  };
  const approvals = createApprovals({
    approvers: () => it.approvers,
    device: () => ({ agent: 12, name: 'Till', device_key: device.publicKey }),
    now: () => it.now,
    clock,
    log() {},
  });
  const leaving = new AbortController();
  const ask = (grant = grantOf(), token?: string) => {
    const asked = { hasWaited: false };
    const onWait = (): void => void (asked.hasWaited = true);
    const result = approvals.obtain({ grant, code: '1234 5678 9012', token, signal: leaving.signal, onWait });
    return { asked, result };
  };
  const waiting = (session = 7): Approval =>
    approvals
      .waiting()
      .map(({ statement }) => decodeBody('approval', statement)!)
      .find((each) => each.session === session)!;
  return Object.assign(it, { approvals, leaving, ask, waiting });
}

const signed = (statement: Approval, key: DeviceKey = second): string => {
  const body = encodeBody('approval', statement);
  return `${body}.${signWith(key.privateKey, new TextDecoder().decode(signedBytes('approval', body)))}`;
};

test('the statement names everything, and an approver opens the session with it', async () => {
  const { approvals, ask, waiting, now } = fixture();
  const { result } = ask();
  const { nonce, ...statement } = waiting();

  const approver = await approvals.approve(signed(waiting()));

  assert.equal(approver, 'second@example.com');
  assert.match(nonce, /^[\w-]{43}$/);
  assert.deepEqual(statement, {
    v: 1,
    agent: 12,
    name: 'Till',
    device_key: device.publicKey,
    session: 7,
    operator: 'olga@example.com',
    operator_key: operatorKey,
    code: '1234 5678 9012',
    permissions: ['agent_connect', 'agent_control'],
    record: false,
    reason: '',
    until: now + maxApprovalSeconds,
  });
  const approved = await result;
  assert.ok('approver' in approved);
  assert.deepEqual(approved.permissions, ['agent_connect', 'agent_control']);
  assert.deepEqual(approvals.waiting(), []);
});

test('so many sessions wait and no more; one that reconnects takes its own place', async () => {
  const { approvals, ask } = fixture();
  for (let session = 1; session <= maxWaitingApprovals; session += 1) void ask(grantOf({ session }));

  const further = ask(grantOf({ session: maxWaitingApprovals + 1 }));
  const again = ask(grantOf({ session: 1 }));

  assert.deepEqual(await further.result, { refused: 'Too many sessions already wait for a second person.' });
  assert.equal(again.asked.hasWaited, true);
  assert.equal(approvals.waiting().length, maxWaitingApprovals);
});

const changes: [what: string, change: (statement: Approval) => Partial<Approval>, sentence: RegExp][] = [
  ['another device', () => ({ device_key: stranger.publicKey }), /another device/],
  ['another session', () => ({ session: 8 }), /No session waits/],
  ['another request', () => ({ nonce: 'B'.repeat(43) }), /earlier request/],
  ['another operator', () => ({ operator: 'eve@example.com' }), /another operator/],
  ['another key of the operator', () => ({ operator_key: 'E'.repeat(43) }), /another operator/],
  ['another code', () => ({ code: '0000 0000 0000' }), /another operator/],
  ['more permissions', () => ({ permissions: ['agent_connect', 'agent_reboot'] }), /more than/],
  ['a recording', () => ({ record: true }), /something else/],
  ['another reason', () => ({ reason: 'because' }), /something else/],
  ['another name of the device', () => ({ name: 'Other' }), /something else/],
  ['another number of the device', () => ({ agent: 13 }), /something else/],
  ['a later end', ({ until }) => ({ until: until + 1 }), /longer/],
  ['an end that has passed', () => ({ until: 1_000_000 }), /has ended/],
];
for (const [what, change, sentence] of changes)
  test(`an approval for ${what} is refused, and the session still waits`, async () => {
    const { approvals, ask, waiting } = fixture();
    void ask();

    await assert.rejects(approvals.approve(signed({ ...waiting(), ...change(waiting()) })), sentence);

    assert.equal(approvals.waiting().length, 1);
  });

test('a statement that was changed after it was signed, or that nobody pinned here signed, is refused', async () => {
  const { approvals, ask, waiting } = fixture();
  void ask();
  const [, signature] = signed(waiting()).split('.');
  const changed = encodeBody('approval', { ...waiting(), until: waiting().until - 1 });

  for (const each of [signed(waiting(), stranger), `${changed}.${signature}`])
    await assert.rejects(approvals.approve(each), /not signed by an approver/);
  for (const each of ['', 'a.b', `${encodeBody('approval', waiting())}.`])
    await assert.rejects(approvals.approve(each), /format/);
});

test('a signature of another purpose does not count', async () => {
  const { approvals, ask, waiting } = fixture();
  void ask();
  const body = encodeBody('approval', waiting());
  const other = signWith(second.privateKey, new TextDecoder().decode(signedBytes('grant', body)));

  await assert.rejects(approvals.approve(`${body}.${other}`), /not signed by an approver/);
});

test('operators cannot approve their own sessions, also by a link', async () => {
  for (const name of ['second@example.com', 'Second@Example.com, by a one-time link']) {
    const { approvals, ask, waiting } = fixture();
    void ask(grantOf({ operator: { name, address: '' } }));

    await assert.rejects(approvals.approve(signed(waiting())), /their own/);
  }
});

test('an approval counts once, for less if the approver says so', async () => {
  const { approvals, ask, waiting, now } = fixture();
  const { result } = ask();
  const approval = signed({ ...waiting(), permissions: ['agent_connect'], until: now + 60 });
  await approvals.approve(approval);

  await assert.rejects(approvals.approve(approval), /No session waits/);

  const approved = await result;
  assert.ok('approver' in approved);
  assert.deepEqual([approved.permissions, approved.until], [['agent_connect'], now + 60]);
  void ask();
  await assert.rejects(approvals.approve(approval), /earlier request/);
});

test('only the operator who was told returns without asking, until the end and with nothing more', async () => {
  const it = fixture();
  const { result } = it.ask();
  await it.approvals.approve(signed(it.waiting()));
  const first = await result;
  assert.ok('approver' in first);
  const wider = grantOf({ permissions: ['agent_connect', 'agent_reboot'] });

  const again = await it.ask(wider, first.token).result;

  assert.deepEqual(again, { ...first, permissions: ['agent_connect'] });
  const waits = async (grant: Grant, token?: string): Promise<boolean> => {
    const saved = fixture();
    const one = saved.ask();
    await saved.approvals.approve(signed(saved.waiting()));
    const { token: own } = (await one.result) as { token: string };
    if (token === 'late') saved.now += maxApprovalSeconds;
    if (token === 'removed') saved.approvers = [{ name: 'third', key: stranger.publicKey }];
    const { asked } = saved.ask(grant, token === 'wrong' ? 'C'.repeat(43) : token && own);
    return asked.hasWaited;
  };
  const record = { url: 'https://a.example', token: 'x', key: 'K'.repeat(43) };
  assert.equal(await waits(grantOf(), 'own'), false);
  assert.equal(await waits(grantOf()), true);
  for (const why of ['wrong', 'late', 'removed']) assert.equal(await waits(grantOf(), why), true, why);
  assert.equal(await waits(grantOf({ record }), 'own'), true);
  assert.equal(await waits(grantOf({ session: 8 }), 'own'), true);
});

test('a session stops waiting after ten minutes, when the operator leaves, and when it begins again', async () => {
  const { approvals, ask, timers, leaving } = fixture();
  const [first, another] = [ask(), ask()];
  assert.deepEqual(await first.result, { refused: 'The operator is reconnecting.' });
  assert.equal(approvals.waiting().length, 1);

  assert.equal(timers.at(-1)!.ms, approvalWaitSeconds * 1_000);
  timers.at(-1)!.call();
  assert.match(((await another.result) as { refused: string }).refused, /in time/);
  const third = ask();
  leaving.abort();
  assert.match(((await third.result) as { refused: string }).refused, /disconnected/);
  assert.deepEqual(approvals.waiting(), []);
});
