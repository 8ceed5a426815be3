/** Single sign-on, provisioning and webhooks of the fictional firm. */
import { webhookEvents, type WebhookEvent } from '@drawbridge/contract/choices';
import { digestOf } from '@drawbridge/server/edges/random';
import { must } from '../../../tests/kit/server/account.ts';
import type { FirmContext } from './past.ts';
import { ben, clara, gita, owner, type Staff } from './people.ts';

const day = 86_400;

/** The identity provider of the firm, whose group belongs to a department, and the people who use it. */
export async function addFirmProvider(
  { service, account, members }: FirmContext,
  { departments }: Staff,
): Promise<number> {
  const { store } = service.server;
  const accountId = account.id;
  const by = account.owner.id;
  const { id } = await must(store, 'providers/create', {
    accountId,
    by,
    issuer: 'https://id.brightwater.example/realms/staff',
    clientSecret: 'secret',
    signInName: 'k7mqd-2fxhr',
    settings: {
      name: 'Company sign-in',
      ca: '',
      clientId: 'drawbridge',
      scopes: 'openid email profile',
      groupsClaim: 'groups',
      createPeople: true,
      adopt: false,
      enabled: true,
    },
  });
  const mapping = { accountId, by, id, group: 'service-desk' };
  await must(store, 'providers/group-add', { ...mapping, departmentId: departments['Service desk']! });
  for (const email of [owner, ben, clara]) {
    const person = { subject: email, email, emailVerified: true, groups: [] };
    await must(store, 'providers/link', { accountId, memberId: members[email]!, id, person });
  }
  return id;
}

/** A token, with which the identity provider has added a person and a department. */
export async function addFirmToken({ service, account }: FirmContext, now: number): Promise<void> {
  const { store } = service.server;
  const accountId = account.id;
  const token = { digest: digestOf('scim'), prefix: 'tW3nXc', name: 'Okta', expireTime: now + 352 * day };
  const { id } = await must(store, 'scim/token-create', { accountId, memberId: account.owner.id, token });
  const caller = { accountId, tokenId: id };
  const added = { userName: gita, externalId: null, email: gita, active: true, profile: {} };
  const person = await must(store, 'scim/user-create', {
    ...caller,
    content: { ...added, name: 'Gita Rao' },
  });
  const members = [{ kind: 'add', ids: [person.id] }] as const;
  await must(store, 'scim/group-create', { ...caller, edit: { name: 'Night duty', members } });
  await must(store, 'scim/token-used', { accountId, id });
}

/** A webhook that tells the chat of the firm, and one for its tickets that is off. */
export async function addFirmWebhooks({ service, account }: FirmContext): Promise<void> {
  const { store } = service.server;
  const add = (name: string, host: string, events: readonly WebhookEvent[], enabled: boolean) =>
    must(store, 'webhooks/create', {
      accountId: account.id,
      secret: 'never shown',
      settings: { name, url: `https://${host}/drawbridge`, ca: '', events, enabled },
    });
  await add('Service desk chat', 'chat.brightwater.example', webhookEvents, true);
  await add('Tickets', 'tickets.brightwater.example', ['emergency_access'], false);
}
