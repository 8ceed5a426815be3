/** An account in which every field that somebody else can fill holds a script, for walks through all pages. */
import { must, type TestAccount } from './account.ts';
import { filledWith, fullHardware } from '../hostile/hostile.ts';
import type { TestService } from './service.ts';

/** Runs if it ever becomes markup. */
export const xssProbe = `"><script>globalThis.__ran=1</script><img src=x onerror=globalThis.__ran=1>`;
export const xssProbeEmail = '"<img/src=x/onerror=globalThis.__ran=1>"@example.com';

export interface PanelFixture {
  /** What stands in the named parts of addresses, by the word before. */
  parts: Record<string, string>;
  /** The tabs of a device's page. */
  tabs: readonly string[];
}

const absent = '999999999';

/** Addresses in an account that has nothing but its owner. */
export const emptyAccountParts = ({ owner }: TestAccount): Record<string, string> => ({
  'devices:id': absent,
  'people:email': owner.email,
  'people:id': String(owner.id),
  'departments:id': absent,
  'roles:id': absent,
});

export async function fillPanelAccount(service: TestService, account: TestAccount): Promise<PanelFixture> {
  const { owner, id: accountId } = account;
  const { store } = service.server;
  const ask = async (operation: Parameters<typeof owner.call>[0], params: Record<string, unknown>) => {
    const { http, body } = await owner.call(operation, params);
    if (http !== 200) throw new Error(`${operation}: ${JSON.stringify(body)}`);
    return body;
  };
  const group = (await ask('groups/create', { name: xssProbe }))['id'] as number;
  const geo = { ip: xssProbe, country: xssProbe, region: xssProbe, city: xssProbe };
  const device = {
    name: xssProbe,
    groupId: group,
    osUser: xssProbe,
    version: xssProbe,
    geo,
    addresses: [xssProbe],
    hardware: JSON.stringify(filledWith(fullHardware, xssProbe)),
    fingerprint: { machine_id: 'one', serial: xssProbe, macs: ['02:00:00:00:00:01'] },
  };
  const one = await account.agent(device);
  await account.agent(device);
  const agentId = one.id;
  const programs = [{ name: xssProbe, version: xssProbe, publisher: xssProbe }];
  await must(store, 'devices/software', { accountId, id: agentId, software: JSON.stringify(programs) });
  await ask('agents/notes/update', { agent_id: agentId, notes: xssProbe });
  await owner.call(
    'agents/files/add',
    { agent_id: agentId, name: xssProbe, note: xssProbe },
    Buffer.from(xssProbe),
  );
  await ask('support/create', { client_name: xssProbe });
  await ask('team/member/invite', { email: xssProbeEmail });
  const person = await account.member([
    { type: 'agent', permissions: ['agent_connect'], agentId },
    { type: 'group', permissions: ['agent_control'], groupId: group, byDepartment: true },
  ]);
  const department = await account.department(xssProbe);
  const role = { name: xssProbe, type: 'agent', description: xssProbe, permission: ['agent_connect'] };
  const { id: roleId } = await ask('team/role/create', role);
  await ask('keys/create', { name: xssProbe });
  const past = { invitationId: null, login: owner.email, userAgent: xssProbe, geo, start: store.now() };
  const session = await must(store, 'sessions/start', { accountId, memberId: owner.id, agentId, ...past });
  await must(store, 'sessions/note', { accountId, id: session.id, note: xssProbe });
  await must(store, 'sessions/stop', { accountId, id: session.id, bytes: 1 });
  await must(store, 'sessions/start', {
    accountId,
    memberId: owner.id,
    agentId,
    ...past,
    login: xssProbeEmail,
  });
  await ask('agents/enroll/create', { group_id: group, uses: 3 });
  await ask('branding/update', { name: xssProbe.slice(0, 64), accent: '#7a1fa2' });
  return {
    parts: {
      'devices:id': String(agentId),
      'people:email': person.email,
      'people:id': String(person.id),
      'departments:id': String(department),
      'roles:id': String(roleId),
    },
    tabs: ['hardware', 'software', 'files', 'history', 'access', 'settings'],
  };
}
