/** Remembers in this tab which session a link has led to, so that loading the page anew does not end it. */
import type { Return } from '../session/doors.ts';

const nameOf = (code: string): string => `drawbridge.session.${code}`;

interface Kept {
  returnTo: Return;
  hasBegun: boolean;
}

export function recall(code: string): Kept | undefined {
  try {
    const text = sessionStorage.getItem(nameOf(code)) ?? 'null';
    const { session, secret, begun } = (JSON.parse(text) ?? {}) as Partial<Return & { begun: boolean }>;
    return typeof session === 'number' && typeof secret === 'string'
      ? { returnTo: { session, secret }, hasBegun: begun === true }
      : undefined;
  } catch {
    return undefined;
  }
}

export const remember = (code: string, { session, secret }: Return, begun: boolean): void =>
  sessionStorage.setItem(nameOf(code), JSON.stringify({ session, secret, begun }));

export const forget = (code: string): void => sessionStorage.removeItem(nameOf(code));
