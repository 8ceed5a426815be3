/** Remembers in this tab which session a link has led to, so that loading the page anew does not end it. */
import type { ResumeToken } from '../session/session-api.ts';

const nameOf = (code: string): string => `drawbridge.session.${code}`;

interface Kept {
  resumeToken: ResumeToken;
  hasBegun: boolean;
}

export function recall(code: string): Kept | undefined {
  try {
    const text = sessionStorage.getItem(nameOf(code)) ?? 'null';
    const { session, secret, begun } = (JSON.parse(text) ?? {}) as Partial<ResumeToken & { begun: boolean }>;
    return typeof session === 'number' && typeof secret === 'string'
      ? { resumeToken: { session, secret }, hasBegun: begun === true }
      : undefined;
  } catch {
    return undefined;
  }
}

export const remember = (code: string, { session, secret }: ResumeToken, begun: boolean): void =>
  sessionStorage.setItem(nameOf(code), JSON.stringify({ session, secret, begun }));

export const forget = (code: string): void => sessionStorage.removeItem(nameOf(code));
