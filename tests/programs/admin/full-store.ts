/** A store with rows in every table. */
import { emptyHardware } from '@drawbridge/contract/empty-hardware';
import { newAccount, newKey } from '@drawbridge/server/compose/create-account';
import { random, digestOf } from '@drawbridge/server/edges/random';
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../../kit/server/account.ts';
import { recordSession } from '../../kit/server/recording.ts';
import { fillNotifications } from './full-notifications.ts';
import { fillProvider } from './full-provider.ts';
import type { SqlRow, AdminFixture } from './fixture.ts';
import { fillProvisioning } from './full-provisioning.ts';
import { someDirectory, someWebhook } from '../../suites/store/fixture.ts';

export interface Filled {
  accountId: number;
  ownerId: number;
  apiKey: string;
  /** Codes of two single-use links: one is already used. */
  links: { used: string; unused: string };
  /** The highest group id there ever was; the group is removed. */
  removedGroup: number;
}

const place = { ip: '2001:db8::1', country: 'DE', region: 'Nordrhein-Westfalen', city: 'Köln' };

/** More devices and audit entries than one batch of a copy holds. */
export const large = { devices: 400, lines: 1_000 };

/** With names in many scripts, and gaps where rows were removed. */
export async function fillStore(
  store: Store,
  email: string,
  size = { devices: 3, lines: 20 },
): Promise<Filled> {
  const account = newAccount(random, email, 'https://help.example.com', store.now());
  const { accountId, memberId: ownerId } = await must(store, 'accounts/create', account.input);
  const link = { digest: digestOf(random.token()), expireTime: store.now() + 600 };
  const { id: technician } = await must(store, 'members/invite', {
    accountId,
    email: 'Ольга@example.com',
    link,
  });
  const { key } = newKey(random, 'Schlüssel 🔑', store.now() + 900);
  await must(store, 'keys/create', {
    accountId,
    memberId: technician,
    key: { ...key, networks: ['10.0.0.0/8'] },
  });
  const { id: groupId } = await must(store, 'groups/create', { accountId, name: 'Büro %_' });
  const agents = await Promise.all(
    Array.from({ length: size.devices }, (_, at) =>
      addAgent(store, accountId, at % 2 === 0 ? groupId : null, at),
    ),
  );
  await must(store, 'directories/create', { accountId, by: ownerId, ...someDirectory });
  await fillProvisioning(store, { accountId, memberId: ownerId });
  await must(store, 'webhooks/create', someWebhook(accountId, { name: 'Café' }));
  await fillTeam(store, { accountId, ownerId, technician, groupId, agents });
  const links = await fillConnections(store, { accountId, ownerId, agents }, size.lines);
  await fillPanel(store, { accountId, memberId: ownerId });
  await fillNotifications(store, { accountId, memberId: ownerId });
  await addAgent(store, accountId, null, size.devices);
  const { id: removedGroup } = await must(store, 'groups/create', { accountId, name: 'gone' });
  await must(store, 'groups/remove', { accountId, id: removedGroup });
  return { accountId, ownerId, apiKey: account.apiKey, links, removedGroup };
}

/** A brand, a sign-in, a pending action, and every credential of a member. */
async function fillPanel(store: Store, memberRef: { accountId: number; memberId: number }): Promise<void> {
  const { accountId, memberId } = memberRef;
  const of = `${accountId}-${memberId}`;
  await must(store, 'brands/update', { accountId, name: 'Größe ✓', accent: '#1f6feb' });
  const session = { digest: `cookie ${of}`, address: '192.0.2.1', userAgent: 'Browser ✓' };
  await must(store, 'panel/sessions/open', { ...memberRef, session });
  const step = { digest: `step ${of}`, kind: 'code', challenge: '', tries: 2 } as const;
  await must(store, 'panel/steps/begin', { ...step, members: [memberRef], expireTime: store.now() + 60 });
  await must(store, 'factors/totp/begin', { ...memberRef, secret: 'secret' });
  await must(store, 'factors/totp/confirm', {
    ...memberRef,
    secret: 'secret',
    step: 1,
    recovery: ['one', 'two'],
  });
  const passkey = { credential: `key ${of}`, publicKey: 'k', counter: 1, transports: [], name: 'Öl ✓' };
  await must(store, 'factors/passkey/add', { ...memberRef, ...passkey });
}

const addAgent = async (
  store: Store,
  accountId: number,
  groupId: number | null,
  at: number,
): Promise<number> => {
  const { id } = await must(store, 'agents/add', {
    accountId,
    deviceIds: Array.from({ length: 5 }, () => Number(random.digits(9))),
    name: `機器 ${at} “Größe” \\ '; --`,
    groupId,
    secret: random.token(),
    os: 'linux',
    geo: place,
    addresses: ['192.0.2.7', 'fe80::1'],
    hardware: JSON.stringify(emptyHardware),
  });
  return id;
};

interface Team {
  accountId: number;
  ownerId: number;
  technician: number;
  groupId: number;
  agents: number[];
}

