/** The part of the story about where people come from and what they ask for. */
import { unreachableDirectory, unreachableProvider } from '../resources.ts';
import type { Story } from './story.ts';

async function tellDirectories({ tell }: Story): Promise<void> {
  const { id } = await tell('team/directory/create', {
    name: 'Company',
    url: unreachableDirectory,
    bind_dn: 'cn=reader,dc=example,dc=com',
    bind_password: 'secret of the reader',
    base: 'dc=example,dc=com',
  });
  await tell('team/directory/update', { id, every_minutes: 60, removal_percent: 10 });
  await tell('team/directory/plan', { id });
  await tell('team/directory/run', { id });
  await tell('team/directory/list');
  await tell('team/directory/remove', { id });
}

async function tellRequests({ tell, account }: Story, agent_id: number): Promise<void> {
  const role = { name: 'Repair for a while', type: 'agent', permission: ['agent_connect', 'agent_control'] };
  const { id: role_id } = await tell('team/role/create', role);
  const technician = await account.member([], 'ben@example.com');
  const chat = { name: 'Chat', type: 'agent', permission: ['agent_chat'] };
  const { id: chatRole } = (await account.owner.call('team/role/create', chat)).body;
  await account.owner.call('team/member/access/add', {
    email: technician.email,
    role_id: chatRole,
    agent_id,
  });
  const wanted = { role_id, agent_id, reason: 'Ticket 4711: the printer is stuck', minutes: 60 };
  const ask = async (): Promise<number> =>
    (await technician.call('team/access/request/create', wanted)).body['id'] as number;
  await tell('team/access/request/settings', { max_minutes: 240, emergency: true });
  await tell('team/access/request/options');
  await tell('team/access/request/approve', { id: await ask(), minutes: 30 });
  await tell('team/access/request/deny', { id: await ask(), reason: 'The shop is closed today.' });
  const { id } = await tell('team/access/request/create', wanted);
  await tell('team/access/request/list', { limit: 3 });
  await tell('team/access/request/cancel', { id });
  await tell('team/access/emergency', wanted);
}

async function tellProviders({ tell }: Story): Promise<void> {
  const { id } = await tell('team/provider/create', {
    name: 'Company',
    issuer: unreachableProvider,
    client_id: 'drawbridge',
    client_secret: 'secret of the client',
  });
  const { id: department_id } = await tell('team/department/create', { name: 'Staff' });
  await tell('team/provider/update', { id, create_people: true });
  await tell('team/provider/check', { id });
  await tell('team/provider/group/add', { id, group: 'staff', department_id });
  await tell('team/provider/list');
  await tell('team/provider/require', { only_sso: false });
  await tell('team/provider/group/remove', { id, group: 'staff', department_id });
  await tell('team/provider/remove', { id });
  await tell('team/department/remove', { id: department_id });
}

async function tellProvisioning({ tell }: Story): Promise<void> {
  const { id } = await tell('team/scim/token/create', { name: 'Okta' });
  await tell('team/scim/token/list');
  await tell('team/scim/token/remove', { id });
}

async function tellWebhooks({ tell }: Story): Promise<void> {
  const { id } = await tell('team/webhook/create', { name: 'Chat', url: unreachableProvider });
  await tell('team/webhook/update', { id, events: ['access_requested', 'emergency_access'] });
  await tell('team/webhook/renew', { id });
  await tell('team/webhook/test', { id });
  await tell('team/webhook/list');
  await tell('team/webhook/remove', { id });
}

export async function tellIdentity(story: Story, desk: number): Promise<void> {
  await tellDirectories(story);
  await tellRequests(story, desk);
  await tellProviders(story);
  await tellProvisioning(story);
  await tellWebhooks(story);
}
