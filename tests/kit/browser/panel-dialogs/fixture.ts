/** An account in which every dialog of the panel has something to show, with a script in every name. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { arrival } from '../../../suites/store/fixture.ts';
import { must, type TestPerson, type TestAccount } from '../../server/account.ts';
import type { TestService } from '../../server/service.ts';
import { setPassword } from '../../server/panel.ts';
import { xssProbe, xssProbeEmail, fillPanelAccount } from '../../server/panel-fixture.ts';
import { recordSession } from '../../server/recording.ts';

/** The name of one of several. */
export const named = (what: string): string => `${xssProbe} ${what}`;

/** The name of the first group after the first steps. */
export const bern = '<i onclick=globalThis.__ran=1>Bern</i>';

export interface DialogFixture {
  service: TestService;
  owner: TestPerson;
  /** The owner's. */
  email: string;
  /** One of two records of the same machine. */
  twin: string;
  /** A device that is online and answers. */
  lamp: string;
  person: string;
  department: string;
  directory: string;
  /** An identity provider that the owner is connected with. */
  provider: string;
  role: string;
  group: string;
  /** A member who may only see the history of the device lamp. */
  reader: TestPerson;
  /** An empty folder. */
  folder: string;
}

export const password = 'correct horse 7';

/** Its key is shown with a value it was never given. */
async function copyKey({ server: { store } }: TestService, accountId: number, id: number): Promise<void> {
  const report = { accountId, id, facts: arrival.facts, geo: arrival.geo };
  await must(store, 'devices/arrive', { ...report, presented: '', epoch: 'one', uplinkVersion: 3 });
  await must(store, 'devices/arrive', {
    ...report,
    presented: 'never given',
    epoch: 'two',
    uplinkVersion: 3,
  });
}

async function addDevices(service: TestService, account: TestAccount, groupId: number): Promise<number> {
  const lamp = await account.agent({ name: named('lamp'), os: 'win', groupId });
  await service.plugIn(lamp.id);
  for (const name of ['desk', 'rack']) await account.agent({ name: named(name) });
  for (const name of ['guest', 'stranger']) await account.agent({ name: named(name), approved: false });
  const copied = await account.agent({ name: named('copied') });
  await copyKey(service, account.id, copied.id);
  return lamp.id;
}

/** A person follows their invitation. */
async function accept({ server: { store } }: TestService, accountId: number, email: string): Promise<void> {
  const digest = `joins ${email}`;
  await must(store, 'members/invite', { accountId, email, link: { digest, expireTime: store.now() + 600 } });
  await must(store, 'members/sign-in', { digest });
}

async function addSessions(
  { server: { store } }: TestService,
  account: TestAccount,
  agentId: number,
): Promise<void> {
  const { id: accountId, owner } = account;
  const geo = { ip: xssProbe, country: xssProbe, region: xssProbe, city: xssProbe };
  const begun = { accountId, memberId: owner.id, agentId, invitationId: null, userAgent: xssProbe, geo };
  const start = store.now();
  const past = await must(store, 'sessions/start', { ...begun, login: owner.email, start: start + 1 });
  await recordSession(store, { accountId, sessionId: past.id });
  await must(store, 'sessions/note', { accountId, id: past.id, note: named('past') });
  await must(store, 'sessions/stop', { accountId, id: past.id, bytes: 1 });
  await must(store, 'sessions/start', { ...begun, login: xssProbeEmail, start });
}

async function connectProvider(
  { server: { store } }: TestService,
  { id: accountId, owner }: TestAccount,
  id: number,
): Promise<void> {
  const person = { subject: 'one', email: xssProbeEmail, emailVerified: true, groups: [] };
  await must(store, 'providers/link', { accountId, memberId: owner.id, id, person });
}

export async function createDialogFixture(
  service: TestService,
  account: TestAccount,
): Promise<DialogFixture> {
  const { owner, id: accountId } = account;
  const { parts } = await fillPanelAccount(service, account);
  const group = (await owner.call('groups/list')).body['data'][0].id as number;
  const lamp = await addDevices(service, account, group);
  await addSessions(service, account, lamp);
  await setPassword(service, account, owner, password);
  await connectProvider(service, account, Number(parts['providers:id']));
  await accept(service, accountId, parts['people:email']!);
  const reader = await account.member([{ type: 'agent', permissions: ['agent_sessions'], agentId: lamp }]);
  await setPassword(service, account, reader, password);
  await must(service.server.store, 'operators/add', { member: { accountId, id: owner.id } });
  return {
    service,
    owner,
    email: owner.email,
    twin: parts['devices:id']!,
    lamp: String(lamp),
    person: parts['people:email']!,
    department: parts['departments:id']!,
    directory: parts['directories:id']!,
    provider: parts['providers:id']!,
    role: parts['roles:id']!,
    group: String(group),
    reader,
    folder: mkdtempSync(join(tmpdir(), 'drawbridge-dialogs-')),
  };
}
