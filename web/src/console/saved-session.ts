/** Remembers in this tab which session a link opened, so that reloading the page does not end it. */
import type { ResumeToken } from '@drawbridge/session/operator/operator';

const storageKeyOf = (code: string): string => `drawbridge.session.${code}`;

interface SavedSession {
  resumeToken: ResumeToken;
  hasBegun: boolean;
}

export function loadSavedSession(code: string): SavedSession | undefined {
  try {
    const text = sessionStorage.getItem(storageKeyOf(code)) ?? 'null';
    const { session, secret, begun } = (JSON.parse(text) ?? {}) as Partial<ResumeToken & { begun: boolean }>;
    return typeof session === 'number' && typeof secret === 'string'
      ? { resumeToken: { session, secret }, hasBegun: begun === true }
      : undefined;
  } catch {
    return undefined;
  }
}

export const saveSession = (code: string, { session, secret }: ResumeToken, begun: boolean): void =>
  sessionStorage.setItem(storageKeyOf(code), JSON.stringify({ session, secret, begun }));

export const clearSavedSession = (code: string): void => sessionStorage.removeItem(storageKeyOf(code));
