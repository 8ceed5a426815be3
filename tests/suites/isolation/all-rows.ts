/**
 * A program that calls every row of the table through the API of a service, most of them in several ways, and prints
 * each answer.
 */
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import type { OperationId } from '@drawbridge/contract/v1/index';
import { random, digestOf } from '@drawbridge/server/edges/random';
import { askForUpdates } from '@drawbridge/server/jobs/ask-for-updates';
import { runHousekeeping } from '@drawbridge/server/jobs/housekeeping';
import { removeOldRecordings } from '@drawbridge/server/jobs/old-recordings';
import { hardwareWith, must } from '../../kit/server/account.ts';
import type { DatabaseKind } from '../../kit/server/database.ts';
import { startService } from '../../kit/server/service.ts';
import { operationIds } from '../../conformance/call-operation.ts';
import { operationRows } from '../../conformance/operation-rows/index.ts';
import { createResources } from '../../conformance/resources.ts';
import { recordSession } from '../../kit/server/recording.ts';
import { exerciseDirectory } from './exercise-directory.ts';
import { exerciseProvider } from './exercise-provider.ts';
import { exerciseProvisioning } from './exercise-provisioning.ts';
import { exerciseWebhooks } from './exercise-webhooks.ts';
import { exerciseLobby } from './exercise-lobby.ts';
import { exerciseNotifications } from '../store/notifications/exercise-notifications.ts';
import { exercisePanel, exerciseServer } from './exercise-panel.ts';
import { arrival } from '../store/fixture.ts';

await using service = await startService({ database: process.argv[2] as DatabaseKind, migrates: true });
const account = await service.account();
const { store } = service.server;
const { owner } = account;
const answers: Record<string, number[]> = {};

async function call(id: OperationId, params: Record<string, unknown> = {}, person = owner) {
  const { http, body } = await person.call(id, params, operationRows[id].file);
  (answers[id] ??= []).push(http);
  return body;
}

for (const id of operationIds) {
  const resources = createResources(service, await service.account());
  await call(id, await operationRows[id].request(resources, service), resources.account.owner);
}

// What follows asks for what the requests of the rows do not: as a technician, with filters, in other states.
await store.change('plan/set', { accountId: account.id, plan: { computers: 5, files: 5, requests: 900 } });

const { id: groupId } = await call('groups/create', { name: 'Desks', order: 1 });
const hardware = hardwareWith({ ComputerIP: ['10.1.2.3'] });
const [desk, twin, spare] = [
  await account.agent({ hardware, addresses: ['10.1.2.3'] }),
  await account.agent({ addresses: ['10.1.2.4'] }),
  await account.agent(),
];
await service.plugIn(desk.id, { done: { programs: [] } });
await service.plugIn(twin.id);
await call('groups/agent/insert', { id: groupId, agent_id: desk.id });

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
await call('team/role/list', { search: 'view', type: 'agent' });

const email = 'invited@example.com';
await call('team/member/invite', { email });
await call('team/member/list', { search: 'invited' });
const ann = await account.member([
  { type: 'quick_support', permissions: ['quick_support_admin', 'agent_connect'] },
  { type: 'team', permissions: ['team_permanent_access'], byDepartment: true },
]);
const grant = { role_id: roleId, agent_id: desk.id };
for (const person of [email, ann.email]) await call('team/member/access/add', { email: person, ...grant });
await call('team/access/effective', { email, agent_id: desk.id });
const wanted = { role_id: roleId, agent_id: desk.id, reason: 'why', minutes: 1 };
const { id: asked } = await call('team/access/request/create', wanted, ann);
await call('team/access/request/approve', { id: asked });
for (const state of ['waiting', 'approved', 'expired', 'ended', 'denied'])
  await call('team/access/request/list', { state, own: true }, ann);
await call('team/member/access/remove', { email, ...grant });

const { id: department } = await call('team/department/create', { name: 'Field', worker: true });
await call('team/department/member/add', { id: department, email });
const toDepartment = { department_id: department, role_id: onGroup, group_id: groupId };
await call('team/department/access/add', toDepartment);
await call('team/department/access/list', { id: department });
await call('team/department/access/remove', toDepartment);
await call('team/department/list', { search: 'field' });

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
for (const person of [owner, ann]) await call('agents/duplicates', {}, person);
await call('agents/files/add', { agent_id: desk.id, name: 'kept.txt' });
await call('agents/files/list', { agent_id: desk.id });
const { id: running } = await must(store, 'sessions/start', {
  ...session,
  agentId: desk.id,
  invitationId: null,
});
for (const person of [owner, ann]) await call('sessions/list', {}, person);
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
await removeOldRecordings(store, { remove: async () => {} }, 90);
await call('agents/merge', { agent_id: spare.id, target_device_id: desk.deviceId });

