/** Remembers in this tab which session a link opened, so that reloading the page does not end it. */
import type { SessionSubject } from '@drawbridge/contract/session/open';
import type { ResumeToken } from '@drawbridge/session/operator/operator';

const storageKeyOf = (code: string): string => `drawbridge.session.${code}`;

export interface SavedSession {
  resumeToken: ResumeToken;
  hasBegun: boolean;
  /** When the session was live for the first time, in milliseconds since 1970; undefined before that. */
  startedAt: number | undefined;
  /** Whether the session is recorded. */
  isRecorded: boolean;
  /** Whose session it is, if the page was in a frame. */
  subject: SessionSubject | undefined;
}

type StoredText = Partial<
  ResumeToken & { begun: boolean; startedAt: number; recorded: boolean; subject: SessionSubject }
>;

export function loadSavedSession(code: string): SavedSession | undefined {
  try {
    const text = sessionStorage.getItem(storageKeyOf(code)) ?? 'null';
    const { session, secret, begun, startedAt, recorded, subject } = (JSON.parse(text) ?? {}) as StoredText;
    if (typeof session !== 'number' || typeof secret !== 'string') return undefined;
    const resumeToken = { session, secret };
    return { resumeToken, hasBegun: begun === true, startedAt, isRecorded: recorded === true, subject };
  } catch {
    return undefined;
  }
}

export const saveSession = (
  code: string,
  { resumeToken, hasBegun, startedAt, isRecorded, subject }: SavedSession,
): void =>
  sessionStorage.setItem(
    storageKeyOf(code),
    JSON.stringify({ ...resumeToken, begun: hasBegun, startedAt, recorded: isRecorded, subject }),
  );

export const clearSavedSession = (code: string): void => sessionStorage.removeItem(storageKeyOf(code));
