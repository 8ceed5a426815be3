/** The sessions of a device with four eyes: those that wait for a second person, and those that were approved. */
import { randomBytes } from 'node:crypto';
import {
  approvalWaitSeconds,
  maxApprovalSeconds,
  maxWaitingApprovals,
  type Approval,
  type Approver,
} from '@drawbridge/contract/session/approval';
import { encodeBody, type Grant } from '@drawbridge/contract/session/signed';
import type { CommandOutput } from '@drawbridge/contract/uplink/commands';
import type { Clock } from '@drawbridge/session/ports';
import { NotPossible } from '../platform/platform.ts';
import { checkApproval } from './check-approval.ts';

export interface Approvals {
  /** Whether four eyes are on; throws if that cannot be read. */
  isRequired(): boolean;
  /** The names of the people who can approve. */
  names(): string[];
  /** Whether the session was approved and may still return. */
  isApproved(session: number): boolean;
  /** Resolves when a second person has approved the session, or at once if the operator who was approved returns. */
  obtain(request: ApprovalRequest): Promise<ApprovedSession | { refused: string }>;
  /** What is to be signed. */
  waiting(): CommandOutput<'approvals'>['waiting'];
  /** Resolves to the name of the approver; rejects with the reason for a refusal. */
  approve(signed: string): Promise<string>;
}

interface ApprovalRequest {
  /** The grant as far as the policy of the device allows it. */
  grant: Grant;
  code: string;
  /** What the operator was told when the session was approved, if it returns. */
  token: string | undefined;
  signal: AbortSignal;
  /** Called if the session has to wait. */
  onWait(): void;
}

export interface ApprovedSession extends Pick<Approval, 'permissions' | 'record' | 'until'> {
  approver: Approver;
  /** Proves that the operator who was approved returns. Only that operator is told. */
  token: string;
}

interface WaitingSession {
  statement: Approval;
  expires: number;
  resolve(approved: ApprovedSession | { refused: string }): void;
}

interface ApprovalsOptions {
  approvers(): readonly Approver[];
  device(): Pick<Approval, 'agent' | 'name' | 'device_key'>;
  /** Unix time in seconds. */
  now(): number;
  clock: Clock;
  log(line: string): void;
}

interface State {
  readonly options: ApprovalsOptions;
  /** By session, of which each waits once. */
  readonly waiting: Map<number, WaitingSession>;
  readonly approved: Map<number, ApprovedSession>;
}

const maxApproved = 64;

export function createApprovals(options: ApprovalsOptions): Approvals {
  const state: State = { options, waiting: new Map(), approved: new Map() };
  return {
    isRequired: () => options.approvers().length > 0,
    names: () => options.approvers().map(({ name }) => name),
    isApproved: (session) => (state.approved.get(session)?.until ?? 0) > options.now(),
    obtain: (request) => obtain(state, request),
    waiting: () =>
      [...state.waiting.values()].map(({ statement, expires }) => ({
        statement: encodeBody('approval', statement),
        expires,
      })),
    approve: (signed) => approve(state, signed),
  };
}

const newSecret = (): string => randomBytes(32).toString('base64url');

async function obtain(
  state: State,
  request: ApprovalRequest,
): Promise<ApprovedSession | { refused: string }> {
  const before = findReturning(state, request);
  if (before) return before;
  const { options, waiting } = state;
  const { session } = request.grant;
  if (waiting.size >= maxWaitingApprovals && !waiting.has(session))
    return { refused: 'Too many sessions already wait for a second person.' };
  const { promise, resolve } = Promise.withResolvers<ApprovedSession | { refused: string }>();
  waiting.get(session)?.resolve({ refused: 'The operator is reconnecting.' });
  const entry = {
    statement: createStatement(options, request),
    expires: options.now() + approvalWaitSeconds,
    resolve,
  };
  waiting.set(session, entry);
  request.onWait();
  const stopTimer = options.clock.after(approvalWaitSeconds * 1_000, () =>
    resolve({ refused: 'No second person approved the session in time.' }),
  );
  const onAbort = (): void => resolve({ refused: 'The operator has disconnected.' });
  request.signal.addEventListener('abort', onAbort, { once: true });
  if (request.signal.aborted) onAbort();
  try {
    return await promise;
  } finally {
    stopTimer();
    request.signal.removeEventListener('abort', onAbort);
    if (waiting.get(session) === entry) waiting.delete(session);
  }
}

/** The approval counts again for the operator who holds its token, as long as nothing was added to the session. */
function findReturning(
  { options, approved }: State,
  { grant, token }: ApprovalRequest,
): ApprovedSession | undefined {
  const before = approved.get(grant.session);
  if (!before || token !== before.token || before.until <= options.now()) return undefined;
  if (grant.record !== undefined && !before.record) return undefined;
  if (!options.approvers().some(({ key }) => key === before.approver.key)) return undefined;
  return { ...before, permissions: before.permissions.filter((each) => grant.permissions.includes(each)) };
}

const createStatement = ({ device, now }: ApprovalsOptions, { grant, code }: ApprovalRequest): Approval => ({
  v: 1,
  ...device(),
  session: grant.session,
  operator: grant.operator.name,
  operator_key: grant.operator_key,
  code,
  permissions: grant.permissions,
  record: grant.record !== undefined,
  reason: grant.reason ?? '',
  until: now() + maxApprovalSeconds,
  nonce: newSecret(),
});

async function approve({ options, waiting, approved }: State, signed: string): Promise<string> {
  const checked = await checkApproval(signed, {
    awaited: (session) => waiting.get(session)?.statement,
    deviceKey: options.device().device_key,
    approvers: options.approvers(),
    now: options.now(),
  });
  if ('refused' in checked) throw new NotPossible(checked.refused);
  const { statement, approver } = checked;
  const { session, permissions, record, until } = statement;
  const entry = waiting.get(session);
  // The check took a moment: the session may have been approved, or have begun again, since then.
  if (entry?.statement.nonce !== statement.nonce)
    throw new NotPossible('The session no longer waits for an approval.');
  waiting.delete(session);
  const result = { approver, permissions, record, until, token: newSecret() };
  approved.set(session, result);
  if (approved.size > maxApproved) approved.delete(approved.keys().next().value!);
  options.log(`session ${session} was approved by ${approver.name}`);
  entry.resolve(result);
  return approver.name;
}