await call('account/update', { approve_devices: true, record: true });
const { token } = await call('agents/enroll/create', { group_id: groupId, uses: 2 });
const newcomer = await must(store, 'enroll/join', {
  token: digestOf(parseEnrolmentToken(token as string)!.secret),
  publicKey: 'a key',
  deviceIds: [Number(random.digits(9))],
  secret: random.token(),
  ...arrival,
});

const { id: keyId } = await call('keys/create', { name: 'k' });
const { logo } = await call('branding/logo');
const logoPath = new URL(logo as string).pathname;
await service.testClient.send({ path: logoPath });
await store.brands.inDatabase();
await store.brands.onlyStored();
await store.brands.mayLeaveDatabase();
await store.brands.logoOf(account.id);
await store.brands.referencedKeys(account.id, ['a place']);
const digest = logoPath.split('/').at(-1)!;
const place = { accountId: account.id, digest, before: '', logo: '', blobKey: 'a place', size: 1 };
await must(store, 'brands/place-logo', place);
await call('audit/list', {
  operation: 'groups/create',
  email: owner.email,
  date_from: 1,
  date_to: 2_000_000_000,
});

// What devices do.
const report = { accountId: account.id, id: newcomer.id };
await store.deviceIdentity.byKey('a key');
await store.deviceIdentity.byId(newcomer.id);
await store.deviceIdentity.byPath('nowhere');
await must(store, 'devices/arrive', { ...report, presented: '', epoch: 'e', uplinkVersion: 3, ...arrival });
await must(store, 'devices/kept', { ...report, epoch: 'e' });
await must(store, 'devices/facts', { ...report, ...arrival });
await must(store, 'devices/hardware', { ...report, hardware });
await must(store, 'updates/report', { ...report, progress: 'failed', version: '9.0.0', message: '' });
await must(store, 'presence/extend', { node: 'test', leaseUntil: store.now() + 30 });
await must(store, 'presence/end', { node: 'test', ids: [newcomer.id] });

// What the server does by itself, and what people without a key do.
await runHousekeeping(store, 7 * 86_400);
await must(store, 'updates/settings', { accountId: account.id, enabled: true, canary: 0 });
const updating = { store, askDevice: async () => 'busy', offeredVersion: async () => '9.0.0' };
await askForUpdates(updating);
await must(store, 'updates/resume', { accountId: account.id });
await askForUpdates(updating);
await store.files.referencedKeys(account.id, ['nowhere']);
const { id: last } = await must(store, 'sessions/start', {
  ...session,
  agentId: twin.id,
  invitationId: null,
});
await store.change('sessions/alive', { sessions: [{ id: last, bytes: 1 }] });
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
const waiting = { accountId: account.id, id: startedSessionId };
await store.change('sessions/await-approval', { ...waiting, until: store.now() + 600 });
await store.approvals.waiting(account.id, { scope: 'all', exceptMemberId: owner.id, limit: 1 });
await store.change('sessions/approve', waiting);
await store.change('sessions/cut', { accountId: account.id, id: startedSessionId, bytes: 1 });
await store.change('sessions/resume', { accountId: account.id, id: startedSessionId, permissions: [] });
await store.change('sessions/count', { accountId: account.id, id: startedSessionId, bytes: 1 });
await store.change('sessions/bury', { silentSince: store.now() + 1 });
await store.deviceIdentity.publicKey(account.id, twin.id);
const invited = (await call('support/create')).data;
await exerciseLobby(store, { accountId: account.id, memberId: account.owner.id }, invited);
await store.change('members/sign-in', { digest: '-' });
await exerciseNotifications(service, account, twin.id);
await exerciseDirectory(store, { accountId: account.id, memberId: owner.id });
await exerciseProvider(store, { accountId: account.id, memberId: owner.id });
await exerciseProvisioning(store, { accountId: account.id, memberId: owner.id });
await exerciseWebhooks(store, { accountId: account.id, memberId: owner.id }, twin.id);
await exercisePanel(store, { accountId: account.id, memberId: owner.id }, owner.email);
await store.change('links/consume', { digest: '-' });
await store.change('links/return', { digest: '-' });
await store.deviceIdentity.standings([twin.id]);
await store.change('server/clock-jump', { seconds: 1 });
await store.change('server/probe', {});
await store.change('bus/keys', { fresh: 'secret' });
await store.change('secrets/seal', {});
await store.change('nodes/join', { id: 'n', hasBus: true, shared: {}, aliveUntil: store.now() + 20 });
await store.change('nodes/alive', { id: 'n', hasBus: true, shared: {}, aliveUntil: store.now() + 20 });
await store.change('nodes/leave', { id: 'n' });
await store.change('keys/used', { uses: [{ accountId: account.id, keyId, time: store.now() }] });
await exerciseServer(store, { accountId: account.id, memberId: ann.id });
process.stdout.write(JSON.stringify(answers));
