/** The usage of a plan: texts, shares of the limits, and how urgent they are. */
import { t } from '../texts/index.ts';
import { numeral } from '../texts/language.ts';

const texts = t.admin.plan;

/** In display order. */
export const meterNames = ['computers', 'invitations', 'files', 'requests', 'recording_mb'] as const;
export type MeterName = (typeof meterNames)[number];

export interface PlanMeter {
  used: number;
  /** Absent when unlimited. */
  limit?: number | undefined;
}

export const amountText = (name: MeterName, amount: number): string =>
  name === 'recording_mb' ? texts.megabytes(numeral(amount)) : numeral(amount);

/** The used share from 0 to 1; undefined without a limit. A limit of zero is always used up. */
export function shareOf({ used, limit }: PlanMeter): number | undefined {
  if (limit === undefined) return undefined;
  return limit === 0 ? 1 : Math.min(1, used / limit);
}

/** The share from which a warning is shown. */
const warnShare = 0.8;

export type Urgency = 'good' | 'warn' | 'bad' | 'plain';

export function urgencyOf(meter: PlanMeter): Urgency {
  const share = shareOf(meter);
  if (share === undefined) return 'plain';
  if (share >= 1) return 'bad';
  return share >= warnShare ? 'warn' : 'good';
}

export const usedText = (name: MeterName, { used, limit }: PlanMeter): string =>
  limit === undefined
    ? texts.unlimited(amountText(name, used))
    : texts.of(amountText(name, used), amountText(name, limit));

/** The remaining amount; undefined without a limit. */
export function leftText(name: MeterName, { used, limit }: PlanMeter): string | undefined {
  if (limit === undefined) return undefined;
  if (used > limit) return texts.over;
  return used === limit ? texts.full : texts.left(amountText(name, limit - used));
}
