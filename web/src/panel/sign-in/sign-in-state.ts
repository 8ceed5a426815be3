/** The states of the sign-in flow. */
import type { OutputOf } from '../api.ts';

export type SignInResponse = OutputOf<'sign-in/password'>;

export type SignInState =
  | { at: 'start' }
  | { at: 'forgot' }
  | { at: 'sso' }
  | { at: 'code'; step: string }
  | { at: 'account'; step: string; accounts: NonNullable<SignInResponse['accounts']> }
  | { at: 'done' };

export function nextSignInState({ next, step = '', accounts = [] }: SignInResponse): SignInState {
  if (next === 'code') return { at: 'code', step };
  return next === 'account' ? { at: 'account', step, accounts } : { at: 'done' };
}
