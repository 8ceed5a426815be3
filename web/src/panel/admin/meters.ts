/** The meters of a plan in words: how much of what is used, and how urgent that is. */
import { t } from '../texts/index.ts';
import { numeral } from '../texts/language.ts';

const texts = t.admin.plan;

/** In the order they are shown. */
export const meterNames = ['computers', 'invitations', 'files', 'requests', 'recording_mb'] as const;
export type MeterName = (typeof meterNames)[number];

export interface Meter {
  used: number;
  /** Absent when unlimited. */
  limit?: number | undefined;
}

export const amountText = (name: MeterName, amount: number): string =>
  name === 'recording_mb' ? texts.megabytes(numeral(amount)) : numeral(amount);

/** From 0 to 1; undefined without a limit. A limit of nothing is always used up. */
export function shareOf({ used, limit }: Meter): number | undefined {
  if (limit === undefined) return undefined;
  return limit === 0 ? 1 : Math.min(1, used / limit);
}

/** From here on it is time to think of it. */
const warnShare = 0.8;

export type Urgency = 'good' | 'warn' | 'bad' | 'plain';

export function urgencyOf(meter: Meter): Urgency {
  const share = shareOf(meter);
  if (share === undefined) return 'plain';
  if (share >= 1) return 'bad';
  return share >= warnShare ? 'warn' : 'good';
}

export const usedText = (name: MeterName, { used, limit }: Meter): string =>
  limit === undefined
    ? texts.unlimited(amountText(name, used))
    : texts.of(amountText(name, used), amountText(name, limit));

/** What is left of it; undefined without a limit. */
export function leftText(name: MeterName, { used, limit }: Meter): string | undefined {
  if (limit === undefined) return undefined;
  if (used > limit) return texts.over;
  return used === limit ? texts.full : texts.left(amountText(name, limit - used));
}
