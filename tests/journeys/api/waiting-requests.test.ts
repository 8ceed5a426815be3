/** Requests for access among the notifications: who sees them, live, bounded, and gone when they are decided. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../kit/server/account.ts';
import { openEventReader } from '../../kit/server/event-reader.ts';
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
