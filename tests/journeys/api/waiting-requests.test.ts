/** Requests for access and emergency access: who is told of them, live, bounded, and until they are over. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../kit/server/account.ts';
import { openEventReader } from '../../kit/server/event-reader.ts';
import { openMailbox } from '../../kit/server/mailbox.ts';
import { openSignedInPanel, type PanelClient } from '../../kit/server/panel.ts';
import { startService } from '../../kit/server/service.ts';

interface Waiting {
  total: number;
  data: { id: number; email: string; role: string; target: string; reason: string }[];
}

const waiting = async (panel: PanelClient, more = {}): Promise<Waiting> =>
  (await panel.ask('notifications', more)).body['requests'];

test('people who may decide see the requests of others among their notifications while they wait', async () => {
  await using service = await startService();
  const { store } = service.server;
  const account = await service.account();
  const { id: agentId } = await account.agent({ name: 'Till' });
  const seesTill = { type: 'agent', permissions: ['agent_chat'], agentId } as const;
  const [asker, colleague] = [await account.member([seesTill]), await account.member([seesTill])];
  const decider = await account.member([{ type: 'team', permissions: ['team_user_admin'] }, seesTill]);
  const role = { name: 'Repair', description: '', type: 'agent', permission: ['agent_connect'] };
  const { body: made } = await account.owner.call('team/role/create', role);
  const ask = async (memberId: number, reason: string): Promise<number> => {
    const wanted = { accountId: account.id, memberId, roleId: made['id'], agentId, reason, minutes: 10 };
    return (await must(store, 'requests/create', { ...wanted, groupId: undefined })).id;
  };
  const panels = await Promise.all(
    [account.owner, decider, colleague, asker].map((person) => openSignedInPanel(service, account, person)),
  );
  const [forOwner, forDecider] = panels as [PanelClient, PanelClient];
  await using live = await openEventReader(service.testClient, forDecider);

  const first = await ask(asker.id, 'Ticket 7');
  await live.until(({ topic }) => topic === 'team');
  await ask(decider.id, 'My own');

  const seen = await Promise.all(panels.map(async (panel) => (await waiting(panel)).total));
  assert.deepEqual(seen, [2, 1, 0, 0]);
  const { data } = await waiting(forDecider);
  const [{ email, role: asked, target, reason } = assert.fail()] = data;
  assert.deepEqual([email, asked, target, reason], [asker.email, 'Repair', 'Till', 'Ticket 7']);
  assert.deepEqual(await waiting(forDecider, { before: 1 }), { total: 0, data: [] });

  const { body: denied } = await account.owner.call('team/access/request/deny', { id: first, reason: 'No' });
  assert.equal(denied['error'], undefined);
  assert.equal((await waiting(forDecider)).total, 0);
  for (const person of [asker, colleague])
    for (let count = 0; count < 11; count += 1) await ask(person.id, 'Many');
  const many = await waiting(forOwner);
  assert.deepEqual([many.total, many.data.length], [23, 20]);
  service.advance(86_401);
  const later = await openSignedInPanel(service, account, account.owner);
  assert.equal((await waiting(later)).total, 0);
});

test('nobody gets more approved than was asked for: a role that the asking person changes meanwhile is refused', async () => {
  await using service = await startService();
  const account = await service.account();
  const { id: agentId } = await account.agent({ name: 'Till' });
  const [first, second] = [
    { type: 'team', permissions: ['team_user_admin'] } as const,
    { type: 'agent', permissions: ['agent_chat'], agentId } as const,
  ];
  const attacker = await account.member([first, second]);
  const role = { name: 'Look', description: '', type: 'agent', permission: ['agent_connect', 'agent_chat'] };
  const { body: made } = await account.owner.call('team/role/create', role);
  const wanted = { role_id: made['id'], agent_id: agentId, reason: 'Ticket 7', minutes: 10 };
  const { body: asked } = await attacker.call('team/access/request/create', wanted);
  const { body: before } = await account.owner.call('team/access/request/list');
  const approve = () => account.owner.call('team/access/request/approve', { id: asked['id'] });
  const allowed = async (): Promise<unknown> =>
    (await service.server.store.actors.byId(account.id, attacker.id))?.grants;
  const untouched = await allowed();

  const widened = await attacker.call('team/role/edit', {
    id: made['id'],
    permission: [...role.permission, 'agent_control', 'agent_terminal_mode'],
  });
  const refused = await approve();
  const { body: after } = await account.owner.call('team/access/request/list');
  const stillOut = await allowed();
  await attacker.call('team/role/edit', { id: made['id'], permission: role.permission });
  const approved = await approve();

  assert.equal(widened.http, 200);
  assert.deepEqual([refused.http, refused.body.error?.code], [400, 'role_changed']);
  assert.deepEqual(after['data'][0].permission, before['data'][0].permission);
  assert.deepEqual(stillOut, untouched);
  assert.equal(approved.http, 200);
  const { body } = await account.owner.call('audit/list', { operation: 'team/access/request/approve' });
  assert.deepEqual(
    body['data'].map((each: { outcome: string }) => each.outcome),
    ['done', 'role_changed'],
  );
});

test('emergency access is told to those who could have approved it, although requests used up the e-mails', async () => {
  await using mailbox = await openMailbox();
  await using service = await startService({ env: mailbox.env });
  const account = await service.account();
  const { id: agent_id } = await account.agent({ name: 'Till' });
  const seesTill = { type: 'agent', permissions: ['agent_chat'], agentId: agent_id } as const;
  const [taker, colleague] = [await account.member([seesTill]), await account.member([seesTill])];
  const role = { name: 'Repair', description: '', type: 'agent', permission: ['agent_connect'] };
  const { body: made } = await account.owner.call('team/role/create', role);
  await account.owner.call('team/access/request/settings', { emergency: true });
  const wanted = { role_id: made['id'], agent_id, minutes: 10 };
  const [forOwner, forColleague, forTaker] = (await Promise.all(
    [account.owner, colleague, taker].map((person) => openSignedInPanel(service, account, person)),
  )) as [PanelClient, PanelClient, PanelClient];
  const shown = async (panel: PanelClient): Promise<Waiting> =>
    (await panel.ask('notifications')).body['emergencies'];
  await using live = await openEventReader(service.testClient, forOwner);
  for (let count = 0; count < 8; count += 1)
    await taker.call('team/access/request/create', { ...wanted, reason: 'Noise' });

  const { body: taken } = await taker.call('team/access/emergency', { ...wanted, reason: 'The till burns' });
  let email = await mailbox.next();
  while (!email.raw.includes('Emergency access')) email = await mailbox.next();
  await live.until(({ topic }) => topic === 'team');

  assert.deepEqual(email.to, [account.owner.email]);
  assert.ok(email.text.includes(taker.email) && email.text.includes('The till burns'));
  assert.ok(mailbox.emails.length < 9, 'requests are limited');
  const { total, data } = await shown(forOwner);
  const [entry = assert.fail()] = data;
  assert.deepEqual([total, entry.id, entry.email], [1, taken['id'], taker.email]);
  assert.deepEqual([entry.target, entry.reason], ['Till', 'The till burns']);
  for (const panel of [forColleague, forTaker]) assert.equal((await shown(panel)).total, 0);
  service.advance(601);
  assert.equal((await shown(forOwner)).total, 0);
});

test('requests, approvals and denials are mailed with who, how long, why, and where to answer', async () => {
  await using mailbox = await openMailbox();
  await using service = await startService({ env: mailbox.env });
  const account = await service.account();
  const { id: agent_id } = await account.agent({ name: 'Till' });
  const asker = await account.member([{ type: 'agent', permissions: ['agent_chat'], agentId: agent_id }]);
  await openSignedInPanel(service, account, account.owner);
  const role = { name: 'Repair', description: '', type: 'agent', permission: ['agent_connect'] };
  const { body: made } = await account.owner.call('team/role/create', role);
  const ask = async (reason: string): Promise<number> =>
    (await asker.call('team/access/request/create', { role_id: made['id'], agent_id, minutes: 10, reason }))
      .body['id'];
  const next = async () => {
    const { to, raw, text } = await mailbox.next();
    const subject = /^Subject: (.*?)\r$/m.exec(raw)?.[1];
    return { to, subject, lines: text.trim().split(/(?:\r?\n)+/) };
  };
  const url = `${service.server.config.publicUrl}/panel/requests`;
  const asked = (reason: string) => ({
    to: [account.owner.email],
    subject: 'A request for access on Drawbridge',
    lines: [
      `${asker.email} asks for access, for 10 minutes. Reason:`,
      reason,
      'Approve or deny it here:',
      url,
    ],
  });

  const first = await ask('Ticket 7');
  assert.deepEqual(await next(), asked('Ticket 7'));
  await account.owner.call('team/access/request/approve', { id: first });
  assert.deepEqual(await next(), {
    to: [asker.email],
    subject: 'Access approved on Drawbridge',
    lines: [`${account.owner.email} approved your request for access. It begins now.`, url],
  });
  const second = await ask('Ticket 8');
  assert.deepEqual(await next(), asked('Ticket 8'));
  await account.owner.call('team/access/request/deny', { id: second, reason: 'The shop is closed' });
  assert.deepEqual(await next(), {
    to: [asker.email],
    subject: 'Access denied on Drawbridge',
    lines: [`${account.owner.email} denied your request for access. Reason:`, 'The shop is closed', url],
  });
});
