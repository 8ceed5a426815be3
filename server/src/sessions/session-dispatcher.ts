/** Sends a device, or the client of an invitation, to the relay with its ticket and grant. */
import { createProblem, type OpeningProblem } from '@drawbridge/contract/session/problem';
import type { Bus } from '../bus/bus.ts';
import type { Fleet } from '../gateway/devices/fleet.ts';
import { clientSubject, type ClientCall } from '../gateway/lobby/lobby-subjects.ts';
import type { ActiveSession } from './active-sessions.ts';
import type { RecordingGrants } from './recording-grants.ts';
import { refusals } from './refusals.ts';
import type { Signer } from './signer.ts';

export interface SessionDispatcher {
  /** Resolves to undefined when the other side was sent, or to why not. */
  send(session: ActiveSession, key: string | undefined): Promise<OpeningProblem | undefined>;
  /** Tells the device that the session is no longer allowed. The relay has already closed it. */
  cancel(session: ActiveSession, message: string): void;
}

export interface SessionDispatcherDeps {
  bus: Bus;
  fleet: Fleet;
  signer: Signer;
  recording: Pick<RecordingGrants, 'begin'>;
  relayUrl(): string;
}

/** How long the node that holds the client's WebSocket may take to answer. */
const clientTimeoutMs = 5_000;

export const createSessionDispatcher = (deps: SessionDispatcherDeps): SessionDispatcher => ({
  async send(session, key) {
    const { agentId, invitationId } = session;
    if (key === undefined) return refusals.offline;
    if (agentId !== null) return sendDevice(deps, agentId, session, key);
    if (invitationId !== null) await sendClient(deps, invitationId, session, key);
    return undefined;
  },
  cancel({ agentId, id }, message) {
    if (agentId !== null) void deps.fleet.command(agentId, 'session_end', { session: id, message });
  },
});

/** Undefined when the session no longer exists: where it must be recorded, nobody is sent without a recording. */
async function createCredentials(
  { recording, signer, relayUrl }: SessionDispatcherDeps,
  session: ActiveSession,
  key: string,
) {
  const record = session.recorded ? await recording.begin(session) : undefined;
  if (session.recorded && !record) return undefined;
  return {
    grant: signer.grant(key, { ...session, session: session.id, record }),
    ticket: signer.ticket('device', session),
    relay: session.remote?.url ?? relayUrl(),
  };
}

async function sendDevice(
  deps: SessionDispatcherDeps,
  agentId: number,
  session: ActiveSession,
  key: string,
): Promise<OpeningProblem | undefined> {
  const credentials = await createCredentials(deps, session, key);
  if (!credentials) return refusals.ended;
  const onetime = session.origin === 'onetime';
  const answer = await deps.fleet.command(agentId, 'session', { ...credentials, onetime, approvals: true });
  if (typeof answer === 'string') return refusals[answer];
  if ('refused' in answer) return createProblem('refused', answer.refused);
  session.awaitsApproval = answer.done.approval === true;
  return undefined;
}

async function sendClient(
  deps: SessionDispatcherDeps,
  invitationId: number,
  session: ActiveSession,
  key: string,
): Promise<void> {
  session.client = key;
  const credentials = await createCredentials(deps, session, key);
  const call: ClientCall | undefined = credentials && { key, ...credentials };
  const answer = call && (await deps.bus.request(clientSubject(invitationId), call, clientTimeoutMs));
  // A client that was not reached is announced when it connects again, and is sent then.
  if (answer !== true && session.client === key) session.client = '';
}
