/** The resources of the derived tests: one of everything in an account, created on first use. */
import { randomBytes } from 'node:crypto';
import { random } from '@drawbridge/server/edges/random';
import { hardwareWith, must, type TestPerson, type TestAccount } from '../kit/server/account.ts';
import type { TestService } from '../kit/server/service.ts';
import { recordSession } from '../kit/server/recording.ts';
import { adapter } from './adapter.ts';
import type { EnrolledDevice, AccountResources } from './account-resources.ts';

export const uniqueText = (): string => randomBytes(6).toString('hex');
/** Nothing listens on this port. */
export const unreachableDirectory = 'ldaps://127.0.0.1:1';
export const unreachableProvider = 'https://127.0.0.1:1';
const nowhere = { ip: '', country: '', region: '', city: '' };

const once = <Made>(make: () => Promise<Made>): (() => Promise<Made>) => {
  let made: Promise<Made> | undefined;
  return () => (made ??= make());
};

/** The device performs every command, and has nothing installed. */
const noPrograms = { done: { programs: [], waiting: [], approver: 'kim@example.com' } };

export function createResources(service: TestService, account: TestAccount): AccountResources {
  const resources: AccountResources = {
    account,
    group: once(() => account.group()),
    agent: once(() => enrolDevice(service, resources, '10.1.2.3')),
    target: once(() => enrolDevice(service, resources, '10.1.2.4')),
    role: once(() => insertRole(service, account)),
    department: once(() => account.department()),
    directory: once(async () => (await insertDirectory(service, account)).id),
    provider: once(async () => (await insertProvider(service, account)).id),
    scimToken: once(async () => (await insertScimToken(service, account)).id),
    webhook: once(async () => (await insertWebhook(service, account)).id),
    colleague: once(() => account.member()),
    invitation: once(async () => (await insertInvitation(service, account, account.owner)).id),
    key: once(async () => (await account.key(await resources.colleague())).keyId),
    token: once(async () => (await enrolment(service, account)).id),
    file: once(() => attachFile(resources)),
    recorded: once(() => insertRecording(service, resources)),
    session: once(() => startSession(service, resources)),
    request: once(() => askForAccess(service, resources)),
  };
  return resources;
}

async function enrolDevice(
  service: TestService,
  resources: AccountResources,
  address: string,
): Promise<EnrolledDevice> {
  const hardware = hardwareWith({ NetAdapters: [adapter], ComputerIP: [address] });
  const groupId = await resources.group();
  const made = await resources.account.agent({ hardware, addresses: [address], groupId });
  return { ...made, plug: await service.plugIn(made.id, noPrograms) };
}

async function insertRole({ server }: TestService, { id: accountId }: TestAccount): Promise<number> {
  const role = { name: `role ${uniqueText()}`, type: 'quick_support', description: 'as it was' } as const;
  return (await must(server.store, 'roles/create', { accountId, ...role, permissions: ['agent_chat'] })).id;
}

const insertDirectory = ({ server }: TestService, { id: accountId, owner }: TestAccount) =>
  must(server.store, 'directories/create', {
    accountId,
    by: owner.id,
    bindPassword: uniqueText(),
    settings: {
      name: 'Company',
      url: unreachableDirectory,
      ca: '',
      bindDn: 'cn=reader,dc=example,dc=com',
      base: 'dc=example,dc=com',
      personFilter: '(objectClass=person)',
      groupFilter: '(objectClass=groupOfNames)',
      adopt: false,
      signIn: false,
      everyMinutes: 0,
      removalPercent: 20,
    },
  });

const insertProvider = ({ server }: TestService, { id: accountId, owner }: TestAccount) =>
  must(server.store, 'providers/create', {
    accountId,
    by: owner.id,
    issuer: unreachableProvider,
    clientSecret: uniqueText(),
    signInName: uniqueText(),
    settings: {
      name: 'Company',
      ca: '',
      clientId: 'drawbridge',
      scopes: 'openid email profile',
      groupsClaim: 'groups',
      createPeople: false,
      adopt: false,
      enabled: true,
    },
  });

const insertScimToken = ({ server }: TestService, { id: accountId, owner }: TestAccount) =>
  must(server.store, 'scim/token-create', {
    accountId,
    memberId: owner.id,
    token: { digest: uniqueText(), prefix: 'abcdef', name: 'Okta', expireTime: null },
  });

const insertWebhook = ({ server }: TestService, { id: accountId }: TestAccount) =>
  must(server.store, 'webhooks/create', {
    accountId,
    secret: uniqueText(),
    settings: { name: 'Chat', url: unreachableProvider, ca: '', events: ['access_denied'], enabled: true },
  });

async function attachFile({ account, agent }: AccountResources): Promise<number> {
  const attached = { agent_id: (await agent()).id, name: 'manual.pdf', note: 'how it works' };
  const bytes = Buffer.from('the bytes of a file');
  const { body } = await account.owner.call('agents/files/add', attached, bytes);
  return body['id'] as number;
}

async function startSession(
  { server: { store } }: TestService,
  { account, agent }: AccountResources,
): Promise<number> {
  const agentId = (await agent()).id;
  const { id: memberId, email: login } = account.owner;
  const by = { memberId, login, userAgent: 'Browser', geo: nowhere };
  const session = { accountId: account.id, agentId, invitationId: null, start: store.now(), ...by };
  return (await must(store, 'sessions/start', session)).id;
}

/** Somebody who may only chat on the device asks to connect to it. */
async function askForAccess(
  { server: { store } }: TestService,
  { account, agent }: AccountResources,
): Promise<number> {
  const accountId = account.id;
  const agentId = (await agent()).id;
  const person = await account.member([{ type: 'agent', permissions: ['agent_chat'], agentId }]);
  const role = { name: `role ${uniqueText()}`, type: 'agent', description: '' } as const;
  const { id: roleId } = await must(store, 'roles/create', {
    accountId,
    ...role,
    permissions: ['agent_connect'],
  });
  const wanted = { memberId: person.id, roleId, agentId, reason: 'The printer is stuck', minutes: 60 };
  return (await must(store, 'requests/create', { accountId, ...wanted })).id;
}

async function insertRecording(service: TestService, resources: AccountResources): Promise<number> {
  const { store } = service.server;
  const accountId = resources.account.id;
  const sessionId = await startSession(service, resources);
  await recordSession(store, { accountId, sessionId });
  await must(store, 'sessions/stop', { accountId, id: sessionId, bytes: 1 });
  return sessionId;
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
