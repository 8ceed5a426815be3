/** Plans of accounts as server administrators see and edit them. */
import type { OutputOf } from '../api.ts';
import { meterNames, shareOf, type PlanMeter, type MeterName } from '../admin/meters.ts';
import { t } from '../texts/index.ts';

const texts = t.server;

export type Account = OutputOf<'server/accounts'>['data'][number];
export type PlanLimits = Account['plan'];

export const toMeter = ({ plan, used }: Pick<Account, 'plan' | 'used'>, name: MeterName): PlanMeter => ({
  used: used[name],
  limit: plan[name] ?? undefined,
});

const list = (names: readonly MeterName[]): string => names.map((name) => texts.shortNames[name]).join(', ');

/** Summarizes a plan: unlimited, which limits it has, or which are used up. */
export function planSummary(account: Pick<Account, 'plan' | 'used'>): { text: string; isFull: boolean } {
  const full = meterNames.filter((name) => (shareOf(toMeter(account, name)) ?? 0) >= 1);
  if (full.length > 0) return { text: texts.usedUp(list(full)), isFull: true };
  const limited = meterNames.filter((name) => account.plan[name] !== null);
  return { text: limited.length === 0 ? texts.unlimitedPlan : texts.limits(list(limited)), isFull: false };
}

export type PlanFields = Record<MeterName, string>;

export const toPlanFields = (plan: PlanLimits): PlanFields =>
  Object.fromEntries(
    meterNames.map((name) => [name, plan[name] === null ? '' : String(plan[name])]),
  ) as PlanFields;

/** Parses the limits; an empty field means unlimited. Returns the first field that is not a whole number as `wrong`. */
export function parsePlanFields(fields: PlanFields): { plan: PlanLimits } | { wrong: MeterName } {
  const wrong = meterNames.find((name) => !/^\s*\d{0,15}\s*$/.test(fields[name]));
  if (wrong) return { wrong };
  const limits = meterNames.map((name) => {
    const text = fields[name].trim();
    return [name, text === '' ? null : Number(text)];
  });
  return { plan: Object.fromEntries(limits) as PlanLimits };
}
