/** Formats byte counts and times for people. */

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

export function readableBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step]!}`;
}

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' });

export const readableTime = (unixtime: number): string => format.format(unixtime * 1_000);
