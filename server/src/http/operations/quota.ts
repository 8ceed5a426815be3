/** The plan's limit of requests per hour, counted in the store so that it is exact with any number of nodes. */
import { isFault, type FaultDetails } from '@drawbridge/contract/faults';
import type { CallerContext } from '../../handlers/handler.ts';
import { hourEnds } from '../../domain/people/plan.ts';
import type { Store } from '../../store/store.ts';

export interface QuotaUse {
  limit: number;
  remaining: number;
  /** Seconds until the hour ends. */
  resets: number;
  exceeded: boolean;
  because: FaultDetails;
}

/** Counts a request; returns undefined if the plan has no limit. */
export const chargeQuota = (
  { plan, actor }: Pick<CallerContext, 'plan' | 'actor'>,
  store: Store,
  now: number,
): Promise<QuotaUse> | undefined =>
  plan.requests === null ? undefined : countRequest(actor.accountId, plan.requests, store, now);

async function countRequest(accountId: number, limit: number, store: Store, now: number): Promise<QuotaUse> {
  const outcome = await store.change('usage/request', { accountId, limit });
  const exceeded = isFault(outcome);
  const resets = hourEnds(now) - now;
  return {
    limit,
    remaining: exceeded ? 0 : limit - outcome.used,
    resets,
    exceeded,
    because: {
      code: 'request_limit',
      message: `The plan allows ${limit} requests per hour. Try again in ${resets} seconds.`,
    },
  };
}

/** The headers that tell a client about its limit. */
export const quotaHeaders = ({ limit, remaining, resets, exceeded }: QuotaUse): Record<string, string> => ({
  'RateLimit-Policy': `"hour";q=${limit};w=3600`,
  RateLimit: `"hour";r=${remaining};t=${resets}`,
  ...(exceeded && { 'Retry-After': String(resets) }),
});