async function fillTeam(
  store: Store,
  { accountId, ownerId: by, technician, groupId, agents }: Team,
): Promise<void> {
  const role = { accountId, description: 'Zeile 1\nZeile 2', permissions: [] };
  const onDevice = await must(store, 'roles/create', { ...role, name: 'Gerät', type: 'agent' });
  const onGroup = await must(store, 'roles/create', { ...role, name: 'Gruppe', type: 'group' });
  const { id } = await must(store, 'departments/create', { accountId, name: 'Отдел', worker: true });
  const email = 'Ольга@example.com';
  await must(store, 'departments/member-add', { accountId, by, id, email });
  await fillProvider(store, { accountId, by, departmentId: id });
  const [first] = agents as [number];
  await must(store, 'access/add', { accountId, by, holder: { email }, roleId: onDevice.id, agentId: first });
  const asked = { accountId, memberId: by, roleId: onDevice.id, agentId: first };
  await must(store, 'requests/create', { ...asked, reason: 'why', minutes: 5 });
  await must(store, 'access/add', {
    accountId,
    by,
    holder: { departmentId: id },
    roleId: onGroup.id,
    groupId,
  });
  await must(store, 'agents/favor', { accountId, memberId: technician, id: first, favorite: true });
  const token = { digest: digestOf(random.token()), groupId, uses: 2, expireTime: store.now() + 600 };
  await must(store, 'enroll/create', { accountId, memberId: technician, ...token });
  await must(store, 'server/identity', { privateKey: 'private', publicKey: 'public' });
  await must(store, 'bus/keys', { fresh: 'secret' });
  await must(store, 'nodes/join', { id: 'n1', hasBus: true, shared: {}, aliveUntil: store.now() + 20 });
  await must(store, 'updates/settings', { accountId, enabled: true, groups: [groupId] });
  await must(store, 'updates/pin', { accountId, id: first, pin: '1.4.2' });
  const permanent = { enable: true, url: `desk-${accountId}`, password: 'scrypt$…' };
  await must(store, 'agents/update', { accountId, by, id: first, permanent });
  await must(store, 'presence/renew', { node: 'n1', agents: [{ id: first }], leaseUntil: store.now() + 30 });
}

type Connections = Pick<Team, 'accountId' | 'ownerId' | 'agents'>;

async function fillConnections(store: Store, from: Connections, lines: number): Promise<Filled['links']> {
  const { accountId, ownerId: memberId } = from;
  const links = await addLinks(store, from);
  await must(store, 'usage/request', { accountId, limit: 10 });
  await addSessions(store, from);
  const author = { accountId, memberId, email: 'ann@example.com', address: '192.0.2.1' };
  const line = { ...author, operation: 'agents/wake' };
  await Promise.all(
    Array.from({ length: lines }, (_, at) =>
      store.change('audit/append', { accountId, outcome: 'done' }, { ...line, input: `{"at":${at}}` }),
    ),
  );
  return links;
}

async function addLinks(
  store: Store,
  { accountId, ownerId: memberId, agents }: Connections,
): Promise<Filled['links']> {
  const links = { used: random.token(), unused: random.token() };
  const agentId = agents[0]!;
  for (const code of Object.values(links))
    await must(store, 'links/add', {
      accountId,
      memberId,
      origin: 'api',
      agentId,
      invitationId: null,
      video: true,
      digest: digestOf(code),
      expireTime: store.now() + 3_000,
    });
  await must(store, 'links/consume', { digest: digestOf(links.used) });
  await must(store, 'links/consume-onetime', { accountId, agentId, memberId, window: 4_000_000_000 });
  return links;
}

/** A recorded session with a device, and one with the client of an invitation. */
async function addSessions(
  store: Store,
  { accountId, ownerId: memberId, agents }: Connections,
): Promise<void> {
  const { id: invitationId } = await must(store, 'invitations/create', {
    accountId,
    memberId,
    clientName: 'Zoë',
    codes: [random.digits(9), random.digits(9)],
    connectToken: random.token(),
  });
  const session = { accountId, memberId, login: 'ann', userAgent: 'x', geo: place, start: store.now() };
  const withDevice = { ...session, agentId: agents[0]!, invitationId: null };
  const { id: sessionId } = await must(store, 'sessions/start', withDevice);
  await recordSession(store, { accountId, sessionId });
  const keys = { privateKey: random.token(), publicKey: random.token() };
  await must(store, 'recordings/keys', { account: accountId, keys });
  await must(store, 'sessions/start', { ...session, agentId: null, invitationId });
}

/** Attached files have no change of their own yet. */
export const attachFile = (fixture: AdminFixture, accountId: number): Promise<SqlRow[]> =>
  fixture.sql(`insert into attached_file (account_id, agent_id, name, size, digest, create_time)
    select account_id, min(id), 'Anlage.pdf', 5000000000, 'ab', 1800000000 from agent
    where account_id = ${accountId} group by account_id`);
