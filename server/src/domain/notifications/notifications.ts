/** Notifications: which subscription applies to a device, when a device counts as offline, and how messages are limited. */
import type { NotificationKind } from '@drawbridge/contract/choices';
import {
  agentScope,
  invitationScope,
  permissionIndex,
  type Actor,
  type AgentRef,
  type AgentScope,
  type InvitationScope,
} from '../people/access.ts';
import type { MemberRef } from '../people/panel.ts';

/** What a person subscribed to: one device, one group, or everything they may manage notifications of. */
export interface Subscription {
  id: number;
  memberId: number;
  agentId: number | null;
  groupId: number | null;
  kinds: readonly NotificationKind[];
  /** How long a device must be offline before that is reported. */
  minutes: number;
  /** When it was made or last changed. What happened before is not reported. */
  since: number;
}

/** The times that one evaluation covers, in unix seconds. */
export interface NotificationRound {
  /** Up to when the previous round evaluated. */
  from: number;
  to: number;
  /** The last time when no process evaluated; both are 0 when there was none. */
  gapFrom: number;
  gapTo: number;
}

export interface TimeWindow {
  /** Exclusive. */
  after: number;
  /** Inclusive. */
  until: number;
}

export const maxSubscriptions = 200;
export const maxNotifications = 500;
/** Seconds after which notifications are deleted. */
export const notificationLifetime = 30 * 86_400;
/** The most devices that one notification is linked to. */
export const maxLinkedItems = 100;
/** The kinds that are mailed unless the person chooses otherwise. */
export const defaultMailKinds: readonly NotificationKind[] = ['offline', 'back', 'new_device'];

/** After this many seconds without a round, the service itself was away. */
const roundGap = 30;
/** How long a process may evaluate without renewing its claim, in seconds. */
export const roundLease = 15;
/** A device is back when it has been online for this many seconds. */
export const stableAfter = 60;
/** A device is reported as offline at most once in this many seconds. */
export const flapDamping = 1_800;

/** What a person may see of their notifications. */
export interface NotificationViewer extends MemberRef {
  devices: AgentScope;
  sessions: AgentScope;
  invitations: InvitationScope;
  seesClientNames: boolean;
}

export const notificationViewer = (actor: Actor): NotificationViewer => ({
  accountId: actor.accountId,
  memberId: actor.memberId,
  devices: agentScope(actor, 'agent_notification'),
  sessions: agentScope(actor, 'agent_sessions'),
  invitations: invitationScope(actor),
  seesClientNames: actor.owner,
});

/** What one person wants to be notified of and may be. */
export interface Subscriber {
  /** The subscription that applies to a device, if the person may manage notifications of it. */
  subscriptionOf(agent: AgentRef): Subscription | undefined;
  wants(kind: NotificationKind, agent: AgentRef): boolean;
  /** Whether they want to know of the client of an invitation that this person created. */
  wantsClient(creator: number | null): boolean;
}

/** The subscription of a device applies before that of its group, and that before the one of everything. */
export function createSubscriber(actor: Actor, all: readonly Subscription[]): Subscriber {
  const [agents, groups] = [
    new Map(all.map((each) => [each.agentId, each])),
    new Map(all.map((each) => [each.agentId === null ? each.groupId : null, each])),
  ];
  const everything = all.find((each) => each.agentId === null && each.groupId === null);
  const mayManage = permissionIndex(actor, 'agent_notification');
  const maySeeSessions = permissionIndex(actor, 'agent_sessions');
  const scope = invitationScope(actor);

  const subscriptionOf = (agent: AgentRef): Subscription | undefined => {
    const ofGroup = agent.groupId === null ? undefined : groups.get(agent.groupId);
    return mayManage(agent) ? (agents.get(agent.id) ?? ofGroup ?? everything) : undefined;
  };
  return {
    subscriptionOf,
    wants: (kind, agent) =>
      (subscriptionOf(agent)?.kinds.includes(kind) ?? false) &&
      (kind !== 'session_began' || maySeeSessions(agent)),
    wantsClient: (creator) =>
      (everything?.kinds.includes('client_waits') ?? false) &&
      (scope === 'all' || (scope === 'own' && creator === actor.memberId)),
  };
}

