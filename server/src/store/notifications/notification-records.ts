/** What can be read of notifications. Part of the store's interface. */
import type { NotificationKind } from '@drawbridge/contract/choices';
import type { AgentRef } from '../../domain/people/access.ts';
import type {
  DueSpan,
  NotificationViewer,
  Subscription,
  TimeWindow,
  WaitingCause,
} from '../../domain/notifications/notifications.ts';
import type { MemberRef } from '../../domain/people/panel.ts';

/** A subscription with the name of its device or group. */
export interface NamedSubscription extends Subscription {
  name: string;
  /** The group that the device is in; null for other subscriptions. */
  deviceGroupId: number | null;
}

/** A notification as one person may see it now. */
export interface NotificationRecord {
  id: number;
  kind: NotificationKind;
  time: number;
  read: boolean;
  count: number;
  /** A few of the devices or clients that it is about; `agentId` is null for a client. */
  subjects: readonly { agentId: number | null; name: string; operator: string }[];
}

/** A device that is offline. */
export interface LapsedDevice extends AgentRef {
  accountId: number;
  seenTime: number;
}

/** Something that happened and was not evaluated yet. */
export interface NotificationCause {
  id: number;
  accountId: number;
  kind: NotificationKind;
  time: number;
  agent: AgentRef | null;
  invitation: { id: number; creator: number | null } | null;
  session: { id: number; memberId: number | null } | null;
}

/** One cause for one person. */
export interface NotificationItem extends MemberRef {
  cause: string;
  kind: NotificationKind;
  time: number;
  dueTime: number;
  agentId: number | null;
  invitationId: number | null;
  sessionId: number | null;
}

export type ItemRef = Pick<NotificationItem, 'accountId' | 'memberId' | 'cause'>;

/** The items of one kind that wait for one person. */
export interface WaitingKind extends MemberRef, DueSpan {
  kind: NotificationKind;
}

/** An item that waits to become a notification. */
export type WaitingItem = ItemRef & Pick<NotificationItem, 'dueTime'> & WaitingCause;

/** An outage that a person was told of, and whose device came online since. */
export interface ReturnedDevice extends ItemRef, AgentRef {
  time: number;
  online: boolean;
}

export interface NotificationReads {
  /** The subscriptions of a person, oldest first. */
  subscriptions(memberRef: MemberRef): Promise<NamedSubscription[]>;
  /** The kinds that the person receives by mail; undefined if they never chose. */
  mailKinds(memberRef: MemberRef): Promise<NotificationKind[] | undefined>;
  /** Newest first: those before `before`, or these. */
  list(
    viewer: NotificationViewer,
    page: { before?: number | undefined; ids?: readonly number[]; limit: number },
  ): Promise<NotificationRecord[]>;
  unread(viewer: NotificationViewer): Promise<number>;
  /** Every number of minutes that some subscription of any account waits for; none without subscriptions. */
  minutes(): Promise<number[]>;
  /** The devices of accounts with subscriptions that are offline and were last seen in one of these windows. */
  lapsed(windows: readonly TimeWindow[], now: number): Promise<LapsedDevice[]>;
  /** The oldest causes of all accounts. */
  causes(limit: number): Promise<NotificationCause[]>;
  /** All subscriptions of an account. */
  ofAccount(accountId: number): Promise<Subscription[]>;
  /** Who was told that these devices are offline: when, and whether they were told that it ended. */
  outages(
    accountId: number,
    agentIds: readonly number[],
  ): Promise<{ memberId: number; agentId: number; open: boolean; toldTime: number }[]>;
  /** Outages whose devices came online until then. */
  returned(until: number, now: number): Promise<ReturnedDevice[]>;
  /** For whom items of all accounts are due. */
  waiting(now: number): Promise<WaitingKind[]>;
  /** The items of one person and kind that are due. */
  waitingItems(waiting: MemberRef & { kind: NotificationKind }, now: number): Promise<WaitingItem[]>;
  /** Whether some notification is to be mailed now. */
  hasMail(now: number): Promise<boolean>;
  /** How many notifications of each kind a person received since then. */
  sentSince(memberRef: MemberRef, time: number): Promise<Map<NotificationKind, number>>;
}
