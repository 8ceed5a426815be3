/** Stores what the page of an operator reports about a session: a note at its end, or that the key of the device has changed. */
import { isFault } from '@drawbridge/contract/faults';
import type { KeyAlarm, SessionNote } from '@drawbridge/contract/session/open';
import type { Store } from '../store/store.ts';
import { toSessionAuditLine } from './active-sessions.ts';
import type { SessionRequester } from './session-opener.ts';

/** Each method resolves to false when the session does not exist. */
export interface SessionNotes {
  note(request: SessionNote, requester: SessionRequester): Promise<boolean>;
  alarm(request: KeyAlarm, requester: SessionRequester): Promise<boolean>;
}

export interface SessionNotesDeps {
  store: Store;
  digestOf(secret: string): string;
}

export const createSessionNotes = ({ store, digestOf }: SessionNotesDeps): SessionNotes => ({
  async note({ session: id, secret, text }, { address }) {
    const session = await store.sessions.bySecret(id, digestOf(secret));
    if (!session) return false;
    const { accountId } = session;
    const who = await operatorOf(store, session, address);
    const line = toSessionAuditLine(who, 'session/note', { session: id });
    return !isFault(await store.change('sessions/note', { accountId, id, note: text }, line));
  },

  async alarm({ session: id, secret, known, shown }, { address }) {
    const session = await store.sessions.bySecret(id, digestOf(secret));
    if (!session) return false;
    const { accountId, agentId } = session;
    const who = await operatorOf(store, session, address);
    const input = { session: id, agent_id: agentId ?? undefined, known, shown };
    const line = toSessionAuditLine(who, 'session/changed-key', input);
    await store.change('audit/append', { accountId, outcome: 'blocked' }, line);
    return true;
  },
});

/** The person who writes, for the audit log. */
async function operatorOf(
  store: Store,
  { accountId, memberId }: { accountId: number; memberId: number | null },
  address: string,
) {
  const actor = memberId === null ? undefined : await store.actors.byId(accountId, memberId);
  return { accountId, memberId, login: actor?.email ?? '', operator: { name: '', address } };
}
