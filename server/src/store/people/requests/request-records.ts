/** What is read about requests for access. */
import type { Permission } from '@drawbridge/contract/permissions';
import type { AgentRef } from '../../../domain/people/access.ts';
import type { AccessRequestSettings, RequestState } from '../../../domain/people/access-requests.ts';
import type { MemberRef } from '../../../domain/people/panel.ts';

/** A request with the names of everything in it. */
export interface AccessRequestRecord {
  id: number;
  state: RequestState;
  email: string;
  roleId: number;
  role: string;
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

interface AccessRequestFilter {
  /** Only requests of this person. */
  memberId?: number | undefined;
  /** Only requests in this state. */
  state?: RequestState | undefined;
  offset: number;
  limit: number;
}

export interface RequestReads {
  /** Newest first. */
  list(
    accountId: number,
    filter: AccessRequestFilter,
  ): Promise<{ total: number; requests: AccessRequestRecord[] }>;
  settings(accountId: number): Promise<AccessRequestSettings>;
  /** Why the person was given access to the device for a while; empty if they were not. */
  reason(memberRef: MemberRef, agentRef: AgentRef): Promise<string>;
}
