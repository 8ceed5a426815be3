/**
 * What an account may use, and how that affects its devices. Everything is derived from data and time, nothing is
 * stored.
 */

/** Each limit, or null where the plan has none. */
export interface Plan {
  computers: number | null;
  invitations: number | null;
  files: number | null;
  requests: number | null;
  recordingMb: number | null;
}

export const unlimitedPlan: Plan = {
  computers: null,
  invitations: null,
  files: null,
  requests: null,
  recordingMb: null,
};

/** The limits by the names that people read and write. */
const limitNames = {
  computers: 'computers',
  invitations: 'invitations',
  files: 'files',
  requests: 'requests',
  recording_mb: 'recordingMb',
} as const satisfies Record<string, keyof Plan>;
export type LimitName = keyof typeof limitNames;

const limitEntries = Object.entries(limitNames) as [LimitName, keyof Plan][];

/** Some or all limits by those names; null is unlimited. */
export const toNamedLimits = <Some extends Partial<Plan>>(
  plan: Some,
): Some extends Plan ? Record<LimitName, number | null> : Partial<Record<LimitName, number | null>> =>
  Object.fromEntries(
    limitEntries.flatMap(([name, of]) => (plan[of] === undefined ? [] : [[name, plan[of]]])),
  ) as never;

/** The limits that are given by those names. */
export const fromNamedLimits = (
  limits: Partial<Record<LimitName, number | null | undefined>>,
): Partial<Plan> =>
  Object.fromEntries(
    limitEntries.flatMap(([name, of]) => (limits[name] === undefined ? [] : [[of, limits[name]]])),
  );

/** The value of `remain` without a limit: the largest number that every client's integer can hold. */
export const unlimitedRemaining = 2_147_483_647;

/** How long a limited device can be used after it was added. */
const limitedGrace = 10 * 86_400;

/** Where the plan ends among the account's devices, ordered by link time: the last one within it. */
export interface PlanState {
  lastWithin: { linkTime: number; id: number } | 'all' | 'none';
  overFiles: boolean;
}

export interface PlannedAgent {
  id: number;
  linkTime: number;
  /** Whether the account exceeded its file limit when the device was added. */
  addedOverFiles: boolean;
}

/** True if the device was added while the plan's file limit was exceeded and it still is. */
export const isLimited = (agent: PlannedAgent, state: PlanState): boolean =>
  agent.addedOverFiles && state.overFiles;

/** A blocked device cannot be connected to. */
export const isDisabled = (agent: PlannedAgent, state: PlanState, now: number): boolean =>
  isPastPlan(agent, state.lastWithin) || (isLimited(agent, state) && now >= blockTimeOf(agent));

/** When a limited device becomes blocked. */
export const blockTimeOf = ({ linkTime }: PlannedAgent): number => linkTime + limitedGrace;

function isPastPlan(agent: PlannedAgent, last: PlanState['lastWithin']): boolean {
  if (typeof last === 'string') return last === 'none';
  return agent.linkTime > last.linkTime || (agent.linkTime === last.linkTime && agent.id > last.id);
}

export const remainOf = (limit: number | null, used: number): number =>
  limit === null ? unlimitedRemaining : Math.max(0, limit - used);

const hour = 3_600;

/** The hour in which a request is counted, and when it ends. */
export const hourOf = (now: number): number => Math.floor(now / hour);
export const hourEnds = (now: number): number => (hourOf(now) + 1) * hour;

/** The calendar month (UTC) in which an invitation is counted, as year * 12 + month, and when it ends. */
export function monthOf(now: number): number {
  const date = new Date(now * 1_000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
export const monthEnds = (now: number): number =>
  Date.UTC(Math.floor((monthOf(now) + 1) / 12), (monthOf(now) + 1) % 12) / 1_000;
