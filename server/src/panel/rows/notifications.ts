/** Notifications of the signed-in person. One function per row of contract/panel/notifications.ts. */
import { fault } from '@drawbridge/contract/faults';
import type { notifications as table } from '@drawbridge/contract/panel/notifications';
import {
  agentScope,
  invitationScope,
  mayAgent,
  mayGroup,
  mayTeam,
  type Actor,
} from '../../domain/people/access.ts';
import type { AccessRequestRecord } from '../../domain/people/access-requests.ts';
import { notificationTitle } from '../../domain/notifications/notification-text.ts';
import {
  defaultMailKinds,
  maxSubscriptions,
  notificationViewer,
} from '../../domain/notifications/notifications.ts';
import type {
  NamedSubscription,
  NotificationRecord,
} from '../../store/notifications/notification-records.ts';
import type { PanelContext, PanelHandlers } from '../handler.ts';

const memberRefOf = ({ accountId, memberId }: Actor) => ({ accountId, memberId });

const isEmpty = (scope: ReturnType<typeof agentScope>): boolean =>
  scope !== 'all' && scope.agentIds.length + scope.groupIds.length === 0;

/** A subscription whose permission was lost reports nothing, and does not reveal what it was for. */
function toSubscriptionView(actor: Actor, subscription: NamedSubscription) {
  const { id, agentId, groupId, deviceGroupId, kinds, minutes, name } = subscription;
  const isSilent =
    agentId === null
      ? groupId !== null && !mayGroup(actor, 'agent_notification', groupId)
      : !mayAgent(actor, 'agent_notification', { id: agentId, groupId: deviceGroupId });
  const target: 'device' | 'group' | 'all' =
    agentId === null ? (groupId === null ? 'all' : 'group') : 'device';
  return {
    id,
    agent_id: isSilent ? 0 : (agentId ?? 0),
    group_id: isSilent ? 0 : (groupId ?? 0),
    target,
    name: isSilent ? '' : name,
    silent: isSilent,
    kinds: [...kinds],
    minutes,
  };
}

const toView = (record: NotificationRecord) => ({
  id: record.id,
  kind: record.kind,
  time: record.time,
  read: record.read,
  title: notificationTitle(record),
  count: record.count,
  devices: record.subjects.flatMap(({ agentId, name }) => (agentId === null ? [] : { id: agentId, name })),
});

const none = { total: 0, data: [] };

/** The list of requests, and the command line, have the others. */
const shownWaiting = 20;

const toRequestView = ({ id, email, role, agent, group, reason, createTime: time }: AccessRequestRecord) => ({
  id,
  email,
  role,
  target: agent ?? group ?? '',
  reason,
  time,
});

/** For a person who may decide about them. They are read as they are now, so a decided one is gone at once. */
async function requestsOfOthers(
  actor: Actor,
  filter: { state: 'waiting' | 'approved'; emergency?: boolean },
  { store }: PanelContext,
): Promise<{ total: number; requests: AccessRequestRecord[] }> {
  if (!mayTeam(actor, 'team_user_admin')) return { total: 0, requests: [] };
  const page = { exceptMemberId: actor.memberId, offset: 0, limit: shownWaiting };
  return store.requests.list(actor.accountId, { ...filter, ...page });
}

async function waitingRequests(actor: Actor, context: PanelContext) {
  const { total, requests } = await requestsOfOthers(actor, { state: 'waiting' }, context);
  return { total, data: requests.map(toRequestView) };
}

/** Access that others took in an emergency, until it ends. */
async function emergencies(actor: Actor, context: PanelContext) {
  const filter = { state: 'approved', emergency: true } as const;
  const { total, requests } = await requestsOfOthers(actor, filter, context);
  return { total, data: requests.map((each) => ({ ...toRequestView(each), until: each.until! })) };
}

/** Sessions on devices with four eyes: anybody with some permission on the device can be the second person, except the operator. */
async function waitingApprovals(actor: Actor, { store }: PanelContext) {
  const filter = { scope: agentScope(actor), exceptMemberId: actor.memberId, limit: shownWaiting };
  const { total, waiting } = await store.approvals.waiting(actor.accountId, filter);
  const data = waiting.map(({ sessionId, agentId, login, ...each }) => ({
    ...each,
    id: sessionId,
    agent_id: agentId,
    operator: login,
  }));
  return { total, data };
}

export const notificationHandlers: PanelHandlers<typeof table> = {
  notifications: async ({ actor, input: { before, limit } }, context) => {
    const { store } = context;
    const viewer = notificationViewer(actor);
    const isFirst = before === undefined;
    const found = await store.notifications.list(viewer, { before, limit: limit + 1 });
    return {
      data: found.slice(0, limit).map(toView),
      unread: await store.notifications.unread(viewer),
      more: found.length > limit,
      requests: isFirst ? await waitingRequests(actor, context) : none,
      emergencies: isFirst ? await emergencies(actor, context) : none,
      approvals: isFirst ? await waitingApprovals(actor, context) : none,
    };
  },

  'notifications/read': async ({ actor, input, change }) =>
    change('notifications/read', { ...memberRefOf(actor), ids: input.ids, upTo: input.up_to }),

  'notifications/subscriptions': async ({ actor }, { store }) => {
    const found = await store.notifications.subscriptions(memberRefOf(actor));
    return { data: found.map((each) => toSubscriptionView(actor, each)), limit: maxSubscriptions };
  },

  'notifications/subscribe/device': async ({ actor, granted: [agent], input, change }) =>
    change('notifications/subscribe', {
      ...memberRefOf(actor),
      agentId: agent.id,
      groupId: null,
      kinds: input.kinds,
      minutes: input.minutes,
    }),

  'notifications/subscribe/group': async ({ actor, granted: [group], input, change }) =>
    change('notifications/subscribe', {
      ...memberRefOf(actor),
      agentId: null,
      groupId: group.id,
      kinds: input.kinds,
      minutes: input.minutes,
    }),

  'notifications/subscribe/all': async ({ actor, input, change }) => {
    const { kinds, minutes } = input;
    if (kinds.includes('client_waits') && invitationScope(actor) === 'none')
      return fault('forbidden', {
        field: 'kinds',
        message: 'client_waits needs the permission quick_support_admin.',
      });
    if (kinds.some((kind) => kind !== 'client_waits') && isEmpty(agentScope(actor, 'agent_notification')))
      return fault('forbidden', { field: 'kinds', message: 'This needs the permission agent_notification.' });
    return change('notifications/subscribe', {
      ...memberRefOf(actor),
      agentId: null,
      groupId: null,
      kinds,
      minutes,
    });
  },

  'notifications/unsubscribe': async ({ actor, input, change }) =>
    change('notifications/unsubscribe', { ...memberRefOf(actor), id: input.id }),

  'notifications/settings': async ({ actor }, { store }) => ({
    mail: [...((await store.notifications.mailKinds(memberRefOf(actor))) ?? defaultMailKinds)],
  }),

  'notifications/settings/update': async ({ actor, input, change }) =>
    change('notifications/settings', { ...memberRefOf(actor), mail: [...new Set(input.mail)] }),
};
