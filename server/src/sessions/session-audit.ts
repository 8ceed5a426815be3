/** The audit lines of attempts to open a session, and of sessions that wait for a second person. */
import type { SessionEvent } from '@drawbridge/contract/audited-events';
import { approvalWaitSeconds } from '@drawbridge/contract/session/approval';
import type { AuditLine } from '../domain/audit.ts';
import type { Store } from '../store/store.ts';
import { toSessionAuditLine, type ActiveSession } from './active-sessions.ts';
import type { SessionBinding } from './rights.ts';

interface SessionAttempt {
  operation: SessionEvent;
  address: string;
}

async function lineOf(
  store: Store,
  { accountId, memberId, agentId, invitationId, origin }: SessionBinding,
  { operation, address }: SessionAttempt,
): Promise<AuditLine> {
  const actor = memberId === null ? undefined : await store.actors.byId(accountId, memberId);
  const who = { accountId, memberId, login: actor?.email ?? '', operator: { name: '', address } };
  const input = { door: origin, agent_id: agentId ?? undefined, support_id: invitationId ?? undefined };
  return toSessionAuditLine(who, operation, input);
}

/** Writes the result of an attempt to the audit log of the account. */
export async function auditSession(
  store: Store,
  binding: SessionBinding,
  { outcome = 'done', ...attempt }: SessionAttempt & { outcome: string | undefined },
): Promise<void> {
  const { accountId } = binding;
  await store.change('audit/append', { accountId, outcome }, await lineOf(store, binding, attempt));
}

/** Lets people who may approve the session see that it waits. */
export async function announceWaiting(store: Store, session: ActiveSession): Promise<void> {
  const { accountId, id, operator } = session;
  const line = await lineOf(store, session, { operation: 'session/approval', address: operator.address });
  const until = store.now() + approvalWaitSeconds;
  await store.change('sessions/await-approval', { accountId, id, until }, line);
}
