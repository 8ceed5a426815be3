/** Formats byte counts, times and durations for people. */

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

export function readableBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step]!}`;
}

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' });

export const readableTime = (unixtime: number): string => format.format(unixtime * 1_000);

/** The two largest units: `45 s`, `2 min 5 s`, `3 h 20 min`. */
export function shortDuration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** As a clock shows it: `0:05`, `12:34`, `1:02:03`. */
export function readableClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${twoDigits(minutes)}` : minutes}:${twoDigits(seconds % 60)}`;
}
