/** Team: webhooks. One function per row of contract/src/v1/webhooks.ts. */
import { fault, isFault } from '@drawbridge/contract/faults';
import type { Input, Output } from '@drawbridge/contract/operation';
import type { webhooks as table } from '@drawbridge/contract/v1/webhooks';
import {
  secretOverlap,
  testMessage,
  toWebhookSecret,
  type ChangedWebhook,
  type WebhookSettings,
} from '../../domain/webhooks.ts';
import type { Handlers } from '../handler.ts';

type Problem = Output<(typeof table)['team/webhook/test']>['data']['problem'];

export const webhookHandlers: Handlers<typeof table> = {
  'team/webhook/list': async ({ actor: { accountId } }, { store, now }) => ({
    data: (await store.webhooks.list(accountId)).map((webhook) => ({
      id: webhook.id,
      name: webhook.name,
      url: webhook.url,
      ca_cert: webhook.ca,
      events: [...webhook.events],
      enabled: webhook.enabled,
      create_time: webhook.createTime,
      problem: webhook.problem as Problem,
      http_status: webhook.httpStatus,
      ...(webhook.lastTime !== null && { last_time: webhook.lastTime }),
      waiting: webhook.waiting,
      ...(webhook.nextTime !== null && { next_time: webhook.nextTime }),
      ...(webhook.failingSince !== null && { failing_since: webhook.failingSince }),
      lost: webhook.lost,
      ...(webhook.disabledTime !== null && { disabled_time: webhook.disabledTime }),
      ...(webhook.oldUntil > now() && { old_until: webhook.oldUntil }),
    })),
  }),

  'team/webhook/create': async ({ actor: { accountId }, input, change }, { random }) => {
    const secret = toWebhookSecret(random.apiKey());
    const outcome = await change('webhooks/create', { accountId, secret, settings: toSettings(input) });
    return isFault(outcome) ? outcome : { id: outcome.id, secret };
  },

  'team/webhook/update': async ({ actor: { accountId }, input: { id, ...input }, change }) =>
    change('webhooks/update', { accountId, id, settings: toSettings(input) }),

  'team/webhook/renew': async ({ actor: { accountId }, input: { id }, change }, { random, now }) => {
    const secret = toWebhookSecret(random.apiKey());
    const oldUntil = now() + secretOverlap;
    const outcome = await change('webhooks/renew', { accountId, id, secret, oldUntil });
    return isFault(outcome) ? outcome : { secret, old_until: oldUntil };
  },

  'team/webhook/remove': async ({ actor: { accountId }, input: { id }, change }) =>
    change('webhooks/remove', { accountId, id }),

  'team/webhook/test': async ({ actor: { accountId }, input }, { store, sendWebhook, now, random }) => {
    const target = await store.webhooks.target(accountId, input.id);
    if (!target) return fault('not_found', { field: 'id' });
    const { problem, httpStatus } = await sendWebhook(target, testMessage(now(), random.digits(9)));
    return { data: { problem, http_status: httpStatus } };
  },
};

type WholeSettings = Input<(typeof table)['team/webhook/create']>;
type SettingsInput = Omit<Input<(typeof table)['team/webhook/update']>, 'id'>;

function toSettings(input: WholeSettings): WebhookSettings;
function toSettings(input: SettingsInput): ChangedWebhook;
function toSettings({ name, url, ca_cert: ca, events, enabled }: SettingsInput): ChangedWebhook {
  return { name, url, ca, events, enabled };
}
