/** Recordings: who may see one, how they are addressed, and how long chunks are accepted after the session. */
import { invitationScope, mayAgent, type Actor, type AgentRef } from '../people/access.ts';
import { isVisibleTo, type Invitation } from '../support.ts';

/** How long the last chunks may take to arrive after the session, over a slow connection. */
const uploadGrace = 600;

export const mayAppendChunks = (stop: number | null, now: number): boolean =>
  stop === null || now < stop + uploadGrace;

/** The same permission that shows the session in the history. */
export const maySeeOnDevice = (actor: Actor, agent: AgentRef): boolean =>
  mayAgent(actor, 'agent_sessions', agent);

export function maySeeWithClient(actor: Actor, invitation: Invitation): boolean {
  const scope = invitationScope(actor);
  return scope !== 'none' && isVisibleTo(invitation, actor, scope);
}

/** The content of an address without its signature: the session, and the person it was made for. */
export interface RecordingAddress {
  session: number;
  member: number;
}

/** The text that is signed with the secret of the recording, so that nobody can create an address for somebody else. */
export const recordingAddressPayload = ({ session, member }: RecordingAddress): string =>
  `recording:${session}:${member}`;

export const toRecordingAddress = ({ session, member }: RecordingAddress, seal: string): string =>
  `${session}.${member}.${seal}`;

export function parseRecordingAddress(text: string): (RecordingAddress & { seal: string }) | undefined {
  const [, session, member, seal] = /^([1-9]\d{0,15})\.([1-9]\d{0,15})\.([\w-]{22})$/.exec(text) ?? [];
  if (session === undefined || member === undefined || seal === undefined) return undefined;
  return { session: Number(session), member: Number(member), seal };
}
