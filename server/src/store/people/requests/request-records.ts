/** What is read about requests for access. */
import type { AgentRef } from '../../../domain/people/access.ts';
import type {
  AccessRequestRecord,
  AccessRequestSettings,
  RequestState,
} from '../../../domain/people/access-requests.ts';
import type { MemberRef } from '../../../domain/people/panel.ts';

interface AccessRequestFilter {
  /** Only requests of this person. */
  memberId?: number | undefined;
  /** Only requests of other people than this one. */
  exceptMemberId?: number | undefined;
  /** Only requests in this state. */
  state?: RequestState | undefined;
  /** Only those taken in an emergency, or only the others. */
  emergency?: boolean | undefined;
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
