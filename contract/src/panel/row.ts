/** The shape of a row of the panel's own API: an operation, and who may ask for it. */
import type { Operation } from '../operation.ts';

/**
 * `anyone`: also before signing in. `member`: whoever is signed in. `fresh`: whoever is signed in and has shown again, a
 * short while ago, that it is them. `operator`: who looks after the server itself; `fresh_operator`: that, shown again.
 */
export type PanelAudience = 'anyone' | 'member' | 'fresh' | 'operator' | 'fresh_operator';

export interface PanelRow extends Operation {
  who: PanelAudience;
}

/** Checks a table of rows while keeping each row's exact type. */
export const panelRows = <const Rows extends Record<string, PanelRow>>(table: Rows): Rows => table;

/** The numbers of the body's `status`, the same for every row here. */
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
