/** What the store tells of sessions that wait for a second person. */
import type { AgentScope } from '../../domain/people/access.ts';

interface WaitingApproval {
  sessionId: number;
  agentId: number;
  /** The name of the device. */
  device: string;
  /** The e-mail address of the operator; empty if they used the password of the device. */
  login: string;
  reason: string;
  permissions: string[];
  record: boolean;
  /** Until when it waits. */
  until: number;
}

export interface ApprovalReads {
  /** Those on devices in scope, except the person's own, newest first. */
  waiting(
    accountId: number,
    filter: { scope: AgentScope; exceptMemberId: number; limit: number },
  ): Promise<{ total: number; waiting: WaitingApproval[] }>;
}
