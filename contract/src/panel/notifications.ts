/** Notifications: what a person subscribes to, how they are notified, and what they were notified of. */
import * as z from 'zod';
import {
  deviceNotificationKinds,
  groupNotificationKinds,
  notificationKinds,
  type NotificationKind,
} from '../choices.ts';
import { flag, id, number, unixtime } from '../fields.ts';
import { list } from '../list.ts';
import { agent, emptyObject, group } from '../operation.ts';
import { panelRows, status } from './row.ts';

const minutes = z
  .int('must be a whole number from 1 to 1440')
  .min(1)
  .max(1_440)
  .default(5)
  .describe('How long a device must be offline before `offline` and `back` are reported');
const kindsOf = <const Kinds extends readonly NotificationKind[]>(kinds: Kinds) =>
  list(z.enum(kinds), { max: notificationKinds.length })
    .default(['offline', 'back'] as never)
    .describe('What to report; an empty list mutes what a wider subscription would report');

const subscription = z.object({
  id,
  agent_id: number.describe('0 if it is not for one device, or you may no longer subscribe to it'),
  group_id: number.describe('0 if it is not for one group, or you may no longer subscribe to it'),
  target: z.enum(['device', 'group', 'all']),
  name: z.string().describe('The name of the device or group; empty for `all`, and if it is silent'),
  silent: flag.describe('True if you no longer have the permission: nothing is reported then'),
  kinds: z.array(z.enum(notificationKinds)),
  minutes: number,
});

const notification = z.object({
  id,
  kind: z.enum(notificationKinds),
  time: unixtime,
  read: flag,
  title: z.string(),
  count: number.describe('How many devices or clients it is about'),
  devices: z.array(z.object({ id, name: z.string() })).describe('Some of the devices it is about'),
});

const waitingRequest = z.object({
  id,
  email: z.string().describe('Who asks'),
  role: z.string(),
  target: z.string().describe('The name of the device or group'),
  reason: z.string(),
  time: unixtime,
});

/** What waits for a decision, as long as it waits. It is not marked as read. */
const waitingRequests = z.object({
  total: number,
  data: z.array(waitingRequest).describe('The newest 20'),
});

/** Access that others took in an emergency, as long as it lasts. */
const emergencies = z.object({
  total: number,
  data: z
    .array(waitingRequest.extend({ until: unixtime.describe('When it ends') }))
    .describe('The newest 20'),
});

/** Sessions on devices with four eyes, as long as they wait. Approvers sign with the command line, never here. */
const waitingApprovals = z.object({
  total: number,
  data: z
    .array(
      z.object({
        id: id.describe('The session'),
        agent_id: id,
        device: z.string(),
        operator: z.string().describe('Who wants to connect; empty if they used the password of the device'),
        reason: z.string(),
        permissions: z.array(z.string()),
        record: flag.describe('Whether the session is recorded'),
        until: unixtime.describe('Until when it waits'),
      }),
    )
    .describe('The newest 20'),
});

const idOutput = z.object({ id });

export const notifications = panelRows({
  notifications: {
    method: 'GET',
    who: 'member',
    says: 'List your notifications, newest first, as far as you may still see what they are about.',
    input: z.object({
      before: id.optional().describe('Only those older than this one'),
      limit: z.int().min(1).max(100).default(50).describe('How many to return at the most'),
    }),
    output: z.object({
      data: z.array(notification),
      unread: number,
      more: flag,
      requests: waitingRequests.describe(
        'Requests for access of others that you may decide about; empty on pages after the first',
      ),
      emergencies: emergencies.describe(
        'Emergency access of others that you could have approved; empty on pages after the first',
      ),
      approvals: waitingApprovals.describe(
        'Sessions of others that wait for a second person on devices that you see; empty on pages after the first',
      ),
    }),
    needs: [],
    status,
  },
  'notifications/read': {
    method: 'POST',
    who: 'member',
    says: 'Mark notifications as read: those named, or all up to one.',
    input: z
      .object({ ids: list(id, { min: 1, max: 100 }), up_to: id })
      .partial()
      .refine((given) => (given.ids === undefined) !== (given.up_to === undefined), {
        message: 'exactly one of ids and up_to is needed',
        path: ['ids'],
      }),
    output: emptyObject,
    needs: [],
    status,
  },
  'notifications/subscriptions': {
    method: 'GET',
    who: 'member',
    says: 'List your subscriptions, oldest first.',
    input: emptyObject,
    output: z.object({ data: z.array(subscription), limit: number }),
    needs: [],
    status,
  },
  'notifications/subscribe/device': {
    method: 'POST',
    who: 'member',
    says: 'Subscribe to a device, or change the subscription.',
    input: z.object({ agent_id: id, kinds: kindsOf(deviceNotificationKinds), minutes }),
    output: idOutput,
    needs: [agent('agent_notification', { id: 'agent_id' })],
    status,
  },
  'notifications/subscribe/group': {
    method: 'POST',
    who: 'member',
    says: 'Subscribe to the devices of a group, or change the subscription.',
    input: z.object({ group_id: id, kinds: kindsOf(groupNotificationKinds), minutes }),
    output: idOutput,
    needs: [group('agent_notification', 'group_id')],
    status,
  },
  'notifications/subscribe/all': {
    method: 'POST',
    who: 'member',
    says: 'Subscribe to every device with `agent_notification` and to your clients, or change the subscription.',
    input: z.object({ kinds: kindsOf(notificationKinds), minutes }),
    output: idOutput,
    needs: [],
    status,
  },
  'notifications/unsubscribe': {
    method: 'POST',
    who: 'member',
    says: 'End a subscription of yours.',
    input: z.object({ id }),
    output: emptyObject,
    needs: [],
    status,
  },
  'notifications/settings': {
    method: 'GET',
    who: 'member',
    says: 'Show which notifications you also receive by e-mail.',
    input: emptyObject,
    output: z.object({ mail: z.array(z.enum(notificationKinds)) }),
    needs: [],
    status,
  },
  'notifications/settings/update': {
    method: 'POST',
    who: 'member',
    says: 'Choose which notifications you also receive by e-mail.',
    input: z.object({
      mail: list(z.enum(notificationKinds), {
        max: notificationKinds.length,
      }),
    }),
    output: emptyObject,
    needs: [],
    status,
  },
});
