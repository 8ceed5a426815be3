/**
 * The resources of the derived tests: one of everything in an account, created on first use, and a valid
 * request for every row.
 */
import { randomBytes } from 'node:crypto';
import { random } from '@drawbridge/server/edges/random';
import type { OperationId } from '@drawbridge/contract/v1/index';
import { hardwareWith, must, type TestPerson, type TestAccount } from '../kit/server/account.ts';
import type { TestService } from '../kit/server/service.ts';
import { recordSession } from '../kit/server/recording.ts';
import { adapter } from './adapter.ts';
import { callOperation, type OperationParams } from './call-operation.ts';
import type { Device, AccountResources } from './account-resources.ts';

export const uniqueText = (): string => randomBytes(6).toString('hex');
const nowhere = { ip: '', country: '', region: '', city: '' };

const once = <Made>(make: () => Promise<Made>): (() => Promise<Made>) => {
  let made: Promise<Made> | undefined;
  return () => (made ??= make());
};

/** The device performs every command, and has nothing installed. */
const noPrograms = { done: { programs: [] } };

export function createResources(service: TestService, account: TestAccount): AccountResources {
  const { store } = service.server;
  const accountId = account.id;
  const device = async (address: string): Promise<Device> => {
    const hardware = hardwareWith({ NetAdapters: [adapter], ComputerIP: [address] });
    const made = await account.agent({ hardware, addresses: [address], groupId: await resources.group() });
    return { ...made, plug: await service.plugIn(made.id, noPrograms) };
  };
  const startSession = async (): Promise<number> => {
    const agentId = (await resources.agent()).id;
    const { id: memberId, email: login } = account.owner;
    const by = { memberId, login, userAgent: 'Browser', geo: nowhere };
    const session = { accountId, agentId, invitationId: null, start: store.now(), ...by };
    return (await must(store, 'sessions/start', session)).id;
  };
  const resources: AccountResources = {
    account,
    group: once(() => account.group()),
    agent: once(() => device('10.1.2.3')),
    target: once(() => device('10.1.2.4')),
    role: once(async () => {
      const role = { name: `role ${uniqueText()}`, type: 'quick_support', description: 'as it was' } as const;
      return (await must(store, 'roles/create', { accountId, ...role, permissions: ['agent_chat'] })).id;
    }),
    department: once(() => account.department()),
    colleague: once(() => account.member()),
    invitation: once(async () => (await insertInvitation(service, account, account.owner)).id),
    key: once(async () => (await account.key(await resources.colleague())).keyId),
    token: once(async () => (await enrolment(service, account)).id),
    file: once(async () => {
      const attached = { agent_id: (await resources.agent()).id, name: 'manual.pdf', note: 'how it works' };
      const { body } = await callOperation(service.testClient, 'agents/files/add', attached, account.owner);
      return body['id'] as number;
    }),
    recorded: once(async () => {
      const sessionId = await startSession();
      await recordSession(store, { accountId, sessionId });
      await must(store, 'sessions/stop', { accountId, id: sessionId, bytes: 1 });
      return sessionId;
    }),
    session: once(() => startSession()),
  };
  return resources;
}

export const insertInvitation = (
  service: TestService,
  account: TestAccount,
  person: TestPerson,
  clientName = 'Ann',
) =>
  must(service.server.store, 'invitations/create', {
    accountId: account.id,
    memberId: person.id,
    clientName,
    codes: Array.from({ length: 5 }, () => random.digits(9)),
    connectToken: random.token(),
  });

const enrolment = ({ server: { store } }: TestService, { id: accountId, owner }: TestAccount) =>
  must(store, 'enroll/create', {
    accountId,
    memberId: owner.id,
    digest: uniqueText(),
    groupId: null,
    uses: 1,
    expireTime: store.now() + 600,
  });

/** The role granted to the colleague, and to the colleague's department. */
async function grantRole(resources: AccountResources, service: TestService): Promise<void> {
  const { id: accountId, owner } = resources.account;
  const [roleId, departmentId, { email }] = [
    await resources.role(),
    await resources.department(),
    await resources.colleague(),
  ];
  const { store } = service.server;
  await must(store, 'departments/member-add', { accountId, by: owner.id, id: departmentId, email });
  await must(store, 'access/add', { accountId, by: owner.id, holder: { email }, roleId });
  await must(store, 'access/add', { accountId, by: owner.id, holder: { departmentId }, roleId });
}

type MakeParams = (resources: AccountResources, service: TestService) => Promise<OperationParams>;

