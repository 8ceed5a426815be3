/** What a session is granted when it is opened or resumed, and the session at this node with it. */
import type { Policy } from '@drawbridge/contract/policy';
import { isProblem, type OpeningProblem } from '@drawbridge/contract/session/problem';
import type { Store } from '../store/store.ts';
import type { ActiveSession } from './active-sessions.ts';
import type { RecordingGrants } from './recording-grants.ts';
import { refusals } from './refusals.ts';
import { rightsOf, type SessionBinding, type SessionRights } from './rights.ts';

interface GrantDeps {
  store: Store;
  recording: Pick<RecordingGrants, 'isStorageFull'>;
  invitationLifetime: number;
}

/** What a session is granted, and whether it is recorded. */
export type GrantedSession = SessionRights & { record: boolean };

/** A session that must be recorded does not begin when the recording storage is full. */
export async function grantRights(
  { store, recording, invitationLifetime }: GrantDeps,
  binding: SessionBinding,
  isRecordedUnder: (policy: Policy) => boolean,
): Promise<GrantedSession | OpeningProblem> {
  const granted = await rightsOf(binding, { store, now: store.now, invitationLifetime });
  if (isProblem(granted)) return granted;
  const record = isRecordedUnder(granted.policy);
  const isFull = record && (await recording.isStorageFull(binding.accountId));
  return isFull ? refusals.full : { ...granted, record };
}

export const toActiveSession = (
  {
    accountId,
    memberId,
    agentId,
    invitationId,
    origin,
    ...of
  }: SessionBinding & Pick<ActiveSession, 'id' | 'pair'>,
  granted: GrantedSession,
  by: { key: string; address: string },
): ActiveSession => ({
  accountId,
  memberId,
  agentId,
  invitationId,
  origin,
  id: of.id,
  pair: of.pair,
  operatorKey: by.key,
  operator: { name: granted.name, address: by.address },
  reason: granted.reason,
  permissions: granted.permissions,
  confirm: granted.confirm,
  login: granted.login,
  recorded: granted.record,
  direct: granted.policy.direct === 'on',
  openedAt: performance.now(),
  paired: false,
  client: '',
  awaitsApproval: false,
});
