/** The expiry of an API key, chosen from preset durations or as a date. */

export const presets = ['never', '30', '90', '365', 'date'] as const;
export type Preset = (typeof presets)[number];

const day = 86_400;

/** Undefined if the key does not expire; null if the date is missing or not in the future. */
export function expiryOf(preset: Preset, date: string, now: number): number | undefined | null {
  if (preset === 'never') return undefined;
  if (preset !== 'date') return now + Number(preset) * day;
  const end = Math.floor(new Date(`${date}T23:59:59`).getTime() / 1_000);
  return end > now ? end : null;
}
