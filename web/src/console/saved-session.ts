/** Remembers in this tab which session a link opened, so that reloading the page does not end it. */
import type { SessionSubject } from '@drawbridge/contract/session/open';
import type { ResumeToken } from '@drawbridge/session/operator/operator';

const storageKeyOf = (code: string): string => `drawbridge.session.${code}`;

export interface SavedSession {
  resumeToken: ResumeToken;
  /** With this the operator returns without asking the second person again. */
  approval: string | undefined;
  hasBegun: boolean;
  /** When the session was live for the first time, in milliseconds since 1970; undefined before that. */
  startedAt: number | undefined;
  /** Whether the session is recorded. */
  isRecorded: boolean;
  /** Whose session it is, if the page was in a frame. */
  subject: SessionSubject | undefined;
}

type StoredText = Partial<
  ResumeToken & {
    approval: string;
    begun: boolean;
    startedAt: number;
    recorded: boolean;
    subject: SessionSubject;
  }
>;

export function loadSavedSession(code: string): SavedSession | undefined {
  try {
    const text = sessionStorage.getItem(storageKeyOf(code)) ?? 'null';
    const { session, secret, begun, recorded, ...rest } = (JSON.parse(text) ?? {}) as StoredText;
    if (typeof session !== 'number' || typeof secret !== 'string') return undefined;
    const { approval, startedAt, subject } = rest;
    const flags = { hasBegun: begun === true, isRecorded: recorded === true };
    return { resumeToken: { session, secret }, approval, startedAt, subject, ...flags };
  } catch {
    return undefined;
  }
}

export const saveSession = (
  code: string,
  { resumeToken, hasBegun: begun, isRecorded: recorded, ...rest }: SavedSession,
): void =>
  sessionStorage.setItem(storageKeyOf(code), JSON.stringify({ ...resumeToken, begun, recorded, ...rest }));

export const clearSavedSession = (code: string): void => sessionStorage.removeItem(storageKeyOf(code));