const nothing: MakeParams = async () => ({});
const byInvitation: MakeParams = async (it) => ({ connection_id: await it.invitation() });
const byAgent: MakeParams = async (it) => ({ id: (await it.agent()).id });
const byAgentId: MakeParams = async (it) => ({ agent_id: (await it.agent()).id });
const byFile: MakeParams = async (it) => ({ id: await it.file() });
const bySession: MakeParams = async (it) => ({ id: await it.session() });
const byGroup: MakeParams = async (it) => ({ id: await it.group() });
const byRole: MakeParams = async (it) => ({ id: await it.role() });
const byDepartment: MakeParams = async (it) => ({ id: await it.department() });
const byEmail: MakeParams = async (it) => ({ email: (await it.colleague()).email });
const grant: MakeParams = async (it, service) => ({
  ...(await byEmail(it, service)),
  role_id: await it.role(),
});
const departmentGrant: MakeParams = async (it) => ({
  department_id: await it.department(),
  role_id: await it.role(),
});
const membership: MakeParams = async (it) => ({
  id: await it.department(),
  email: (await it.colleague()).email,
});
const afterGrant =
  (asks: MakeParams): MakeParams =>
  async (it, service) => (await grantRole(it, service), asks(it, service));
const named =
  (name: string, asks: MakeParams = nothing): MakeParams =>
  async (it, service) => ({ ...(await asks(it, service)), [name]: `new ${uniqueText()}` });

/** For every row, parameters with which the owner's request succeeds. */
export const paramsFor: Record<OperationId, MakeParams> = {
  'support/list': nothing,
  'support/info': byInvitation,
  'support/create': named('client_name'),
  'support/update': named('name', byInvitation),
  'support/connect': byInvitation,
  'support/close': byInvitation,
  'agents/list': nothing,
  'agents/info': byAgentId,
  'agents/update': named('name', byAgent),
  'agents/connect': byAgentId,
  'agents/reboot': byAgent,
  'agents/wake': async (it, service) => (await it.target(), byAgent(it, service)),
  'agents/logout': byAgent,
  'agents/merge': async (it) => ({
    agent_id: (await it.agent()).id,
    target_agent_id: (await it.target()).id,
  }),
  'groups/list': nothing,
  'groups/create': named('name'),
  'groups/edit': named('name', byGroup),
  'groups/remove': byGroup,
  'groups/agent/insert': async (it) => ({ id: await it.group(), agent_id: (await it.agent()).id }),
  'groups/agent/remove': byAgentId,
  'team/role/list': nothing,
  'team/role/info': byRole,
  'team/role/create': async () => ({
    name: `new ${uniqueText()}`,
    type: 'agent',
    permission: ['agent_chat'],
  }),
  'team/role/edit': named('name', byRole),
  'team/role/remove': byRole,
  'team/member/access/list': byEmail,
  'team/member/access/add': grant,
  'team/member/access/remove': afterGrant(grant),
  'team/department/access/list': byDepartment,
  'team/department/access/add': departmentGrant,
  'team/department/access/remove': afterGrant(departmentGrant),
  'team/department/list': nothing,
  'team/department/info': byDepartment,
  'team/department/create': named('name'),
  'team/department/update': named('name', byDepartment),
  'team/department/remove': byDepartment,
  'team/department/member/add': membership,
  'team/department/member/remove': afterGrant(membership),
  'history/list': nothing,
  'history/export': nothing,
  'history/video/remove': async (it) => ({ id: await it.recorded() }),
  'team/member/list': nothing,
  'team/member/invite': async () => ({ email: `new-${uniqueText()}@example.com` }),
  'team/member/remove': byEmail,
  'team/access/effective': async (it) => ({
    email: (await it.colleague()).email,
    agent_id: (await it.agent()).id,
  }),
  'keys/list': nothing,
  'keys/create': named('name'),
  'keys/revoke': async (it) => ({ id: await it.key() }),
  'plan/info': nothing,
  'audit/list': nothing,
  'audit/verify': nothing,
  'agents/enroll/create': nothing,
  'agents/enroll/list': nothing,
  'agents/enroll/revoke': async (it) => ({ id: await it.token() }),
  'agents/pending': nothing,
  'agents/approve': byAgent,
  'account/info': nothing,
  'account/update': async () => ({ approve_devices: true, record: false }),
  'agents/lock': byAgent,
  'agents/favorite': async (it) => ({ id: (await it.agent()).id, favorite: true }),
  'agents/software': byAgentId,
  'agents/duplicates': nothing,
  'agents/copied/clear': byAgent,
  'agents/notes': byAgentId,
  'agents/notes/update': named('notes', byAgentId),
  'agents/files/list': byAgentId,
  'agents/files/add': named('name', byAgentId),
  'agents/files/remove': byFile,
  'agents/files/get': byFile,
  'groups/settings': byGroup,
  'groups/settings/update': async (it) => ({ id: await it.group(), confirm: 'ask' }),
  'sessions/list': nothing,
  'sessions/close': bySession,
  'sessions/note': named('note', bySession),
  'branding/info': nothing,
  'branding/update': async () => ({ name: `new ${uniqueText()}`, accent: '#1f6feb' }),
  'branding/logo': nothing,
  'branding/logo/remove': nothing,
};