/** A cause that waits to be reported, and the present state of what it is about. */
export interface WaitingCause {
  kind: NotificationKind;
  /** When a device was last seen before its outage; otherwise when it happened. */
  time: number;
  agent: AgentRef | null;
  online: boolean;
  seenTime: number;
  invitation: { creator: number | null; waits: boolean } | null;
}

/** What becomes of a cause that waits: reported, noted so that the return is reported, or dropped. */
export function decide(cause: WaitingCause, subscriber: Subscriber): 'tell' | 'silent' | 'drop' {
  const { kind, agent, invitation, online } = cause;
  if (kind === 'client_waits')
    return invitation?.waits && subscriber.wantsClient(invitation.creator) ? 'tell' : 'drop';
  if (!agent || (kind === 'back' && !online)) return 'drop';
  if (kind !== 'offline' || online || cause.seenTime !== cause.time)
    return kind !== 'offline' && subscriber.wants(kind, agent) ? 'tell' : 'drop';
  if (subscriber.wants('offline', agent)) return 'tell';
  return subscriber.wants('back', agent) ? 'silent' : 'drop';
}

/** The round that follows: it notices when nobody evaluated for too long. */
export function nextRound(previous: NotificationRound, now: number): NotificationRound {
  const { to: from, gapFrom, gapTo } = previous;
  if (now - from <= roundGap) return { from, to: Math.max(now, from), gapFrom, gapTo };
  // Devices that waited for the end of the earlier gap wait for the end of this one.
  const isUnfinished = gapTo > 0 && from < gapTo + maxOffline;
  return { from, to: now, gapFrom: isUnfinished ? gapFrom : from, gapTo: now };
}

/** The longest time that a subscription can wait for, in seconds. */
const maxOffline = 1_440 * 60;

/**
 * When a device that reached this many minutes offline in this round was last seen. Devices that were last seen before the
 * end of a gap count from its end.
 */
export function offlineWindows(round: NotificationRound, minutes: number): TimeWindow[] {
  const { from, to, gapFrom, gapTo } = round;
  const seconds = minutes * 60;
  const windows = [{ after: Math.max(from - seconds, gapTo), until: to - seconds }];
  if (gapTo > 0 && gapTo + seconds > from && gapTo + seconds <= to)
    windows.push({ after: gapFrom - seconds, until: gapTo });
  return windows.filter(({ after, until }) => until > after);
}

/** Whether a device that was last seen then reaches the time of the subscription in this round. */
export const isReached = (
  round: NotificationRound,
  { minutes, since }: Pick<Subscription, 'minutes' | 'since'>,
  seenTime: number,
): boolean =>
  seenTime + minutes * 60 > since &&
  offlineWindows(round, minutes).some(({ after, until }) => seenTime > after && seenTime <= until);

/** Names an outage: that of a device since it was last seen. */
export const outageCause = (agentId: number, seenTime: number): string => `offline ${agentId} ${seenTime}`;

/** When the device may be reported as offline; `lastTold` is when it last was. */
export const offlineDue = (lastTold: number | undefined, now: number): number =>
  lastTold === undefined ? now : Math.max(now, lastTold + flapDamping);

const longestWait = 1_800;

/** How many seconds causes of this kind wait for others, after this many messages of the kind in the last hour. */
function collectSeconds(kind: NotificationKind, sent: number): number {
  const isUrgent = kind === 'client_waits' || kind === 'session_began';
  const [free, first] = isUrgent ? [5, 0] : [3, 60];
  return sent < free ? first : Math.min(longestWait, 60 * 2 ** (sent - free + 1));
}

/** When the first and the last of the causes that wait became due. */
export interface DueSpan {
  oldest: number;
  newest: number;
}

/** Causes are collected until none has arrived for this many seconds. */
const quietSeconds = 20;
/** The most that they wait for others to arrive. */
const longestArrival = 300;

/** Whether the causes of one kind become a message now, after this many messages of the kind in the last hour. */
export function isCollected(
  kind: NotificationKind,
  { oldest, newest }: DueSpan,
  sent: number,
  now: number,
): boolean {
  const wait = collectSeconds(kind, sent);
  const isQuiet = wait === 0 || newest + quietSeconds <= now || oldest + longestArrival <= now;
  return oldest + wait <= now && isQuiet;
}

/** Seconds until the next attempt to send an e-mail; null when there is none. */
export const mailRetryAfter = (attempts: number): number | null =>
  attempts > 5 ? null : 60 * 2 ** (attempts - 1);
