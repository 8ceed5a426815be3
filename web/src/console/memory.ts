/** Remembers in this tab which session a link has led to, so that loading the page anew does not end it. */
import type { Return } from '../session/doors.ts';

const nameOf = (code: string): string => `drawbridge.session.${code}`;

export function recall(code: string): Return | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(nameOf(code)) ?? 'null') as Partial<Return> | null;
    const { session, secret } = kept ?? {};
    return typeof session === 'number' && typeof secret === 'string' ? { session, secret } : undefined;
  } catch {
    return undefined;
  }
}

export const remember = (code: string, { session, secret }: Return): void =>
  sessionStorage.setItem(nameOf(code), JSON.stringify({ session, secret }));

export const forget = (code: string): void => sessionStorage.removeItem(nameOf(code));
