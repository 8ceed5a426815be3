/** A program that calls every row of the table through the API of a service, and prints each answer. */
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import type { OperationId } from '@drawbridge/contract/v1/index';
import { random, digestOf } from '@drawbridge/server/edges/random';
import { runHousekeeping } from '@drawbridge/server/jobs/housekeeping';
import { removeOldRecordings } from '@drawbridge/server/jobs/old-recordings';
import { hardwareWith, must } from '../kit/server/account.ts';
import type { DatabaseKind } from '../kit/server/database.ts';
import { startService } from '../kit/server/service.ts';
import { bytesFor } from '../kit/display/logo.ts';
import { recordSession } from '../kit/server/recording.ts';
import { exerciseLobby } from './exercise-lobby.ts';
import { exercisePanel, exerciseServer } from './exercise-panel.ts';
import { arrival } from './fixture.ts';

await using service = await startService({ database: process.argv[2] as DatabaseKind });
const account = await service.account();
const { store } = service.server;
const { owner } = account;
const answers: Record<string, number[]> = {};

async function call(id: OperationId, params: Record<string, unknown> = {}, person = owner) {
  const { http, body } = await person.call(id, params, bytesFor(id, 'the bytes of a file'));
  (answers[id] ??= []).push(http);
  return body;
}

await store.change('plan/set', { accountId: account.id, plan: { computers: 5, files: 5, requests: 900 } });

const { id: groupId } = await call('groups/create', { name: 'Desks', order: 1 });
await call('groups/edit', { id: groupId, name: 'Desk' });
const adapter = {
  Addresses: '',
  Cable: true,
  DCHP: '',
  DNS: '',
  Manufacturer: '',
  Name: 'e',
  Speed: 0,
  WoL: true,
};
const NetAdapters = [{ ...adapter, MACAddress: '02:00:00:00:00:01' }];
const hardware = hardwareWith({ NetAdapters, ComputerIP: ['10.1.2.3'] });
const [desk, twin, spare] = [
  await account.agent({ hardware, addresses: ['10.1.2.3'] }),
  await account.agent({ addresses: ['10.1.2.4'] }),
  await account.agent(),
];
await service.plugIn(desk.id, { done: { programs: [] } });
await service.plugIn(twin.id);
await call('groups/agent/insert', { id: groupId, agent_id: desk.id });
await call('groups/list');

const { id: roleId } = await call('team/role/create', {
  name: 'View',
  description: 'Look',
  type: 'agent',
  permission: ['agent_connect', 'agent_sessions'],
});
const { id: onGroup } = await call('team/role/create', {
  name: 'Group',
  description: '',
  type: 'group',
  permission: ['agent_chat'],
});
await call('team/role/edit', { id: roleId, name: 'Viewer' });
await call('team/role/list', { search: 'view', type: 'agent' });
await call('team/role/info', { id: roleId });

const email = 'invited@example.com';
await call('team/member/invite', { email });
await call('team/member/list', { search: 'invited' });
const ann = await account.member([
  { type: 'quick_support', permissions: ['quick_support_admin', 'agent_connect'] },
  { type: 'team', permissions: ['team_permanent_access'], byDepartment: true },
]);
const grant = { role_id: roleId, agent_id: desk.id };
for (const person of [email, ann.email]) await call('team/member/access/add', { email: person, ...grant });
await call('team/member/access/list', { email });
await call('team/access/effective', { email, agent_id: desk.id });
await call('team/member/access/remove', { email, ...grant });

const { id: department } = await call('team/department/create', { name: 'Field', worker: true });
await call('team/department/update', { id: department, name: 'Fields' });
await call('team/department/member/add', { id: department, email });
const toDepartment = { department_id: department, role_id: onGroup, group_id: groupId };
await call('team/department/access/add', toDepartment);
await call('team/department/access/list', { id: department });
await call('team/department/list', { search: 'field' });
await call('team/department/info', { id: department });

const session = {
  accountId: account.id,
  memberId: owner.id,
  start: store.now(),
  login: owner.email,
  userAgent: '',
  geo: { ip: '', country: '', region: '', city: '' },
};
for (const person of [owner, ann]) {
  const { data } = await call('support/create', { client_name: 'Ann' }, person);
  const connection = { connection_id: data.id };
  await call('support/update', { ...connection, name: 'Bob' }, person);
  await call('support/info', connection, person);
  await call('support/list', {}, person);
  await call('support/connect', { ...connection, video: true }, person);
  await store.change('sessions/start', { ...session, agentId: null, invitationId: data.id });
  await call('support/close', connection, person);
  await call('agents/list', { search: 'desk' }, person);
  await call('agents/info', { agent_id: desk.id }, person);
  await call('agents/connect', { device_id: desk.deviceId }, person);
  await call('groups/list', {}, person);
  await call('history/list', { agent_id: desk.id, video: false }, person);
}
await store.change('sessions/start', { ...session, agentId: desk.id, invitationId: null });
await call('history/list', { date_from: 1, email: owner.email });
for (const kind of ['agent', 'support']) await call('history/list', { kind });
for (const person of [owner, ann]) await call('history/export', {}, person);
await call('agents/list', { group_id: String(groupId), offset: 0, limit: 5 });
await call('agents/update', {
  id: desk.id,
  name: 'Desk',
  permanent_url: { enable: true, url: `desk-${desk.deviceId}`, password: 'letters and 123' },
});
for (const id of ['agents/reboot', 'agents/wake', 'agents/lock'] as const) await call(id, { id: desk.id });
await call('agents/favorite', { id: desk.id, favorite: true });
await call('agents/software', { agent_id: desk.id });
for (const person of [owner, ann]) await call('agents/duplicates', {}, person);
await call('agents/copied/clear', { id: desk.id });
await call('agents/notes/update', { agent_id: desk.id, notes: 'Second floor.' });
await call('agents/notes', { agent_id: desk.id });
await call('agents/files/add', { agent_id: desk.id, name: 'kept.txt' });
const { id: fileId } = await call('agents/files/add', { agent_id: desk.id, name: 'file.txt' });
await call('agents/files/list', { agent_id: desk.id });
await call('agents/files/get', { id: fileId });
await call('agents/files/remove', { id: fileId });
const { id: running } = await must(store, 'sessions/start', {
  ...session,
  agentId: desk.id,
  invitationId: null,
});
for (const person of [owner, ann]) await call('sessions/list', {}, person);
await call('sessions/note', { id: running, note: 'Looked at the cable.' });
const takeId = await recordSession(store, { accountId: account.id, sessionId: running });
await must(store, 'recordings/keys', {
  account: account.id,
  keys: { privateKey: 'private', publicKey: 'public' },
});
await store.recordings.keys(account.id);
await store.recordings.find(takeId);
await store.recordings.session(running);
await store.recordings.takes(account.id, running);
await store.recordings.chunk(account.id, { sessionId: running, takeId, number: 0 });
await store.recordings.referencedKeys(account.id, ['a place']);
await call('sessions/close', { id: running });
await call('history/video/remove', { id: running });
await removeOldRecordings(store, { remove: async () => {} }, 90);
await call('groups/settings/update', { id: groupId, confirm: 'ask' });
await call('groups/settings', { id: groupId });
await call('agents/merge', { agent_id: spare.id, target_device_id: desk.deviceId });
await call('groups/agent/remove', { agent_id: desk.id });
await call('agents/logout', { id: desk.id });

