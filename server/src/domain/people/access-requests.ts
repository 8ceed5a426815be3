/** Requests for access for a while: their states, who may ask for what, and for how long. Pure. */
import type { Permission } from '@drawbridge/contract/permissions';
import { mayAgent, type Actor, type AgentRef } from './access.ts';

/** What is stored, and what follows from the time. */
type StoredRequestState = 'waiting' | 'approved' | 'denied' | 'withdrawn' | 'ended';
export type RequestState = StoredRequestState | 'expired';

export interface NewAccessRequest {
  accountId: number;
  /** Who asks. */
  memberId: number;
  roleId: number;
  agentId?: number | undefined;
  groupId?: number | undefined;
  reason: string;
  minutes: number;
}

/** A request with the names of everything in it. */
export interface AccessRequestRecord {
  id: number;
  state: RequestState;
  email: string;
  roleId: number;
  role: string;
  /** What the role permitted when it was asked for. */
  permissions: readonly Permission[];
  agentId: number | null;
  agent: string | null;
  groupId: number | null;
  group: string | null;
  reason: string;
  minutes: number;
  emergency: boolean;
  createTime: number;
  expireTime: number;
  /** The e-mail address of the person who decided; null if nobody did, or they were removed. */
  decidedBy: string | null;
  decideTime: number | null;
  decision: string;
  until: number | null;
}

export interface AccessRequestSettings {
  /** The longest access that people may ask for; 0 if they may not ask. */
  maxMinutes: number;
  /** Whether people can give themselves access in an emergency. */
  emergency: boolean;
}

/** How long a request waits for an answer, in seconds. */
export const requestLifetime = 86_400;
/** How long requests are kept, in seconds. */
export const requestMemory = 365 * 86_400;
/** How many requests of one person can wait at the same time. */
export const maxWaitingRequests = 20;
/** How many requests of one account can wait at the same time. */
export const maxWaitingInAccount = 500;
/** How often one person can ask, or take emergency access, within an hour. */
export const maxHourlyRequests = 30;

/** How many people at most are mailed about a request. */
export const maxToldOfRequest = 50;
/** How many people at most are mailed about emergency access, so that one emergency does not occupy the mail server for hours. */
export const maxToldOfEmergency = 2_000;

export function requestStateAt(
  request: { state: string; expireTime: number; until: number | null },
  now: number,
): RequestState {
  if (request.state === 'waiting' && request.expireTime <= now) return 'expired';
  if (request.state === 'approved' && request.until !== null && request.until <= now) return 'ended';
  return request.state as StoredRequestState;
}

/**
 * Whether somebody may ask for access to a device or a group: only where they hold some permission already, because the
 * answer would tell them about others.
 */
export const mayAskFor = (actor: Actor, target: AgentRef | { groupId: number }): boolean =>
  'id' in target
    ? mayAgent(actor, 'any', target)
    : actor.owner ||
      actor.grants.some(
        (grant) => grant.type === 'group' && grant.groupId === target.groupId && grant.permissions.length > 0,
      );

/** The types of roles that somebody can ask for on what they see. People who see nothing do not learn the names of roles. */
export function askableTypes({ owner, grants }: Actor): ('agent' | 'group')[] {
  const seen = new Set(grants.filter(({ permissions }) => permissions.length > 0).map(({ type }) => type));
  if (owner || seen.has('group')) return ['agent', 'group'];
  return seen.has('agent') ? ['agent'] : [];
}
