/** Shows the other side the way: sends a device, or the client of an invitation, to the relay with its ticket and grant. */
import type { OpenRefusal } from '@drawbridge/contract/session/open';
import type { Bus } from '../bus/bus.ts';
import type { Fleet } from '../gateway/devices/fleet.ts';
import { clientSubject, type ClientCall } from '../gateway/lobby/lobby-subjects.ts';
import type { ActiveSession } from './active-sessions.ts';
import type { RecordingGrants } from './recording-grants.ts';
import { refusals } from './refusals.ts';
import type { Signer } from './signer.ts';

export interface SessionDispatcher {
  /** Undefined when it is on its way. */
  send(session: ActiveSession, key: string | undefined): Promise<OpenRefusal | undefined>;
  /** The session is not allowed any more; the relay has let go of it already. */
  cancel(session: ActiveSession, message: string): void;
}

export interface SessionDispatcherDeps {
  bus: Bus;
  fleet: Fleet;
  signer: Signer;
  recording: Pick<RecordingGrants, 'begin'>;
  relayUrl(): string;
}

/** How long the node that holds a client's line may take. */
const clientTimeoutMs = 5_000;

export function createSessionDispatcher({
  bus,
  fleet,
  signer,
  recording,
  relayUrl,
}: SessionDispatcherDeps): SessionDispatcher {
  /** Undefined when the session is gone: without the place for its recording nobody is sent. */
  async function createCredentials(session: ActiveSession, key: string) {
    const record = session.recorded ? await recording.begin(session) : undefined;
    if (session.recorded && !record) return undefined;
    return {
      grant: signer.grant(key, { ...session, session: session.id, record }),
      ticket: signer.ticket('device', session),
      relay: relayUrl(),
    };
  }

  async function sendDevice(
    agentId: number,
    session: ActiveSession,
    key: string,
  ): Promise<OpenRefusal | undefined> {
    const credentials = await createCredentials(session, key);
    if (!credentials) return refusals.ended;
    const answer = await fleet.command(agentId, 'session', credentials);
    if (typeof answer === 'string') return refusals[answer];
    return 'refused' in answer ? { code: 'refused', message: answer.refused } : undefined;
  }

  async function sendClient(invitationId: number, session: ActiveSession, key: string): Promise<void> {
    session.client = key;
    const credentials = await createCredentials(session, key);
    const call: ClientCall | undefined = credentials && { key, ...credentials };
    const answer = call && (await bus.request(clientSubject(invitationId), call, clientTimeoutMs));
    // Whoever holds its line now tells when it joins; what was not heard is said again then.
    if (answer !== true && session.client === key) session.client = '';
  }

  return {
    async send(session, key) {
      const { agentId, invitationId } = session;
      if (key === undefined) return refusals.offline;
      if (agentId !== null) return sendDevice(agentId, session, key);
      if (invitationId !== null) await sendClient(invitationId, session, key);
      return undefined;
    },
    cancel({ agentId, id }, message) {
      if (agentId !== null) void fleet.command(agentId, 'session_end', { session: id, message });
    },
  };
}