await call('account/update', { approve_devices: true, record: true });
await call('account/info');
const { id: tokenId, token } = await call('agents/enroll/create', { group_id: groupId, uses: 2 });
await call('agents/enroll/list');
const newcomer = await must(store, 'enroll/join', {
  token: digestOf(parseEnrolmentToken(token as string)!.secret),
  publicKey: 'a key',
  deviceIds: [Number(random.digits(9))],
  secret: random.token(),
  ...arrival,
});
await call('agents/pending');
await call('agents/approve', { id: newcomer.id });
await call('agents/enroll/revoke', { id: tokenId });

const { id: keyId } = await call('keys/create', { name: 'k' });
await call('keys/list');
await call('keys/revoke', { id: keyId });
await call('plan/info');
await call('branding/update', { name: 'Acme', accent: '#1f6feb' });
const { logo } = await call('branding/logo');
await service.testClient.send({ path: new URL(logo as string).pathname });
for (const id of ['branding/logo/remove', 'branding/info', 'audit/verify'] as const) await call(id);
await call('audit/list', {
  operation: 'groups/create',
  email: owner.email,
  date_from: 1,
  date_to: 2_000_000_000,
});

await call('team/department/access/remove', toDepartment);
await call('team/department/member/remove', { id: department, email });
await call('team/department/remove', { id: department });
await call('team/member/remove', { email });
await call('team/role/remove', { id: roleId });
await call('groups/remove', { id: groupId });

// What devices do.
const report = { accountId: account.id, id: newcomer.id };
await store.deviceIdentity.byKey('a key');
await store.deviceIdentity.byId(newcomer.id);
await store.deviceIdentity.byPath('nowhere');
await must(store, 'devices/arrive', { ...report, presented: '', epoch: 'e', ...arrival });
await must(store, 'devices/kept', { ...report, epoch: 'e' });
await must(store, 'devices/facts', { ...report, ...arrival });
await must(store, 'devices/hardware', { ...report, hardware });
await must(store, 'presence/extend', { node: 'test', leaseUntil: store.now() + 30 });
await must(store, 'presence/end', { node: 'test', ids: [newcomer.id] });

// What the server does by itself, and what people without a key do.
await runHousekeeping(store, 7 * 86_400);
await store.files.referencedKeys(account.id, ['nowhere']);
const { id: last } = await must(store, 'sessions/start', {
  ...session,
  agentId: twin.id,
  invitationId: null,
});
await store.change('sessions/alive', { ids: [last] });
await store.change('sessions/stop', { accountId: account.id, id: last, bytes: 1 });
const opening = { origin: 'api', permissions: [], secretDigest: 'secret', record: false } as const;
const { id: startedSessionId } = await must(store, 'sessions/start', {
  ...session,
  agentId: twin.id,
  invitationId: null,
  opening,
});
await store.sessions.bySecret(startedSessionId, 'secret');
await store.sessions.validity([startedSessionId]);
await store.change('sessions/begin', { accountId: account.id, id: startedSessionId });
await store.change('sessions/cut', { accountId: account.id, id: startedSessionId, bytes: 1 });
await store.change('sessions/resume', { accountId: account.id, id: startedSessionId, permissions: [] });
await store.change('sessions/count', { accountId: account.id, id: startedSessionId, bytes: 1 });
await store.change('sessions/bury', { silentSince: store.now() + 1 });
await store.deviceIdentity.publicKey(account.id, twin.id);
const invited = (await call('support/create')).data;
await exerciseLobby(store, { accountId: account.id, memberId: account.owner.id }, invited);
await store.change('members/sign-in', { digest: '-' });
await exercisePanel(store, { accountId: account.id, memberId: owner.id }, owner.email);
await store.change('links/consume', { digest: '-' });
await store.change('keys/used', { uses: [{ accountId: account.id, keyId, time: store.now() }] });
await exerciseServer(store, { accountId: account.id, memberId: ann.id });
process.stdout.write(JSON.stringify(answers));
