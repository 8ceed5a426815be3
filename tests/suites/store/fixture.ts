/** An account in a bare store, and short functions that fill it. */
import { randomBytes } from 'node:crypto';
import { emptyHardware } from '@drawbridge/contract/empty-hardware';
import { webhookEvents } from '@drawbridge/contract/choices';
import type { WebhookSettings } from '@drawbridge/server/domain/webhooks';
import type { ProviderSettings } from '@drawbridge/server/domain/people/provider';
import type { Permission, RoleType } from '@drawbridge/contract/permissions';
import { newAccount, newKey } from '@drawbridge/server/compose/create-account';
import { random, digestOf } from '@drawbridge/server/edges/random';
import type { DeviceReport, ChangeInput } from '@drawbridge/server/store/changes';
import type { NewAgent } from '@drawbridge/server/store/records';
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../../kit/server/account.ts';
import type { Sql } from './test-store.ts';

/** What the parts of the suite receive: an open store with recorded use, on one of the databases. */
export interface StoreFixture {
  store: Store;
  sql: Sql;
  advance(seconds: number): void;
}

export interface StorePerson {
  id: number;
  email: string;
}

export const unique = (): string => randomBytes(6).toString('hex');

/** A key that can be found under the digest. */
export const newApiKey = (): ChangeInput<'keys/create'>['key'] => newKey(random, 'a key').key;

/** The digest of a unique code. */
export const someDigest = (): string => digestOf(unique());

/** What a device reports of itself when it connects, and its address. */
export const arrival = {
  facts: {
    name: 'laptop',
    os: 'linux',
    os_user: 'ann',
    version: '1.2',
    rdp: true,
    hibernate: true,
    power_supply: true,
    installed: true,
    addresses: ['10.0.0.5'],
  },
  fingerprint: { machine_id: 'm-1', serial: 'S-1', macs: ['02:00:00:00:00:01', '02:00:00:00:00:02'] },
  geo: { ip: '192.0.2.7', country: 'NL', region: 'Utrecht', city: 'Utrecht' },
} satisfies DeviceReport;

export type StoreAccount = Awaited<ReturnType<typeof openAccount>>;

/** A directory as it is created. */
export const someDirectory = {
  bindPassword: 'secret',
  settings: {
    name: 'Company',
    url: 'ldaps://directory.example.com',
    ca: '',
    bindDn: 'cn=reader,dc=example',
    base: 'dc=example',
    personFilter: '(objectClass=person)',
    groupFilter: '(objectClass=groupOfNames)',
    adopt: false,
    signIn: false,
    everyMinutes: 0,
    removalPercent: 100,
  },
};

/** An identity provider as it is created. */
export const someProvider = {
  issuer: 'https://id.example.com',
  clientSecret: 'secret',
  settings: {
    name: 'Company',
    ca: '',
    clientId: 'drawbridge',
    scopes: 'openid email',
    groupsClaim: 'groups',
    createPeople: true,
    adopt: true,
    enabled: true,
  },
};

/** A webhook as it is created. */
export const someWebhook = (accountId: number, settings: Partial<WebhookSettings> = {}) => ({
  accountId,
  secret: 'whsec_AAAA',
  settings: {
    name: 'Chat',
    url: 'https://hooks.example.com',
    ca: '',
    events: webhookEvents,
    enabled: true,
    ...settings,
  },
});

interface AccountScope {
  store: Store;
  accountId: number;
  owner: StorePerson;
}

export async function openAccount(store: Store) {
  const { input } = newAccount(random, `owner-${unique()}@example.com`, 'https://localhost', store.now());
  const { accountId, memberId } = await must(store, 'accounts/create', input);
  const owner: StorePerson = { id: memberId, email: input.email };
  const scope: AccountScope = { store, accountId, owner };
  return {
    accountId,
    owner,
    keyDigest: input.key.digest,
    signInDigest: input.signIn.digest,
    ...teamOf(scope),
    ...identityOf(scope),
    ...devicesOf(scope),
    ...supportOf(scope),
  };
}

