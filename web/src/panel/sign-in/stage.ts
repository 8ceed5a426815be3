/** How far somebody has come on the way in. */
import type { OutputOf } from '../api.ts';

export type Progress = OutputOf<'sign-in/password'>;

export type Stage =
  | { at: 'start' }
  | { at: 'forgot' }
  | { at: 'code'; step: string }
  | { at: 'account'; step: string; accounts: NonNullable<Progress['accounts']> }
  | { at: 'done' };

export function stageAfter({ next, step = '', accounts = [] }: Progress): Stage {
  if (next === 'code') return { at: 'code', step };
  return next === 'account' ? { at: 'account', step, accounts } : { at: 'done' };
}
