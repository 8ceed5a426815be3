/**
 * The setup of the fuzz: accounts with members of every kind, and ids of things that exist, existed or never
 * did.
 */
import { randomBytes } from 'node:crypto';
import { fromBase64url, signedBytes, toBase64url, withSignature } from '@drawbridge/contract/session/signed';
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { createDeviceKey, type DeviceKey } from '@drawbridge/agent/uplink/keys';
import { loadIdentity } from '@drawbridge/server/gateway/devices/identity';
import { hardwareWith, must, type TestPerson, type TestAccount } from '../kit/server/account.ts';
import { createEnrolToken } from '../kit/server/enrolment.ts';
import type { TestService } from '../kit/server/service.ts';
import { openSignedInPanel } from '../kit/server/panel.ts';

export interface FuzzFixture {
  /** Keys of members who may do everything, something and nothing, and invalid keys. */
  keys: readonly string[];
  /** The key of the owner, for requests that must not fail for lack of permission. */
  ownerKey: string;
  /** Ids and addresses by the kind of thing they name. They grow by what the fuzz itself creates. */
  things: Record<FixtureKind, (number | string)[]>;
  /** Values that fit fields of these names, where only few do. */
  secrets: Record<string, readonly string[]>;
  /** The last parts of addresses that people are sent. */
  links: readonly string[];
  origin: string;
  /** Those who are signed in at the panel. */
  people: { cookie: string; csrf: string }[];
  /** Signs one of them in again, because what they sent may have signed them out. */
  comeBack(who: number): Promise<void>;
  /** Devices that may enrol, or have already enrolled. */
  devices: readonly DeviceKey[];
  /** A ticket for the relay with this text in it, signed by the server. */
  ticket(text: string): string;
}

export type FixtureKind =
  | 'agent'
  | 'device'
  | 'group'
  | 'role'
  | 'department'
  | 'connection'
  | 'key'
  | 'email';

const devices = 150;

export async function createFuzzFixture(service: TestService): Promise<FuzzFixture> {
  const [account, other] = [await service.account(), await service.account()];
  const limited = await createLimitedAccount(service);
  const groups = [await account.group(), await account.group(), await other.group()];
  const hardware = hardwareWith({ ComputerIP: ['10.0.0.1'] });
  const agents = await Promise.all(
    Array.from({ length: devices }, (_, at) => account.agent({ groupId: groups[at % 2]!, hardware })),
  );
  agents.push(await other.agent());
  const people = await createMembers(account, groups[0]!, agents[0]!.id);
  const gone = await account.key(people[0]!, { expireTime: 1 });
  const secretOfAll = parseEnrolmentToken(await createEnrolToken(account.owner, { uses: 1_000 }))!.secret;
  const links = await linksOf(account, agents[0]!.id);
  const guests = Array.from({ length: 5 }, (_, at) => `guest-${at}@example.com`);
  const { apiKey: ownerKey } = account.owner;
  return {
    ...(await signInAll(service, account, [account.owner, ...people])),
    ticket: await signerOf(service),
    secrets: secretsOf(secretOfAll, links),
    links,
    devices: Array.from({ length: 40 }, () => createDeviceKey()),
    ownerKey,
    keys: [...people, gone, limited.owner, other.owner]
      .map((person) => person.apiKey)
      .concat('', 'x'.repeat(64)),
    things: {
      agent: agents.map(({ id }) => id),
      device: agents.map(({ deviceId }) => deviceId),
      group: groups,
      role: Array.from({ length: 20 }, (_, at) => at + 1),
      department: [await account.department(), await other.department()],
      connection: [1],
      // None of the members above may lose their key or their place: they are needed to the end.
      key: [Number.MAX_SAFE_INTEGER],
      email: guests,
    },
  };
}

/** Its plan is soon used up. */
async function createLimitedAccount(service: TestService): Promise<TestAccount> {
  const account = await service.account();
  const plan = { requests: 20, invitations: 2, computers: 0 };
  await must(service.server.store, 'plan/set', { accountId: account.id, plan });
  return account;
}

/** Members with no permissions, and with permissions of each scope. */
const createMembers = async (
  account: TestAccount,
  groupId: number,
  agentId: number,
): Promise<TestPerson[]> => [
  await account.member(),
  await account.member([{ type: 'team', permissions: ['team_user_admin', 'team_api_key'] }]),
  await account.member([{ type: 'quick_support', permissions: ['quick_support_admin', 'agent_connect'] }]),
  await account.member([{ type: 'group', permissions: ['agent_connect', 'agent_change_settings'], groupId }]),
  await account.member([{ type: 'agent', permissions: ['agent_reboot'], agentId }]),
];

async function signInAll(service: TestService, account: TestAccount, persons: readonly TestPerson[]) {
  const enter = async (person: TestPerson): Promise<FuzzFixture['people'][number]> => {
    const { cookie, csrf } = await openSignedInPanel(service, account, person);
    return { cookie: cookie!, csrf: csrf! };
  };
  const people = await Promise.all(persons.map(enter));
  return {
    people,
    origin: new URL(service.server.config.publicUrl).origin,
    async comeBack(who: number): Promise<void> {
      people[who] = await enter(persons[who]!);
    },
  };
}

/** Links that people are sent to reach a device or a client: temporary, single-use, or permanent. */
async function linksOf({ owner }: TestAccount, agentId: number): Promise<string[]> {
  const link = (await owner.call('agents/connect', { agent_id: agentId })).body['data'] as { url: string };
  const invited = (await owner.call('support/create', {})).body['data'] as Record<string, string>;
  const shown = (await owner.call('agents/info', { agent_id: agentId })).body['data'] as object;
  const urls = JSON.stringify([link, invited, shown]).match(/https:[^"]+/g) ?? [];
  return [invited['invite_code']!, ...urls.map((url) => url.slice(url.lastIndexOf('/') + 1))];
}

function secretsOf(token: string, links: readonly string[]): FuzzFixture['secrets'] {
  const some = (bytes: number): string => randomBytes(bytes).toString('base64url');
  const [key, signature] = [[some(32), some(32)], [some(64)]];
  return {
    key,
    signature,
    nonce: key,
    epoch: key,
    known: key,
    shown: key,
    pair: [some(16), some(16)],
    token: [token, some(32)],
    code: links,
    secret: [some(32)],
    picture: ['AAAA'],
    side: ['device'],
  };
}

async function signerOf({ server }: TestService): Promise<FuzzFixture['ticket']> {
  const identity = await loadIdentity(server.store);
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  return (text) => {
    const body = toBase64url(encoder.encode(text));
    return withSignature(body, fromBase64url(identity.sign(decoder.decode(signedBytes('ticket', body)))));
  };
}
