/** Starts and stops recordings during a session, for operators who are not recorded anyway. */
import { defaultPolicy, type Policy } from '@drawbridge/contract/policy';
import type { RecordRequest } from '@drawbridge/contract/session/open';
import { createProblem, type OpeningProblem } from '@drawbridge/contract/session/problem';
import type { Fleet } from '../gateway/devices/fleet.ts';
import type { StoredSession } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { toSessionAuditLine } from './active-sessions.ts';
import type { RecordingGrants } from './recording-grants.ts';
import { refusals } from './refusals.ts';

export interface SessionRecordings {
  /** Resolves when the device has accepted it, or to why not. */
  switchTo(request: RecordRequest, requester: { address: string }): Promise<OpeningProblem | undefined>;
}

export interface SessionRecordingsDeps {
  store: Store;
  fleet: Fleet;
  recording: RecordingGrants;
  digestOf(secret: string): string;
}

/**
 * Whether the operator decides about the recording. Where the link, the account or the policy requires one, nobody can
 * stop it; where the policy forbids one, nobody can start it; the client of an invitation is reached by no command.
 */
export const mayRecord = (
  { record, agentId, permissions }: Pick<StoredSession, 'record' | 'agentId' | 'permissions'>,
  policy: Pick<Policy, 'recording'>,
): boolean =>
  !record && policy.recording !== 'off' && agentId !== null && permissions.includes('agent_connect');

export const createSessionRecordings = (deps: SessionRecordingsDeps): SessionRecordings => ({
  async switchTo({ session: id, secret, on }, { address }) {
    const { store, digestOf } = deps;
    const session = await store.sessions.bySecret(id, digestOf(secret));
    if (!session || session.stop !== null) return refusals.ended;
    const problem = await switchOn(deps, session, on);
    await writeAudit(store, session, { on, address, outcome: problem?.code ?? 'done' });
    return problem;
  },
});

/** The policy of the device; the default for the client of an invitation. */
const policyOf = async (store: Store, { accountId, agentId }: StoredSession): Promise<Policy> =>
  (agentId === null ? undefined : (await store.policies.ofAgents(accountId, [agentId]))[0]?.policy) ??
  defaultPolicy;

async function switchOn(
  { store, fleet, recording }: SessionRecordingsDeps,
  session: StoredSession,
  on: boolean,
): Promise<OpeningProblem | undefined> {
  const { id, agentId, accountId } = session;
  if (!mayRecord(session, await policyOf(store, session)) || agentId === null)
    return session.record ? refusals.required : refusals.notRecordable;
  if (on && (await recording.isStorageFull(accountId))) return refusals.storageFull;
  const record = on ? await recording.begin(session) : undefined;
  if (on && !record) return refusals.ended;
  const answer = await fleet.command(agentId, 'session_record', { session: id, ...(record && { record }) });
  if (typeof answer === 'string') return refusals[answer];
  return 'refused' in answer ? createProblem('refused', answer.refused) : undefined;
}

async function writeAudit(
  store: Store,
  { id, accountId, memberId, agentId }: StoredSession,
  { on, address, outcome }: { on: boolean; address: string; outcome: string },
): Promise<void> {
  const actor = memberId === null ? undefined : await store.actors.byId(accountId, memberId);
  const who = { accountId, memberId, login: actor?.email ?? '', operator: { name: '', address } };
  const input = { session: id, agent_id: agentId ?? undefined, on };
  const line = toSessionAuditLine(who, 'session/record', input);
  await store.change('audit/append', { accountId, outcome }, line);
}
