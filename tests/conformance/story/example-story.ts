/** One request to every operation in an account of a small firm; the manual shows these requests and their replies. */
import { hardwareWith, must } from '../../kit/server/account.ts';
import { recordSession } from '../../kit/server/recording.ts';
import { adapter } from '../adapter.ts';
import { signedExample, waitingSession } from '../waiting-session.ts';
import { tellIdentity } from './identity-story.ts';
import type { Story } from './story.ts';

const geo = { ip: '203.0.113.7', country: 'Germany', region: 'Hamburg', city: 'Hamburg' };
const ann = 'ann@example.com';
const programs = [
  { name: 'firefox-esr', version: '140.4.0', publisher: 'Debian', install_date: '2026-03-14' },
  { name: 'libreoffice', version: '25.2.3', publisher: 'Debian', install_date: '2026-03-14' },
];

async function addDevice({ account, service }: Story, device: { name: string; number: number; ip: string }) {
  const { name, number, ip } = device;
  const { id } = await account.agent({
    name,
    deviceIds: [number],
    geo,
    osUser: 'reception',
    version: '1.4.2',
    powerSupply: true,
    installed: true,
    addresses: [ip],
    fingerprint: { machine_id: '8c1f0e6b', serial: 'PF2XK91A', macs: ['02:00:00:00:00:01'] },
    hardware: hardwareWith({
      CPU: 'Intel(R) Core(TM) i5-8265U',
      CPUCores: 4,
      CPUCoresLogical: 8,
      CPUSpeed: 1600,
      ComputerModel: 'ThinkPad T490',
      ComputerName: 'front-desk',
      ComputerIP: [ip],
      HDD: [{ Model: 'SAMSUNG MZVLB512', Size: 488_386 }],
      NetAdapters: [{ ...adapter, Addresses: ip }],
      OSName: 'Debian GNU/Linux 13',
      RAMPhys: 15_872,
    }),
  });
  await service.plugIn(id, { done: { programs, waiting: [waitingSession], approver: 'kim@example.com' } });
  return id;
}

/** Returns the ids of the device that stays, and of a duplicate of it. */
async function tellDevices(story: Story): Promise<{ desk: number; duplicate: number }> {
  const { tell, account } = story;
  const desk = await addDevice(story, { name: 'Desk', number: 482_913_067, ip: '10.1.2.3' });
  const duplicate = await addDevice(story, { name: 'Old desk', number: 517_204_836, ip: '10.1.2.4' });
  const { id: waiting } = await account.agent({
    name: 'Till',
    deviceIds: [630_518_294],
    geo,
    approved: false,
  });
  const permanent_url = { enable: true, url: 'front-desk', password: 'correct horse 7' };
  await tell('agents/update', { id: desk, name: 'Front desk', permanent_url });
  await tell('agents/settings/update', { agent_id: duplicate, onetime_url: 'forbid' });
  await tell('agents/settings', { agent_id: duplicate });
  await tell('agents/policy/update', { agent_id: duplicate, terminal: 'off', onetime_url: 'inherit' });
  await tell('agents/policy', { agent_id: duplicate });
  await tell('agents/connect', { agent_id: desk, video: true });
  await tell('agents/reboot', { id: desk, safe: false });
  await tell('agents/wake', { id: desk });
  await tell('agents/lock', { id: desk });
  await tell('agents/favorite', { id: desk, favorite: true });
  await tell('agents/software', { agent_id: desk });
  await tell('agents/approval/list', { agent_id: desk });
  await tell('agents/approval/sign', { agent_id: desk, approval: signedExample });
  await tell('agents/duplicates');
  await tell('agents/copied/clear', { id: desk });
  await tell('agents/notes/update', { agent_id: desk, notes: 'Printer: ask for the key.' });
  await tell('agents/notes', { agent_id: desk });
  const { id: file } = await tell('agents/files/add', {
    agent_id: desk,
    name: 'manual.pdf',
    note: 'Printer',
  });
  await tell('agents/files/list', { agent_id: desk });
  await tell('agents/files/get', { id: file });
  await tell('agents/files/remove', { id: file });
  await tell('agents/pending');
  await tell('agents/approve', { id: waiting });
  return { desk, duplicate };
}

async function tellGroups({ tell }: Story, desk: number): Promise<number> {
  const { id } = await tell('groups/create', { name: 'Reception', order: 1 });
  await tell('groups/edit', { id, name: 'Front office', order: 1 });
  await tell('groups/list');
  await tell('groups/agent/insert', { id, agent_id: desk });
  await tell('groups/settings/update', { id, confirm: 'ask' });
  await tell('groups/settings', { id });
  await tell('groups/policy/update', { id, files: 'from_device' });
  await tell('groups/policy', { id });
  const { id: token } = await tell('agents/enroll/create', { group_id: id, uses: 5 });
  await tell('agents/enroll/list');
  await tell('agents/enroll/revoke', { id: token });
  await tellUpdates({ tell }, desk, id);
  return id;
}

