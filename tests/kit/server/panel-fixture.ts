/** An account in which every field that someone else can fill holds a script, for visits to all pages. */
import type { OperationId } from '@drawbridge/client';
import type { Store } from '@drawbridge/server/store/store';
import { must, type ReplyBody, type TestAccount } from './account.ts';
import { filledWith, fullHardware } from '../hostile/hostile.ts';
import type { TestService } from './service.ts';

/** Runs if it ever becomes markup. */
export const xssProbe = `"><script>globalThis.__ran=1</script><img src=x onerror=globalThis.__ran=1>`;
export const xssProbeEmail = '"<img/src=x/onerror=globalThis.__ran=1>"@example.com';

export interface PanelFixture {
  /** The values of named address parameters, by the path segment before them. */
  parts: Record<string, string>;
  /** The tabs of a device's page. */
  tabs: readonly string[];
}

const absent = '999999999';

/** Addresses in an account that has only its owner. */
export const emptyAccountParts = ({ owner }: TestAccount): Record<string, string> => ({
  'devices:id': absent,
  'people:email': owner.email,
  'people:id': String(owner.id),
  'departments:id': absent,
  'directories:id': absent,
  'roles:id': absent,
  'providers:id': absent,
});

const geo = { ip: xssProbe, country: xssProbe, region: xssProbe, city: xssProbe };

type Ask = (operation: OperationId, params: Record<string, unknown>) => Promise<ReplyBody>;

const asOwner =
  ({ owner }: TestAccount): Ask =>
  async (operation, params) => {
    const { http, body } = await owner.call(operation, params);
    if (http !== 200) throw new Error(`${operation}: ${JSON.stringify(body)}`);
    return body;
  };

/** Two records of one machine; the first has programs, notes and a file. */
async function addDevices(store: Store, account: TestAccount, groupId: number): Promise<number> {
  const { owner, id: accountId } = account;
  const device = {
    name: xssProbe,
    groupId,
    osUser: xssProbe,
    version: xssProbe,
    geo,
    addresses: [xssProbe],
    hardware: JSON.stringify(filledWith(fullHardware, xssProbe)),
    fingerprint: { machine_id: 'one', serial: xssProbe, macs: ['02:00:00:00:00:01'] },
  };
  const { id: agentId } = await account.agent(device);
  await account.agent(device);
  const programs = [{ name: xssProbe, version: xssProbe, publisher: xssProbe }];
  await must(store, 'devices/software', { accountId, id: agentId, software: JSON.stringify(programs) });
  await asOwner(account)('agents/notes/update', { agent_id: agentId, notes: xssProbe });
  const file = { agent_id: agentId, name: xssProbe, note: xssProbe };
  await owner.call('agents/files/add', file, Buffer.from(xssProbe));
  return agentId;
}

/** One session that is over, with a note, and one that runs. */
async function addSessions(store: Store, account: TestAccount, agentId: number): Promise<void> {
  const { owner, id: accountId } = account;
  const target = { accountId, memberId: owner.id, agentId, invitationId: null };
  const some = { ...target, userAgent: xssProbe, geo, start: store.now() };
  const { id } = await must(store, 'sessions/start', { ...some, login: owner.email });
  await must(store, 'sessions/note', { accountId, id, note: xssProbe });
  await must(store, 'sessions/stop', { accountId, id, bytes: 1 });
  await must(store, 'sessions/start', { ...some, login: xssProbeEmail });
}

async function addDirectory(ask: Ask): Promise<number> {
  const places = { url: 'ldaps://127.0.0.1:1', ca_cert: xssProbe, base: xssProbe };
  const reader = { bind_dn: xssProbe, bind_password: xssProbe };
  const filters = { person_filter: xssProbe, group_filter: xssProbe };
  const { id } = await ask('team/directory/create', { name: xssProbe, ...places, ...reader, ...filters });
  await ask('team/directory/run', { id });
  return id as number;
}

/** An identity provider whose group belongs to the department. */
async function addProvider(ask: Ask, department: number): Promise<number> {
  const client = { client_id: xssProbe, client_secret: 'secret', groups_claim: xssProbe };
  const provider = { name: xssProbe, issuer: 'https://id.example.com', ...client };
  const id = (await ask('team/provider/create', provider))['id'] as number;
  await ask('team/provider/group/add', { id, group: xssProbe, department_id: department });
  return id;
}

export async function fillPanelAccount(service: TestService, account: TestAccount): Promise<PanelFixture> {
  const { store } = service.server;
  const ask = asOwner(account);
  const groupId = (await ask('groups/create', { name: xssProbe }))['id'] as number;
  const agentId = await addDevices(store, account, groupId);
  await ask('support/create', { client_name: xssProbe });
  await ask('team/member/invite', { email: xssProbeEmail });
  const person = await account.member([
    { type: 'agent', permissions: ['agent_connect'], agentId },
    { type: 'group', permissions: ['agent_control'], groupId, byDepartment: true },
  ]);
  const department = await account.department(xssProbe);
  const role = { name: xssProbe, type: 'agent', description: xssProbe, permission: ['agent_connect'] };
  const { id: roleId } = await ask('team/role/create', role);
  const directoryId = await addDirectory(ask);
  const provider = await addProvider(ask, department);
  await ask('keys/create', { name: xssProbe });
  await addSessions(store, account, agentId);
  await ask('agents/enroll/create', { group_id: groupId, uses: 3 });
  await ask('branding/update', { name: xssProbe.slice(0, 64), accent: '#7a1fa2' });
  return {
    parts: {
      'devices:id': String(agentId),
      'people:email': person.email,
      'people:id': String(person.id),
      'departments:id': String(department),
      'directories:id': String(directoryId),
      'roles:id': String(roleId),
      'providers:id': String(provider),
    },
    tabs: ['hardware', 'software', 'files', 'history', 'access', 'notifications', 'settings'],
  };
}
