/** When a key stops working, as chosen from a few lengths or a day. */

export const presets = ['never', '30', '90', '365', 'date'] as const;
export type Preset = (typeof presets)[number];

const day = 86_400;

/** Undefined: it does not expire. Null: the day is missing or not in the future. */
export function expiryOf(preset: Preset, date: string, now: number): number | undefined | null {
  if (preset === 'never') return undefined;
  if (preset !== 'date') return now + Number(preset) * day;
  const end = Math.floor(new Date(`${date}T23:59:59`).getTime() / 1_000);
  return end > now ? end : null;
}
