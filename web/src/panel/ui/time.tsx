/** Times as people read them: relative with the exact time as a tooltip, absolute, and durations. */
import { signal } from '@preact/signals';
import { readableTime } from '../../ui/readable.ts';
import { serverNow } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { language } from '../texts/language.ts';

/** Changes once a minute, so that relative times stay correct without a reload. */
const minute = signal(0);
setInterval(() => (minute.value += 1), 60_000);

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

function toRelativeTime(unixtime: number, now = serverNow()): string {
  const past = unixtime - now;
  const [unit, seconds] = units.find(([, size]) => Math.abs(past) >= size) ?? [];
  return unit === undefined ? t.common.justNow : relative.format(Math.round(past / seconds), unit);
}

export function RelativeTime({ time }: { time: number }) {
  void minute.value;
  return (
    <time dateTime={new Date(time * 1_000).toISOString()} title={readableTime(time)}>
      {toRelativeTime(time)}
    </time>
  );
}

export const AbsoluteTime = ({ time }: { time: number }) => (
  <time dateTime={new Date(time * 1_000).toISOString()}>{readableTime(time)}</time>
);

/** A duration such as 1 h 5 min. */
export function readableDuration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  if (hours > 0) return t.common.hoursMinutes(hours, minutes);
  return minutes > 0 ? t.common.minutesSeconds(minutes, seconds % 60) : t.common.seconds(seconds);
}