async function tellUpdates({ tell }: Pick<Story, 'tell'>, desk: number, group: number): Promise<void> {
  const window = { window_start: 22, window_end: 5 };
  await tell('agents/updates/settings/update', { enabled: true, ...window, groups: [group], canary: 3 });
  await tell('agents/updates/settings');
  await tell('agents/updates/pin', { id: desk, pin: '1.5.0' });
  await tell('agents/updates/info', { id: desk });
  await tell('agents/updates/pause');
  await tell('agents/updates/resume');
  await tell('agents/updates/status');
  await tell('agents/updates/devices', { state: 'outdated' });
}

async function tellTeam({ tell }: Story, desk: number): Promise<void> {
  await tell('team/member/invite', { email: ann });
  await tell('team/member/list', { search: 'ann' });
  const permission = ['agent_connect', 'agent_control'];
  const { id: role } = await tell('team/role/create', { name: 'Helper', type: 'agent', permission });
  await tell('team/role/edit', { id: role, description: 'Sees and controls the screen' });
  await tell('team/role/info', { id: role });
  await tell('team/role/list', { search: 'help' });
  const { id } = await tell('team/department/create', { name: 'Field' });
  await tell('team/department/update', { id, name: 'Field service' });
  await tell('team/department/member/add', { id, email: ann });
  await tell('team/department/info', { id });
  await tell('team/department/list', { search: 'field' });
  const [ofAnn, ofDepartment] = [{ email: ann }, { department_id: id }].map((holder) => ({
    ...holder,
    role_id: role,
    agent_id: desk,
  }));
  await tell('team/member/access/add', ofAnn);
  await tell('team/member/access/list', { email: ann });
  await tell('team/department/access/add', ofDepartment);
  await tell('team/department/access/list', { id });
  await tell('team/access/effective', { email: ann, agent_id: desk });
  await tell('team/member/access/remove', ofAnn);
  await tell('team/department/access/remove', ofDepartment);
  await tell('team/department/member/remove', { id, email: ann });
  await tell('team/department/remove', { id });
  await tell('team/role/remove', { id: role });
  await tell('team/member/remove', { email: ann });
}

async function tellSupport({ tell }: Story): Promise<void> {
  const { data } = await tell('support/create', { client_name: 'Ann' });
  const { id: connection_id } = data as { id: number };
  await tell('support/update', { connection_id, name: 'Ann Berg' });
  await tell('support/info', { connection_id });
  await tell('support/list');
  await tell('support/connect', { connection_id, video: false });
  await tell('support/close', { connection_id });
}

async function tellSessions({ tell, service, account }: Story, desk: number): Promise<void> {
  const { store } = service.server;
  const { id: memberId, email: login } = account.owner;
  const session = { accountId: account.id, agentId: desk, invitationId: null, memberId, login, geo };
  const start = async () =>
    (await must(store, 'sessions/start', { ...session, start: store.now(), userAgent: 'Firefox 140' })).id;
  const past = await start();
  await recordSession(store, { accountId: account.id, sessionId: past });
  service.advance(600);
  await must(store, 'sessions/stop', { accountId: account.id, id: past, bytes: 48_213_904 });
  const id = await start();
  await tell('sessions/list', { agent_id: desk });
  await tell('sessions/note', { id, note: 'Replaced the cable.' });
  await tell('sessions/close', { id });
  await tell('history/list', { agent_id: desk, video: true });
  await tell('history/export', { agent_id: desk });
  await tell('agents/list', { search: 'front' });
  await tell('agents/info', { agent_id: desk });
  await tell('history/video/remove', { id: past });
}

async function tellAccount({ tell }: Story): Promise<void> {
  const { id } = await tell('keys/create', { name: 'Ticket system', networks: ['198.51.100.0/24'] });
  await tell('keys/list');
  await tell('keys/revoke', { id });
  await tell('plan/info');
  await tell('account/update', { record: false });
  await tell('account/info');
  await tell('account/policy/update', { idle_timeout: '30m' });
  await tell('account/policy');
  await tell('branding/update', { name: 'Harbour IT', accent: '#1f6feb' });
  await tell('branding/logo');
  await tell('branding/info');
  await tell('branding/logo/remove');
  await tell('audit/list', { operation: 'keys/revoke', limit: 1 });
  await tell('audit/verify');
}

export async function tellStory(story: Story): Promise<void> {
  const { tell } = story;
  const { desk, duplicate } = await tellDevices(story);
  const group = await tellGroups(story, desk);
  await tellSessions(story, desk);
  await tellTeam(story, desk);
  await tellIdentity(story, desk);
  await tellSupport(story);
  await tellAccount(story);
  await tell('groups/agent/remove', { agent_id: desk });
  await tell('groups/remove', { id: group });
  await tell('agents/merge', { agent_id: duplicate, target_agent_id: desk });
  await tell('agents/logout', { id: desk });
}
