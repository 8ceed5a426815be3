/** The resources of the derived tests: one of everything in an account, created on first use. */
import { randomBytes } from 'node:crypto';
import { random } from '@drawbridge/server/edges/random';
import { hardwareWith, must, type TestPerson, type TestAccount } from '../kit/server/account.ts';
import type { TestService } from '../kit/server/service.ts';
import { recordSession } from '../kit/server/recording.ts';
import { adapter } from './adapter.ts';
import type { EnrolledDevice, AccountResources } from './account-resources.ts';

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
  const device = async (address: string): Promise<EnrolledDevice> => {
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
      const bytes = Buffer.from('the bytes of a file');
      const { body } = await account.owner.call('agents/files/add', attached, bytes);
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
