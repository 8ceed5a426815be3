/** Webhooks through the API: signed messages arrive at a real receiver, are tried again, and go nowhere else. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { TestAccount, TestPerson } from '../../kit/server/account.ts';
import { openMailbox, type Mailbox } from '../../kit/server/mailbox.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { eventually } from '../../kit/eventually.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../kit/webhook-receiver.ts';

const day = 86_400;

describe('webhooks', () => {
  let service: TestService;
  let receiver: WebhookReceiver;
  let mailbox: Mailbox;
  let account: TestAccount;
  let technician: TestPerson;
  let wanted: Record<string, unknown>;

  before(async () => {
    [receiver, mailbox] = await Promise.all([startWebhookReceiver(), openMailbox()]);
    service = await startService({ env: { ...mailbox.env, DRAWBRIDGE_WEBHOOK_LOOPBACK: 'true' } });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
    await mailbox[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    Object.assign(receiver, { received: [], status: 200, reply: '' });
    account = await service.account();
    const { id: agent_id } = await account.agent({ name: 'Front desk' });
    technician = await account.member([{ type: 'agent', permissions: ['agent_chat'], agentId: agent_id }]);
    const role = { name: 'Repair', type: 'agent', permission: ['agent_connect'] };
    const { id: role_id } = (await account.owner.call('team/role/create', role)).body;
    wanted = { role_id, agent_id, reason: 'Ticket 4711', minutes: 30 };
  });

  const create = async (more: Record<string, unknown> = {}) => {
    const given = { name: 'Chat', url: `${receiver.url}/secret-path`, ca_cert: receiver.ca, ...more };
    const { http, body } = await account.owner.call('team/webhook/create', given);
    assert.equal(http, 200);
    return { id: body['id'] as number, secret: body['secret'] as string };
  };
  const ask = async () => (await technician.call('team/access/request/create', wanted)).body['id'] as number;
  const state = async () => (await account.owner.call('team/webhook/list')).body['data'][0];
  const receivedAtLeast = (count: number) =>
    eventually(
      () => receiver.received,
      ({ length }) => length >= count,
    );

  test('every event arrives once, with an id and a signature that only the secret makes', async () => {
    const { secret } = await create();
    await account.owner.call('team/access/request/settings', { emergency: true });
    const id = await ask();
    await account.owner.call('team/access/request/approve', { id, minutes: 10 });
    await account.owner.call('team/access/request/deny', { id: await ask(), reason: 'Not today' });
    await technician.call('team/access/emergency', wanted);
    await account.owner.call('team/access/request/cancel', { id });
    const all = await receivedAtLeast(6);
    await eventually(state, ({ waiting }) => waiting === 0);

    const expected = ['requested', 'requested', 'approved', 'denied', 'ended'].map(
      (each) => `access_${each}`,
    );
    assert.deepEqual(
      all.map(({ said }) => said.event).toSorted(),
      [...expected, 'emergency_access'].toSorted(),
    );
    assert.equal(new Set(all.map(({ said }) => said.id)).size, 6);
    for (const { headers, body, said } of all) {
      const signed = `${said.id}.${headers['webhook-timestamp'] as string}.${body}`;
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      const signature = createHmac('sha256', key).update(signed).digest('base64');
      assert.equal(headers['webhook-id'], said.id);
      assert.equal(headers['webhook-signature'], `v1,${signature}`);
    }
    const approved = all.find(({ said }) => said.event === 'access_approved')!;
    assert.deepEqual(approved.said['request'], {
      id,
      email: technician.email,
      role: 'Repair',
      permission: ['agent_connect'],
      agent_id: wanted['agent_id'],
      agent: 'Front desk',
      reason: 'Ticket 4711',
      minutes: 30,
      emergency: false,
      decided_by: account.owner.email,
      until: service.server.store.now() + 600,
    });
    const { problem, http_status, lost } = await state();
    assert.deepEqual([problem, http_status, lost], ['', 200, 0]);
    const lines = (await account.owner.call('audit/list', { limit: 100 })).body['data'];
    const told = JSON.stringify([service.logged, lines]);
    for (const kept of [secret, 'secret-path']) assert.ok(!told.includes(kept), 'neither log has the secret');
  });

  test('a secret is renewed: for a day both sign, then only the new one', async () => {
    const { id, secret: old } = await create();
    const { body } = await account.owner.call('team/webhook/renew', { id });
    const renewed = body['secret'] as string;
    assert.deepEqual(
      [(await state()).old_until, body['old_until']],
      [body['old_until'], service.server.store.now() + day],
    );
    const signers = async (count: number): Promise<boolean[]> => {
      await account.owner.call('team/webhook/test', { id });
      const { headers, body: text, said } = (await receivedAtLeast(count))[count - 1]!;
      const signed = `${said.id}.${headers['webhook-timestamp'] as string}.${text}`;
      const given = String(headers['webhook-signature']).split(' ');
      return [renewed, old].map((secret) => {
        const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
        return given.includes(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
      });
    };

    assert.deepEqual(await signers(1), [true, true]);
    service.advance(day);
    assert.deepEqual(await signers(2), [true, false]);
    assert.equal((await state()).old_until, undefined);
    const lines = (await account.owner.call('audit/list', { limit: 100 })).body['data'];
    assert.ok(!JSON.stringify([service.logged, lines]).includes(renewed), 'neither log has the secret');
  });

  test('what is refused is sent again with the same id and body, and a redirect is not followed', async () => {
    await create();
    receiver.status = 302;
    await ask();
    const { problem, http_status, next_time } = await eventually(state, ({ last_time }) => last_time > 0);
    assert.deepEqual([problem, http_status], ['redirect', 302]);
    assert.equal(next_time, service.server.store.now() + 10);
    receiver.status = 200;
    service.advance(10);
    const [first, second, ...more] = await receivedAtLeast(2);
    assert.deepEqual([second!.body, second!.path, more], [first!.body, '/secret-path', []]);
    assert.notEqual(second!.headers['webhook-signature'], first!.headers['webhook-signature']);
    assert.equal((await eventually(state, ({ waiting }) => waiting === 0)).problem, '');
  });

  test('after five days of failures it is disabled, and those who look after the account get an e-mail', async () => {
    await create();
    receiver.status = 500;
    await ask();
    await eventually(state, ({ last_time }) => last_time > 0);
    service.advance(5 * day);
    await eventually(state, ({ enabled }) => !enabled);
    const notice = await eventually(
      () => mailbox.emails.find(({ raw }) => raw.includes('A webhook on Drawbridge is disabled')),
      (found) => found !== undefined,
    );
    assert.deepEqual(notice!.to, [account.owner.email]);
    const { data } = (await account.owner.call('audit/list', { limit: 5 })).body;
    assert.ok(JSON.stringify(data).includes('server/webhook-disable'));
  });

  test('a test message says how the receiver answers; large answers and untrusted certificates are refused', async () => {
    const { id } = await create({ enabled: false });
    const outcome = async () => {
      const { data } = (await account.owner.call('team/webhook/test', { id })).body;
      return [data.problem, data.http_status];
    };
    assert.deepEqual(await outcome(), ['', 200]);
    assert.equal(receiver.received[0]!.said.event, 'test');
    receiver.status = 404;
    assert.deepEqual(await outcome(), ['refused', 404]);
    receiver.reply = 'x'.repeat(70_000);
    assert.deepEqual(await outcome(), ['too_large', 0]);
    await account.owner.call('team/webhook/update', { id, ca_cert: '' });
    assert.deepEqual(await outcome(), ['certificate', 0]);
    for (const url of ['https://169.254.169.254/latest', 'https://[fe80::1]/']) {
      await account.owner.call('team/webhook/update', { id, url });
      assert.deepEqual(await outcome(), ['address', 0]);
    }
    for (const url of ['http://hooks.example.com', 'https://user:secret@hooks.example.com']) {
      const { http } = await account.owner.call('team/webhook/update', { id, url });
      assert.equal(http, 400);
    }
  });
});

test('without the setting, a webhook on the machine of the server is not reached', async () => {
  await using receiver = await startWebhookReceiver();
  await using service = await startService();
  const { owner } = await service.account();
  const { id } = (await owner.call('team/webhook/create', { name: 'x', url: receiver.url })).body;
  const { data } = (await owner.call('team/webhook/test', { id })).body;
  assert.deepEqual([data.problem, receiver.received], ['address', []]);
});
