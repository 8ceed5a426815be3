/** The type of a row of the panel's own API: an operation, and who may call it. */
import type { Operation } from '../operation.ts';

/**
 * `anyone`: also before signing in. `member`: anyone who is signed in. `fresh`: anyone who is signed in and has recently
 * confirmed their identity. `operator`: server administrators. `fresh_operator`: server administrators who have recently
 * confirmed their identity.
 */
export type PanelAudience = 'anyone' | 'member' | 'fresh' | 'operator' | 'fresh_operator';

export interface PanelRow extends Operation {
  who: PanelAudience;
}

/** Checks a table of rows while keeping each row's exact type. */
export const panelRows = <const Rows extends Record<string, PanelRow>>(table: Rows): Rows => table;

/** The numbers in the body's `status`, the same for every row of the panel. */
export const status = {
  ok: 0,
  invalid: 1,
  internal: 2,
  not_found: 6,
  forbidden: 8,
  unauthenticated: 8,
  plan_exceeded: 1,
  invalid_password: 21,
  busy: 1,
} as const;