const teamOf = ({ store, accountId, owner: { id: by } }: AccountScope) => ({
  /** An invited member. */
  async member(email = `tech-${unique()}@example.com`): Promise<StorePerson> {
    const link = { digest: someDigest(), expireTime: store.now() + 600 };
    return { id: (await must(store, 'members/invite', { accountId, email, link })).id, email };
  },

  role: async (type: RoleType, permissions: readonly Permission[], name = `role ${unique()}`) =>
    (await must(store, 'roles/create', { accountId, name, type, description: '', permissions })).id,

  group: async (name = `group ${unique()}`, order?: number) =>
    (await must(store, 'groups/create', { accountId, name, order })).id,

  department: async (name = `department ${unique()}`) =>
    (await must(store, 'departments/create', { accountId, name, worker: false })).id,

  join: (departmentId: number, { email }: StorePerson) =>
    must(store, 'departments/member-add', { accountId, by, id: departmentId, email }),

  /** Grants a role as the owner. */
  grant: (
    holder: ChangeInput<'access/add'>['holder'],
    roleId: number,
    on: { agentId?: number; groupId?: number } = {},
  ) => must(store, 'access/add', { accountId, by, holder, roleId, ...on }),
});

/** Where people come from. */
const identityOf = ({ store, accountId, owner: { id: by } }: AccountScope) => ({
  directory: async () => (await must(store, 'directories/create', { accountId, by, ...someDirectory })).id,

  provider: async (settings: Partial<ProviderSettings> = {}) =>
    (
      await must(store, 'providers/create', {
        accountId,
        by,
        ...someProvider,
        signInName: unique(),
        settings: { ...someProvider.settings, ...settings },
      })
    ).id,

  /** The token of an identity provider, created by the owner or by somebody else. */
  scimToken: async (memberId = by) =>
    (
      await must(store, 'scim/token-create', {
        accountId,
        memberId,
        token: { digest: someDigest(), prefix: 'abcdef', name: 'Okta', expireTime: null },
      })
    ).id,
});

const devicesOf = ({ store, accountId, owner }: AccountScope) => ({
  agent: (given: Partial<NewAgent> = {}) =>
    must(store, 'agents/add', {
      accountId,
      deviceIds: Array.from({ length: 5 }, () => Number(random.digits(9))),
      name: `device ${unique()}`,
      groupId: null,
      secret: random.token(),
      os: 'linux',
      hardware: JSON.stringify(emptyHardware),
      ...given,
    }),

  agentOf: async (id: number, viewer = owner) =>
    store.agents.find({ accountId, memberId: viewer.id }, { id }),
});

const supportOf = ({ store, accountId, owner }: AccountScope) => ({
  invitation: (given: Partial<ChangeInput<'invitations/create'>> = {}) =>
    must(store, 'invitations/create', {
      accountId,
      memberId: owner.id,
      clientName: '',
      codes: Array.from({ length: 5 }, () => random.digits(9)),
      connectToken: random.token(),
      ...given,
    }),

  /** A single-use link; its digest. */
  async link(given: Partial<ChangeInput<'links/add'>> = {}): Promise<string> {
    const digest = given.digest ?? someDigest();
    const to = { agentId: null, invitationId: null, video: null, ...given };
    const expireTime = given.expireTime ?? store.now() + 300;
    const whose = { memberId: owner.id, origin: 'api' } as const;
    await must(store, 'links/add', { accountId, ...whose, ...to, digest, expireTime });
    return digest;
  },

  session: async (given: Partial<ChangeInput<'sessions/start'>> = {}) =>
    (
      await must(store, 'sessions/start', {
        accountId,
        memberId: owner.id,
        agentId: null,
        invitationId: null,
        start: store.now(),
        login: owner.email,
        userAgent: 'a browser',
        geo: arrival.geo,
        ...given,
      })
    ).id,
});
